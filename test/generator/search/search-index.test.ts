// Slow: runs Pagefind, the indexer, for each index.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cacheControlOf, IMMUTABLE } from '../../../generator/edge/cache-control.ts';
import { postOfFragment } from '../../../generator/search/pagefind-record.ts';
import type { SearchedPost } from '../../../generator/search/recent-index.ts';
import { SEARCH_INDEX_FOLDER, writeSearchIndex } from '../../../generator/search/search-index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-base-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* posts(...texts: string[]): AsyncGenerator<SearchedPost> {
  for (const [index, text] of texts.entries()) {
    const id = `id-${index}`;
    yield {
      id,
      slug: `post-${index}`,
      title: `Post ${index}`,
      description: 'About.',
      tags: ['Ink', '印刷'],
      lang: index === 1 ? 'ja' : null,
      publishedAt: '2026-01-01T00:00:00.000Z',
      text,
    };
  }
}

const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

it('the search index consists of the files that a search loads, referring files last', async () => {
  const paths = await writeSearchIndex(posts('Of ink.', '活版印刷について。'), 'en-GB', folder);
  expect(files().sort()).toEqual([...paths].sort());
  expect(paths.at(-1)).toBe('pagefind-entry.json');
  expect(JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'))).toEqual(['post', 'about']);
  expect(paths.slice(-4, -1)).toEqual(['pagefind-worker.js', 'pagefind.js', 'wasm.en.pagefind']);
  expect(paths.filter((path) => path.startsWith('fragment/'))).toHaveLength(2);
  expect(paths.filter((path) => /ui|highlight/.test(path))).toEqual([]);
});

it('one search index holds posts in all languages, with what results show of each', async () => {
  const paths = await writeSearchIndex(posts('Of ink.', '活版印刷について。 \u241e npm start'), 'ja', folder);
  expect(
    Object.keys(JSON.parse(readFileSync(join(folder, 'pagefind-entry.json'), 'utf8')).languages),
  ).toEqual(['en']);
  const fragments = paths
    .filter((path) => path.startsWith('fragment/'))
    .map((path) => gunzipSync(readFileSync(join(folder, path))).toString())
    .map((text) => JSON.parse(text.slice(text.indexOf('{'))));
  const japanese = fragments.find(({ url }) => url.startsWith('/post-1/#'));
  expect(postOfFragment(japanese)).toEqual({
    id: 'id-1',
    slug: 'post-1',
    title: 'Post 1',
    description: 'About.',
    tags: ['Ink', '印刷'],
    lang: 'ja',
    publishedAt: '2026-01-01T00:00:00.000Z',
    // The mark between the running text and what excerpts leave out.
    text: '活版印刷について。 \u241e npm start',
  });
});

it('the search index is the same for the same posts', async () => {
  const first = await writeSearchIndex(posts('One.', 'Two.', 'Three.'), 'en', folder);
  const second = await writeSearchIndex(posts('One.', 'Two.', 'Three.'), 'en', join(folder, 'again'));
  expect(second).toEqual(first);
  for (const path of first)
    expect(readFileSync(join(folder, 'again', path))).toEqual(readFileSync(join(folder, path)));
});

it('the search index of no posts is empty', async () => {
  expect(await writeSearchIndex(posts(), 'en', folder)).toEqual([]);
  expect(files()).toEqual([]);
});

it('files of the search index whose names are reused are revalidated by readers', async () => {
  const fragmentOf = (paths: readonly string[]) => paths.find((path) => path.startsWith('fragment/')) ?? '';
  const before = await writeSearchIndex(posts('Of 6.'), 'en', folder);
  const after = await writeSearchIndex(posts('Of 14889.'), 'en', join(folder, 'after'));
  expect(fragmentOf(after)).toBe(fragmentOf(before));
  const [one, other] = [join(folder, fragmentOf(before)), join(folder, 'after', fragmentOf(after))];
  expect(readFileSync(one)).not.toEqual(readFileSync(other));
  for (const path of [...before, ...after])
    expect(cacheControlOf(`sites/ink/${SEARCH_INDEX_FOLDER}${path}`)).not.toBe(IMMUTABLE);
});
