import type { SearchedPost } from '../search/recent-index.ts';
import type { PostSummary, RecentChanges } from '../site.ts';

/** Of the posts in the file, in UTF-8: that much of anything is less than 50 KB when compressed. */
const MAX_BYTES = 49_152;

const NO_TEXT = '""';

/**
 * The newest changes as the search page reads them (`Recent`): of the posts written last as many as there is room
 * for, and then of their texts, while these fit.
 */
export function recentJson({ base, gone, posts, texts }: RecentChanges): string {
  let left = MAX_BYTES;
  const fits = (json: string): boolean => {
    left -= Buffer.byteLength(json);
    return left >= 0;
  };
  const beginnings: string[] = [];
  for (const post of posts) {
    const beginning = beginningOf(post);
    if (!fits(`${beginning}${NO_TEXT}}`)) break;
    beginnings.push(beginning);
  }
  const said: string[] = [];
  for (const text of texts) {
    const json = JSON.stringify(text);
    if (!fits(json)) break;
    said.push(json);
  }
  const entries = beginnings.map((beginning, index) => `${beginning}${said[index] ?? NO_TEXT}}`);
  return `{"base":${base},"gone":${JSON.stringify(gone)},"posts":[${entries}]}\n`;
}

const known = new WeakMap<PostSummary, string>();

/** A post in JSON up to its text. Most of a file's two hundred are the same objects as in the one before. */
function beginningOf(post: PostSummary): string {
  const beginning = known.get(post) ?? `${JSON.stringify(withoutText(post)).slice(0, -1)},"text":`;
  known.set(post, beginning);
  return beginning;
}

const withoutText = ({
  id,
  slug,
  title,
  description,
  tags,
  lang,
  publishedAt,
}: PostSummary): Omit<SearchedPost, 'text'> => ({
  id,
  slug,
  title,
  description,
  tags: tags.map(({ label }) => label),
  lang,
  publishedAt,
});
