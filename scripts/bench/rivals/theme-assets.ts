import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugFromTitle } from '../../../server/addresses/slug.ts';
import { seededPost } from '../seed/fill-database.ts';
import { seed } from '../seed/seed.ts';
import { buildReport } from '../support/child-reports.ts';
import { runChild } from '../support/run-child.ts';
import type { Scratch } from '../support/scratch.ts';
import type { ThemeAssets } from './rival.ts';

/** Builds a small blog and extracts the styles and scripts of its pages. */
export async function extractThemeAssets(scratch: Scratch): Promise<ThemeAssets> {
  const dataDir = scratch.folder('look');
  const { blogs } = await seed(dataDir, [10]);
  const [blog] = blogs;
  if (!blog) throw new Error('no blog was seeded');
  const env = { PLATEN_DATA_DIR: dataDir, REBUILD_ID: blog.rebuildId, NODE_ENV: 'production' };
  await runChild(scratch, 'children/build-once', env, buildReport);
  const site = join(dataDir, 'edge', 'sites', blog.slug);
  const post = readFileSync(join(site, slugFromTitle(seededPost(5).title), 'index.html'), 'utf8');
  const list = readFileSync(join(site, 'index.html'), 'utf8');
  const [head = '', body = ''] = post.split('</head>');
  return {
    posts: inlineElements(head),
    lists: inlineElements(list.split('</head>')[0] ?? ''),
    tail: inlineElements(body),
  };
}

/**
 * The `<style>` and `<script>` elements without attributes; those with a type hold data that differs on every page.
 */
const inlineElements = (html: string): string =>
  (html.match(/<(style|script)>[\s\S]*?<\/\1>/g) ?? []).join('\n');
