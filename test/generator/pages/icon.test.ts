import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accentOf, PAPER } from '../../../generator/colours.ts';
import { icons } from '../../../generator/pages/icon.ts';
import type { BlogIcon, SiteBlog } from '../../../generator/site/blog.ts';
import { siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

const icon = { url: 'https://media.example.org/b/i.jpg', isMade: true };

async function pagesOf(icon: BlogIcon | null, changes: Partial<SiteBlog> = {}) {
  const site = {
    ...siteOf({ posts: [], blog: { settings: { ...blog.settings, icon }, ...changes } }),
    favicon: async () => Buffer.from('ico'),
  };
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
});

test.each([
  ['Notes on printing', 'Notes on'],
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
