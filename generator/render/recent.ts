import type { Recent, SearchedPost } from '../search/recent.ts';
import type { RecentChanges, RecentPost } from '../site.ts';

/** Of the posts in the file, in UTF-8: that much of anything is less than 50 KB when compressed. */
const MAX_BYTES = 49_152;

/**
 * The newest changes as the search page reads them (`Recent`): of the posts written last as many as there is room
 * for, and then of their texts, while these fit.
 */
export function recentJson({ base, gone, posts }: RecentChanges): string {
  const shown: SearchedPost[] = [];
  let left = MAX_BYTES;
  for (const post of posts) {
    const found = withoutText(post);
    left -= Buffer.byteLength(JSON.stringify(found));
    if (left < 0) break;
    shown.push(found);
  }
  for (const [index, found] of shown.entries()) {
    const text = posts[index]?.text ?? '';
    const size = Buffer.byteLength(JSON.stringify(text));
    if (size > left) break;
    left -= size;
    shown[index] = { ...found, text };
  }
  const recent: Recent = { base, gone, posts: shown };
  return `${JSON.stringify(recent)}\n`;
}

const withoutText = ({
  id,
  slug,
  title,
  description,
  tags,
  lang,
  publishedAt,
}: RecentPost): SearchedPost => ({
  id,
  slug,
  title,
  description,
  tags: tags.map(({ label }) => label),
  lang,
  publishedAt,
  text: '',
});
