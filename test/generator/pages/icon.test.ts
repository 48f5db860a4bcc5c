import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accentOf, PAPER } from '../../../generator/colours.ts';
import { icons } from '../../../generator/pages/icon.ts';
import type { BlogIcon, SiteBlog } from '../../../generator/site/blog.ts';
import { placementOf, publishedPosts, siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

const icon = { url: 'https://media.example.org/b/i.jpg', isMade: true, former: null };

const siteWith = (icon: BlogIcon | null, changes: Partial<SiteBlog> = {}) => ({
  ...siteOf({ posts: [], blog: { settings: { ...blog.settings, icon }, ...changes } }),
  favicon: async () => Buffer.from('ico'),
});

async function pagesOf(icon: BlogIcon | null, changes: Partial<SiteBlog> = {}) {
  const site = siteWith(icon, changes);
  return icons.build(site, await icons.allKeys(site));
}

const manifestOf = async (changes: Partial<SiteBlog> = {}) => {
  const page = (await pagesOf(icon, changes)).find(({ path }) => path === 'site.webmanifest');
  return page?.body.kind === 'text' ? JSON.parse(page.body.text) : expect.fail('no manifest');
};

test('a blog with an icon has a favicon.ico and a manifest', async () => {
  const pages = await pagesOf(icon);
  expect(pages.map(({ path }) => path)).toEqual(['favicon.ico', 'site.webmanifest']);
  expect(pages[0]?.body).toEqual({ kind: 'bytes', bytes: Buffer.from('ico') });
  expect(await manifestOf()).toEqual({
    name: 'Ink & Paper',
    short_name: 'Ink & Paper',
    lang: 'en',
    start_url: '/',
    display: 'browser',
    background_color: '#fdfcf9',
    theme_color: '#ad2f1b',
    icons: [
      { src: 'https://media.example.org/b/i-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'https://media.example.org/b/i-512.png', sizes: '512x512', type: 'image/png' },
    ],
  });
});

test('a blog without an icon, or until its files are made, has neither', async () => {
  expect(await pagesOf(null)).toEqual([]);
  expect(await pagesOf({ ...icon, isMade: false })).toEqual([]);
  expect(await icons.allKeys(siteWith({ ...icon, isMade: false }))).toEqual([]);
});

test('after an icon is removed, neither of its files is built again', async () => {
  const keys = await icons.allKeys(siteWith(icon));
  expect(keys).toHaveLength(2);
  expect(await icons.build(siteWith(null), keys)).toEqual([]);
  expect(await icons.build(siteWith({ ...icon, isMade: false }), keys)).toEqual([]);
});

test('each of the two is built alone if the other is not asked for', async () => {
  const site = siteWith(icon);
  const keys = await icons.allKeys(site);
  const alone = await Promise.all(keys.map((key) => icons.build(site, [key])));
  expect(alone.map((pages) => pages.map(({ key }) => key))).toEqual(keys.map((key) => [key]));
});

test('no change to a post affects them', async () => {
  const [post] = publishedPosts(1);
  const place = placementOf(post ?? expect.fail('no post'));
  expect(await icons.affectedKeys(siteWith(icon), place)).toEqual([]);
});

test('a blog whose icon is made but has no favicon is not built without one', async () => {
  const site = { ...siteWith(icon), favicon: async () => null };
  await expect(icons.build(site, await icons.allKeys(site))).rejects.toThrow('Ink & Paper has no favicon');
});

test('a home screen gets the language and the accent colour of the blog', async () => {
  const settings = { ...blog.settings, icon, language: 'ja', accentColor: '#123456' };
  expect(await manifestOf({ settings })).toMatchObject({ lang: 'ja', theme_color: '#123456' });
});

test.each([
  ['Notes on printing', 'Notes on'],
  ['Twelve chars and more', 'Twelve chars'],
  ['Eleven char and more', 'Eleven char'],
  ['👩‍👩‍👧‍👦'.repeat(13), '👩‍👩‍👧‍👦'.repeat(12)],
  ['Twelve chars', 'Twelve chars'],
  ['Donaudampfschifffahrt', 'Donaudampfsc'],
  ['印刷'.repeat(10), '印刷'.repeat(6)],
])('the short name of %s fits below an icon', async (name, short) => {
  expect((await manifestOf({ name })).short_name).toBe(short);
});

test('the colours of files without a style sheet are those of the theme', () => {
  const css = readFileSync(new URL('../../../templates/styles/page.css', import.meta.url), 'utf8');
  expect(css).toContain(`--paper: light-dark(${PAPER},`);
  expect(css).toContain(`--rubric: light-dark(${accentOf(blog.settings)},`);
});
