import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { recentIndexJson } from '../../../generator/render/recent-index-json.ts';
import type { SitePostSummary } from '../../../generator/site/post.ts';
import { plain } from './views.ts';

type Told = SitePostSummary & { readonly text: string };

const post = (n: number, fields: Partial<Told> = {}): Told => ({
  id: `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  slug: `post-${n}`,
  title: `Post ${n}`,
  description: 'About it.',
  tags: [{ label: 'Ink', slug: 'ink' }],
  type: 'post',
  homeList: null,
  pageNumber: 1,
  lang: null,
  publishedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  ogImage: null,
  ...plain,
  bytes: 20,
  text: `Text ${n}.`,
  ...fields,
});
const json = (posts: readonly Told[], gone: readonly string[] = []) =>
  recentIndexJson({
    hasSearchIndex: true,
    isComplete: true,
    removedIds: gone,
    posts,
    texts: posts.map(({ text }) => text),
  });
const read = (posts: readonly Told[]) => JSON.parse(json(posts)).posts;

it('the recent index holds exactly what search shows of a post', () => {
  expect(JSON.parse(json([post(1)], ['a']))).toEqual({
    base: true,
    complete: true,
    gone: ['a'],
    posts: [
      {
        id: '0190a000-0000-7000-8000-000000000001',
        slug: 'post-1',
        title: 'Post 1',
        description: 'About it.',
        tags: ['Ink'],
        lang: null,
        publishedAt: '2026-01-01T00:00:00.000Z',
        text: 'Text 1.',
      },
    ],
  });
});

it('the recent index keeps all posts if not all texts fit, and the texts that were written last', () => {
  const posts = Array.from({ length: 10 }, (_, n) => post(n, { text: 'x'.repeat(10_000) }));
  const shown = read(posts);
  expect(shown).toHaveLength(10);
  const lengths = shown.map(({ text }: { text: string }) => text.length);
  expect(lengths).toEqual([...Array(4).fill(10_000), ...Array(6).fill(0)]);
});

it('the recent index lists posts without texts if fewer were loaded', () => {
  const { posts, complete } = JSON.parse(
    recentIndexJson({
      hasSearchIndex: false,
      isComplete: true,
      removedIds: [],
      posts: [post(1), post(2)],
      texts: ['Text 1.'],
    }),
  );
  expect(posts.map(({ slug, text }: { slug: string; text: string }) => [slug, text])).toEqual([
    ['post-1', 'Text 1.'],
    ['post-2', ''],
  ]);
  expect(complete).toBe(false);
});

it('the recent index keeps the posts that were written last if not all fit', () => {
  const posts = Array.from({ length: 200 }, (_, n) => post(n, { description: 'd'.repeat(500), text: '' }));
  const shown = read(posts);
  expect(shown.length).toBeGreaterThan(50);
  expect(shown.length).toBeLessThan(100);
  expect(shown[0].slug).toBe('post-0');
});

// Random letters cannot be compressed: the worst case.
it.each([
  ['letters', 33, 94],
  ['Han', 0x4e00, 20_000],
  ['emoji', 0x1f300, 700],
])('the recent index has less than 50 KB on the wire, even of random %s', (_name, from, count) => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return String.fromCodePoint(from + ((seed >> 8) % count));
  };
  const words = (length: number) => Array.from({ length }, random).join('');
  const posts = Array.from({ length: 200 }, (_, n) => post(n, { title: words(60), text: words(8_000) }));
  const gone = Array.from({ length: 500 }, () => crypto.randomUUID());
  expect(gzipSync(json(posts, gone)).length).toBeLessThan(50_000);
});
