import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteBlog } from '../../../generator/site/blog.ts';
import type { SitePost, Translation } from '../../../generator/site/post.ts';
import { loadTemplates, type RenderView } from '../../../generator/theme/templates.ts';
import { languageName, pageTranslations } from '../../../generator/words/translations.ts';
import { type Translations, translationLinks } from '../../../server/addresses/translations.ts';
import { jsonLd } from '../render/documents.ts';
import { blog, post, postView } from '../render/views.ts';

let render: RenderView;
beforeAll(async () => {
  render = await loadTemplates();
});

const OWN = 'https://ink.example.com/the-composing-stick/';
const page = (
  translations: Translations,
  changes: Partial<SitePost> = {},
  changedBlog: Partial<SiteBlog> = {},
): string => render(postView({ ...changes, translations: translationLinks(translations) }, changedBlog));

/** Language and address of each link to a translation, in the head or in the text. */
const linksIn = (html: string, element: 'link' | 'a'): [lang: string, url: string][] =>
  (html.match(new RegExp(`<${element} [^>]*hreflang="[^>]*>`, 'g')) ?? []).map((tag) => [
    / hreflang="([^"]*)"/.exec(tag)?.[1] ?? '',
    / href="([^"]*)"/.exec(tag)?.[1] ?? '',
  ]);

describe('translations on the page of a post', () => {
  it('a post page without translations mentions none', () => {
    const html = page({});
    expect(html).not.toContain('hreflang');
    expect(html).not.toContain('Also in');
    expect(jsonLd(html)).not.toHaveProperty('workTranslation');
  });

  it('a post page lists each language and its own in the head with absolute addresses, in one order', () => {
    const expected = [
      ['de', 'https://example.org/de/'],
      ['en', OWN],
      ['ja', 'https://ink.example.com/nihongo/'],
    ];
    expect(linksIn(page({ ja: 'nihongo', de: 'https://example.org/de/' }), 'link')).toEqual(expected);
    expect(linksIn(page({ de: 'https://example.org/de/', ja: 'nihongo' }), 'link')).toEqual(expected);
    expect(page({ ja: 'nihongo' })).toContain(`<link rel="alternate" hreflang="en" href="${OWN}"/>`);
  });

  it('a page at the root names itself by the root among its languages', () => {
    const settings = { ...blog.settings, frontPage: { page: 'the-composing-stick', list: 'posts' } };
    const atRoot = (translations: Translations) =>
      linksIn(page(translations, { type: 'page' }, { settings }), 'link');
    const expected = [
      ['en', 'https://ink.example.com/'],
      ['ja', 'https://ink.example.com/nihongo/'],
    ];
    expect(atRoot({ ja: 'nihongo' })).toEqual(expected);
    expect(atRoot({ ja: 'nihongo', en: 'the-composing-stick' })).toEqual(expected);
  });

  it('a post page of which only the script is known claims no language for itself', () => {
    const settings = { ...blog.settings, language: 'ar' };
    const html = page({ de: 'https://example.org/de/' }, { lang: null }, { settings });
    expect(html).toContain('<html lang="und-Latn" dir="ltr">');
    expect(linksIn(html, 'link')).toEqual([['de', 'https://example.org/de/']]);
    expect(jsonLd(html)).not.toHaveProperty('inLanguage');
  });

  it("a post page links to translations by the languages' own names, each marked with its language", () => {
    const html = page({ ja: 'nihongo', de: 'https://example.org/de/', ar: 'arabi' });
    expect(html).toContain('<bdi>Also in:</bdi>');
    expect(html).toContain(
      '<a href="/arabi/" hreflang="ar" lang="ar" rel="alternate"><bdi>العربية</bdi></a>',
    );
    expect(html).toMatch(/العربية.*Deutsch.*日本語/s);
    expect(linksIn(html, 'a')).toEqual([
      ['ar', '/arabi/'],
      ['de', 'https://example.org/de/'],
      ['ja', '/nihongo/'],
    ]);
  });

  it('a post has the language of its script, or else that of the blog', () => {
    const languagesOf = (...rest: [Partial<SitePost>, Partial<SiteBlog>?]) =>
      linksIn(page({ en: 'other' }, ...rest), 'link').map(([lang]) => lang);
    expect(languagesOf({ lang: 'ja' })).toEqual(['en', 'ja']);
    expect(languagesOf({}, { settings: { ...blog.settings, language: 'pt-br' } })).toEqual(['en', 'pt-BR']);
  });

  it('a post among its own translations links to the others only', () => {
    for (const own of ['the-composing-stick', OWN]) {
      const html = page({ sr: own, ru: 'other' }, { lang: 'ru', language: 'sr' });
      expect(linksIn(html, 'link')).toEqual([
        ['ru', 'https://ink.example.com/other/'],
        ['sr', OWN],
      ]);
      expect(linksIn(html, 'a')).toEqual([['ru', '/other/']]);
    }
    expect(page({ en: 'the-composing-stick' }, { language: 'en' })).not.toContain('hreflang');
  });

  it('a stated language counts before the one under which the translations list the post', () => {
    const html = page({ de: 'the-composing-stick', ja: 'nihongo' }, { language: 'nl' });
    expect(linksIn(html, 'link').map(([lang]) => lang)).toEqual(['ja', 'nl']);
  });

  it('a post in the same language is linked for readers only', () => {
    const html = page({ en: 'in-plain-words' });
    expect(linksIn(html, 'a')).toEqual([['en', '/in-plain-words/']]);
    expect(linksIn(html, 'link')).toEqual([]);
    expect(linksIn(page({ en: 'in-plain-words', ja: 'nihongo' }), 'link').map(([lang]) => lang)).toEqual([
      'en',
      'ja',
    ]);
  });

  it('a post page has its translations in JSON-LD', () => {
    expect(jsonLd(page({ ja: 'nihongo', de: 'https://example.org/de/' }))).toMatchObject({
      workTranslation: [
        { '@type': 'BlogPosting', url: 'https://example.org/de/', inLanguage: 'de' },
        { '@type': 'BlogPosting', url: 'https://ink.example.com/nihongo/', inLanguage: 'ja' },
      ],
    });
  });
});

describe('links to the translations of a post', () => {
  it('translation links are exactly those that the post lists, in the order of their tags', () => {
    const named: Translation[] = [
      { lang: 'de', url: '/a/' },
      { lang: 'zh-Hant', url: 'https://example.org/' },
    ];
    expect(pageTranslations(blog, { ...post, translations: named })).toEqual({
      elsewhere: named,
      languages: [
        { lang: 'de', url: 'https://ink.example.com/a/' },
        { lang: 'en', url: OWN },
        { lang: 'zh-Hant', url: 'https://example.org/' },
      ],
    });
  });

  it.each([
    ['de', 'Deutsch', 'de'],
    ['ja', '日本語', 'ja'],
    ['pt-BR', 'português (Brasil)', 'pt-BR'],
    // A name that is unknown in the language itself is given in English and marked as English.
    ['tlh', 'Klingon', 'en'],
    ['qq', 'qq', 'en'],
    ['en-u-ca-gregory', 'English', 'en'],
    ['en-x-own', 'English', 'en'],
  ])('the link to a translation names the language %s', (tag, name, lang) => {
    expect(languageName(tag)).toEqual({ name, lang });
  });
});
