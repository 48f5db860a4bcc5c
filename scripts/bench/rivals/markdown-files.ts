import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugFromTitle } from '../../../server/addresses/slug.ts';
import type { BenchPost } from '../seed/bench-post.ts';

export interface DatedPost extends BenchPost {
  readonly publishedAt: string;
}

/** Length of the description, which is cut from the first paragraph as in Platen. */
const MAX_DESCRIPTION = 155;

/** Writes each post to a Markdown file with YAML front matter, which all generators read. */
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

/** JSON is valid YAML, but a quoted date would be a string. */
const yaml = (key: string, value: unknown): string =>
  key === 'date' ? String(value) : JSON.stringify(value);

function describe(content: string): string {
  const [paragraph = ''] = content.split('\n', 1);
  return `${paragraph.slice(0, paragraph.lastIndexOf(' ', MAX_DESCRIPTION))}…`;
}
