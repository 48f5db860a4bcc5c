import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugFromTitle } from '../../../server/addresses/slug.ts';
import type { BenchPost } from '../seed/bench-post.ts';

export interface DatedPost extends BenchPost {
  readonly publishedAt: string;
}

/** Characters of a post's first paragraph that describe it on lists, as in Platen's. */
const DESCRIPTION_MAX = 155;

/** Writes each post to a file of Markdown with YAML front matter, which all rivals read. */
export function writePosts(folder: string, posts: readonly DatedPost[]): void {
  mkdirSync(folder, { recursive: true });
  for (const post of posts) {
    const slug = slugFromTitle(post.title);
    const frontMatter = {
      title: post.title,
      slug,
      date: post.publishedAt,
      tags: post.tags,
      months: [post.publishedAt.slice(0, 7)],
      description: describe(post.content),
    };
    const lines = Object.entries(frontMatter).map(([key, value]) => `${key}: ${yaml(key, value)}`);
    writeFileSync(join(folder, `${slug}.md`), `---\n${lines.join('\n')}\n---\n\n${post.content}\n`);
  }
}

/** JSON is YAML; a date is one only without quotes. */
const yaml = (key: string, value: unknown): string =>
  key === 'date' ? String(value) : JSON.stringify(value);

function describe(content: string): string {
  const [paragraph = ''] = content.split('\n', 1);
  return `${paragraph.slice(0, paragraph.lastIndexOf(' ', DESCRIPTION_MAX))}…`;
}
