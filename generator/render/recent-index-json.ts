import type { SearchedPost } from '../search/recent-index.ts';
import type { SitePostSummary } from '../site/post.ts';
import type { RecentChanges } from '../site/site.ts';

/** Size limit for the posts in the file, in UTF-8 bytes. Whatever they contain, the compressed file is below 50 KB. */
const MAX_BYTES = 49_152;

const NO_TEXT = '""';

/**
 * The recent index as the search page reads it (`Recent`): as many of the last written posts as fit, and then as many
 * of their texts as fit.
 */
export function recentIndexJson(changes: RecentChanges): string {
  const { hasSearchIndex, removedIds, posts, texts } = changes;
  let left = MAX_BYTES;
  const fits = (json: string): boolean => {
    left -= Buffer.byteLength(json);
    return left >= 0;
  };
  const postJsons: string[] = [];
  for (const post of posts) {
    const beginning = postJsonWithoutText(post);
    if (!fits(`${beginning}${NO_TEXT}}`)) break;
    postJsons.push(beginning);
  }
  const textJsons: string[] = [];
  for (const text of texts) {
    const json = JSON.stringify(text);
    if (!fits(json)) break;
    textJsons.push(json);
  }
  const entries = postJsons.map((beginning, index) => `${beginning}${textJsons[index] ?? NO_TEXT}}`);
  const isComplete = changes.isComplete && textJsons.length === posts.length;
  return `{"base":${hasSearchIndex},"complete":${isComplete},"gone":${JSON.stringify(removedIds)},"posts":[${entries}]}\n`;
}

const cachedPostJson = new WeakMap<SitePostSummary, string>();

/** A post's JSON up to its text. Cached: most of the file's two hundred posts are the same objects each time. */
function postJsonWithoutText(post: SitePostSummary): string {
  const beginning = cachedPostJson.get(post) ?? `${JSON.stringify(withoutText(post)).slice(0, -1)},"text":`;
  cachedPostJson.set(post, beginning);
  return beginning;
}

const withoutText = ({
  id,
  slug,
  title,
  description,
  tags,
  lang,
  language,
  publishedAt,
}: SitePostSummary): Omit<SearchedPost, 'text'> => ({
  id,
  slug,
  title,
  description,
  tags: tags.map(({ label }) => label),
  lang,
  ...(language !== null && { language }),
  publishedAt,
});
