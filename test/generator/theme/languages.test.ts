import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import type { HtmlView } from '../../../generator/page.ts';
import { previewBanner } from '../../../generator/previews/banner.ts';
import type { SiteBlog } from '../../../generator/site/blog.ts';
import { loadTemplates, type RenderView } from '../../../generator/theme/templates.ts';
import { wordsFor } from '../../../generator/words/words.ts';
import { blog, cardUrl, listView, longPost, notFoundView, postView, redirectView } from '../render/views.ts';

let render: RenderView;

beforeAll(async () => {
  render = await loadTemplates();
});

const langs = readdirSync(new URL('../../../templates/words', import.meta.url)).map((name) =>
  basename(name, '.json'),
);

/** A blog whose own texts have no letters, so that all letters of its pages are the theme's. */
const wordless = (language: string): SiteBlog => ({
  ...blog,
  name: '1',
  description: '2',
  settings: { ...blog.settings, language },
  badge: false,
});

/** Every page of the theme with all of its words. */
function everyPage(own: SiteBlog): HtmlView[] {
  const headings = ['a', 'b', 'c', 'd'].map((id) => ({ level: 2, id, text: '3' }));
  const { html } = renderMarkdown('> [!NOTE]\n> 1\n\n- [x] 2\n\n```\n3\n```\n\n4[^1]\n\n[^1]: 5');
  const updatedAt = '2026-04-10T00:00:00.000Z';
  const post = {
    title: '4',
    description: '5',
    tags: [],
    html,
    headings,
    wordCount: 900,
    updatedAt,
    lang: 'und',
  };
  const neighbour = { slug: '6', title: '7', lang: 'und', language: null };
  const translations = [{ lang: 'el', url: '/8/' }];
  return [
    { ...postView({ ...post, translations }, own), newer: neighbour, older: neighbour },
    listView({ blog: own, posts: [], pageNumber: 3, newer: '/page/4/', older: '/page/2/' }),
    { layout: 'tags', blog: own, tags: [], cardUrl },
    { layout: 'archive', blog: own, months: [], cardUrl },
    { layout: 'search', blog: own, cardUrl },
    { ...redirectView, blog: own },
    { ...notFoundView, blog: own },
  ];
}

/** What readers see, hear or get from a script: texts, and the values of some attributes. */
const spokenIn = (html: string): string =>
  [
    html.replace(/^.*<body>|<script.*?<\/script>|<style.*?<\/style>|<[^>]*>/gs, ' '),
    ...Array.from(
      html.matchAll(/ (?:aria-label|title|data-(?:copy|name|copied))="([^"]*)"/g),
      ([, word]) => word,
    ),
    ...Array.from(html.matchAll(/ data-messages="([^"]*)"/g), ([, words = '']) =>
      Object.values(JSON.parse(words.replaceAll('&quot;', '"'))).join(' '),
    ),
    /<title>(.*?)<\/title>/.exec(html)?.[1],
  ].join('\n');

/** Names of formats and programs, which no language translates; the name of a translation; a URL. */
const NAMES =
  /Atom|RSS|JSON(?: Feed)?|JavaScript|YouTube|https:\S*|(?:plural|count|found|one|two|few|many|other|zero)\b/g;

describe.each(langs.filter((lang) => lang !== 'en'))('pages in the language "%s"', (lang) => {
  test('all words are in the page’s language, and none has a language of its own', () => {
    for (const view of everyPage(wordless(lang))) {
      const html = render(view);
      expect(html, view.layout).toContain(`<html lang="${lang}" dir="`);
      expect(html, view.layout).not.toContain('lang="en"');
      if (/^(?:ru|ar|he|fa|hi|th|ja|ko|zh.*)$/.test(lang)) {
        expect(
          spokenIn(html)
            .replace(NAMES, '')
            .replace(/<[^>]*>|&\w+;|\{\w+\}/g, ''),
          view.layout,
        ).not.toMatch(/[A-Za-z]/);
      }
    }
  });
});

test('a post page says everything in the language of its post, whatever the blog’s', () => {
  const html = render(postView({ lang: 'ja', updatedAt: '2026-04-10T00:00:00.000Z', ...longPost }));
  expect(html).toContain('<a class="skip" href="#Content">本文へスキップ</a>');
  expect(html).toContain('<bdi>更新日：<time datetime="2026-04-10T00:00:00.000Z">2026年4月10日</time></bdi>');
  expect(html).toContain('data-copy="コピー"');
  expect(html).toContain('<summary>目次</summary>');
  expect(html).toContain('<a href="/archive/">アーカイブ</a>');
});

test('a page in a language without words speaks English, and says so at every word', () => {
  for (const view of everyPage(wordless('ur'))) {
    const html = render(view);
    expect(html).toContain('<html lang="ur" dir="rtl">');
    expect(html).toContain('<a class="skip" href="#Content" lang="en" dir="ltr">Skip to content</a>');
    // Elements with a text of the theme have the mark.
    const body = html.replace(/^.*<body>|<script.*?<\/script>/gs, '');
    for (const [, attributes = '', text = ''] of body.matchAll(
      /<(?:p|h1|a|small|button)( [^>]*)?>([A-Z][^<]{3,})/g,
    )) {
      const isLink = /^ href="[^"]*"$/.test(attributes);
      if (!isLink && text !== '') expect(`${attributes} ${text}`).toMatch(/ lang="en"/);
    }
  }
});

test('the banner of a preview is in the language of the page', () => {
  expect(previewBanner('2026-11-01T00:00:00.000Z', 'de')).toMatch(
    /^<aside lang="de" dir="ltr" aria-label="Vorschau".*bis zum 1\. November 2026 /,
  );
  expect(previewBanner('2026-11-01T00:00:00.000Z', 'ar')).toContain(
    '<aside lang="ar" dir="rtl" aria-label="معاينة"',
  );
  expect(previewBanner('2026-11-01T00:00:00.000Z', 'ur')).toContain(
    '<aside lang="en" dir="ltr" aria-label="Preview"',
  );
});

test('the search page gives its script the messages, which have values that only the script knows', () => {
  const html = render({ layout: 'search', blog: wordless('ru'), cardUrl });
  const [, messages = ''] = / data-messages="([^"]*)"/.exec(html) ?? [];
  expect(JSON.parse(messages.replaceAll('&quot;', '"'))).toMatchObject({
    postsFound: wordsFor('ru').message('postsFound'),
    nothingFound: 'Ничего не найдено.',
  });
});
