// Slow: opens every kind of page of two blogs in Chromium, in both colour schemes, and runs axe and html-validate on
// each.
import axe from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { latin, pageKinds, publishEverything } from '../support/theme-blog.ts';
import { htmlOf, openPage, type Visitor, visitBlogs } from '../support/theme-visitor.ts';

let platen: TestPlaten;
let browser: Browser;
const urls = { plain: '', own: '' };
type BlogName = keyof typeof urls;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  urls.plain = await publishEverything(platen, { slug: 'plain', name: 'Ink & Paper' });
  const settings = {
    accent_color: '#ffee00',
    language: 'de',
    author: { name: 'Ada Byron', url: 'https://ada.example/', image: null },
    social_links: [{ label: 'Mastodon', url: 'https://social.example/@ada' }],
    navigation: [{ label: 'Über mich', url: '/everything/' }],
  };
  urls.own = await publishEverything(platen, { slug: 'own', name: 'حبر وورق', settings });
});

afterAll(async () => {
  await browser.close();
  await platen.close();
});

const kinds = Object.entries(pageKinds);
const everyPage = (['plain', 'own'] as const).flatMap((blog) =>
  kinds.map(([kind, path]) => ({ blog, kind, path })),
);

const htmlIn = (blog: BlogName, path: string): Promise<string> =>
  htmlOf({ browser, platen }, urls[blog] + path);

const withPage = (options: BrowserContextOptions, work: (visitor: Visitor) => Promise<void>): Promise<void> =>
  visitBlogs({ browser, platen }, options, work);

const isShown = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)})).some((element) =>
    element.getClientRects().length > 0)`);

describe.each(['light', 'dark'] as const)('accessibility in the %s scheme', (colorScheme) => {
  it.each(['plain', 'own'] as const)(
    'axe finds no fault on any page of the blog "%s"',
    async (blog) => {
      await withPage({ colorScheme, bypassCSP: true }, async ({ page }) => {
        const found: string[] = [];
        for (const [kind, path] of kinds) {
          await openPage(page, urls[blog] + path);
          await page.evaluate(axe.source);
          const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
          const result = await page.evaluate<axe.AxeResults>(`axe.run({ runOnly: ${JSON.stringify(tags)} })`);
          expect(result.passes.length).toBeGreaterThan(15);
          for (const { id, nodes } of result.violations) {
            found.push(
              ...nodes.map(({ html, failureSummary }) => `${kind}: ${id}: ${html} ${failureSummary}`),
            );
          }
        }
        expect(found).toEqual([]);
      });
    },
    180_000,
  );
});

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // Svelte writes documents this way, and HTML allows it.
    'doctype-style': 'off',
    'void-style': 'off',
    'attribute-empty-style': 'off',
    // GFM writes such attributes for table columns, and ids of headings in any script.
    'no-deprecated-attr': 'off',
    'valid-id': ['error', { relaxed: true }],
    // Titles belong to their authors.
    'long-title': 'off',
    // Temml sets these on MathML.
    'no-inline-style': 'off',
  },
});

it.each(everyPage)('the HTML of the page "$kind" of the blog "$blog" is valid', async ({ blog, path }) => {
  const report = await validator.validateString(await htmlIn(blog, path));
  const messages = report.results.flatMap(({ messages }) => messages);
  expect(messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`)).toEqual([]);
});

it.each(['plain', 'own'] as const)('every link within the blog "%s" leads to a page', async (blog) => {
  const seen = new Map<string, string>();
  const waiting = [''];
  const broken: string[] = [];
  for (const path of waiting) {
    const answer = await platen.read(blog, `/${path}`);
    if (answer.status !== 200) broken.push(`${path}: ${answer.status}`);
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    seen.set(path, answer.text);
    const body = answer.text.replace(/<script.*?<\/script>/gs, '');
    for (const [, address = ''] of body.matchAll(/<(?:a|link)[^>]* href="([^"#]*)[^"]*"/g)) {
      const url = new URL(address.replaceAll('&amp;', '&'), urls[blog] + path);
      const next = url.href.slice(urls[blog].length);
      if (url.href.startsWith(urls[blog]) && !waiting.includes(next)) waiting.push(next);
    }
    for (const [, id = ''] of body.matchAll(/ href="#([^"]*)"/g)) {
      if (!body.includes(` id="${decodeURIComponent(id)}"`)) broken.push(`${path}#${id}`);
    }
  }
  expect(broken).toEqual([]);
  expect(waiting).toContain('tags/ink/page/1/');
  expect(waiting).toContain('everything.md');
  expect(waiting).toContain('tags/ink/rss.xml');
  expect(seen.size).toBeGreaterThan(20);
});

it('the search speaks the language of the blog', () =>
  withPage({}, async ({ page }) => {
    await openPage(page, `${urls.own}search/?q=ink`);
    expect(await page.locator('.found').textContent()).toMatch(/^Die \d+ besten Treffer werden angezeigt\.$/);
    await page.getByRole('searchbox', { name: 'Beiträge durchsuchen' }).fill('木版');
    await expect.poll(() => page.locator('.found').textContent()).toBe('1 Beitrag gefunden.');
    await page.getByRole('searchbox').fill('qqqqq');
    await expect.poll(() => page.locator('.found').textContent()).toBe('Nichts gefunden.');
  }));

describe('structured data of pages', () => {
  const jsonLdOf = (html: string): Record<string, unknown>[] =>
    Array.from(html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs), ([, json = '']) =>
      JSON.parse(json),
    );
  const required: Readonly<Record<string, readonly string[]>> = {
    BlogPosting:
      'headline url image datePublished dateModified author publisher wordCount timeRequired'.split(' '),
    BreadcrumbList: ['itemListElement'],
    WebSite: ['name', 'url'],
    Blog: ['name', 'url', 'blogPost'],
  };

  it.each([
    ['', ['WebSite', 'Blog']],
    ['everything/', ['BlogPosting', 'BreadcrumbList']],
    ['tags/ink/', ['BreadcrumbList']],
    ['page/1/', ['BreadcrumbList']],
    ['tags/', ['BreadcrumbList']],
    ['archive/', ['BreadcrumbList']],
    [pageKinds.month, ['BreadcrumbList']],
    [pageKinds.search, ['BreadcrumbList']],
  ])('the structured data of the page /%s is %j', async (path, types) => {
    const all = jsonLdOf(await htmlIn('own', path));
    expect(all.map((data) => data['@type'])).toEqual(types);
    for (const data of all) {
      expect(data['@context']).toBe('https://schema.org');
      for (const name of required[String(data['@type'])] ?? []) expect(data[name], name).toBeTruthy();
    }
  });
});

/** What can be pressed and is under 24 pixels wide or high, except links within a sentence. */
const SMALL_TARGETS = `Array.from(document.querySelectorAll('a, button, summary, input:enabled'))
  .filter((target) => !Array.from(target.parentElement.childNodes).some((node) => node.nodeType === 3 && node.data.trim() !== '') ||
    target.matches('.anchor'))
  .filter((target) => !target.closest('sup'))
  .filter((target) => {
    const { width, height } = target.getBoundingClientRect();
    return (width > 0 && width < 24) || (height > 0 && height < 24);
  })
  .map((target) => target.outerHTML)`;

it.each(everyPage)(
  'the page "$kind" of the blog "$blog" keeps to its policy, requests no other host, fits 320 pixels, has targets of 24 pixels, and prints its text alone',
  async ({ blog, path }) => {
    await withPage({ viewport: { width: 320, height: 600 } }, async ({ page, complaints }) => {
      await openPage(page, urls[blog] + path);
      await page.waitForLoadState();
      expect(complaints.filter((text) => !/^Failed to load resource: .*404/.test(text))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
      const furniture = 'nav, button, .colophon, .skip';
      expect(await isShown(page, furniture)).toBe(true);
      await page.emulateMedia({ media: 'print' });
      expect(await isShown(page, furniture)).toBe(false);
      expect(await isShown(page, 'h1')).toBe(true);
    });
  },
);

describe('what opens in place', () => {
  beforeAll(async () => {
    const { db } = platen.services;
    const { id } = await db
      .selectFrom('blogs')
      .select('id')
      .where('slug', '=', 'plain')
      .executeTakeFirstOrThrow();
    const content = [
      'A note[^1] with another[^2].',
      '## Formula',
      '![A square](/wide.png)',
      '[^1]: A footnote.',
      '[^2]: With code:\n\n    ```\n    const a = 1;\n    ```\n\n    ![A strip](/wide.png)',
    ].join('\n\n');
    const post = { title: 'Opens', slug: 'opens', content, status: 'published' };
    await platen.call('POST', '/posts', post, { headers: { 'X-Blog-Id': id, Prefer: 'wait=60' } });
  });

  const inPost = (work: (visitor: Visitor) => Promise<void>, options: BrowserContextOptions = {}) =>
    withPage({ viewport: { width: 900, height: 700 }, ...options }, async (visitor) => {
      // Larger than it is shown.
      const size = { width: 1600, height: 200, channels: 3, background: '#486' } as const;
      const body = await sharp({ create: size }).png().toBuffer();
      await visitor.page.route('**/wide.png', (route) => route.fulfill({ contentType: 'image/png', body }));
      await openPage(visitor.page, `${urls.plain}opens/`);
      await work(visitor);
      expect(visitor.complaints).toEqual([]);
    });
  const focused = 'document.activeElement.outerHTML';

  it('the link of a heading copies its address, with the keyboard too, and says so', () =>
    inPost(
      async ({ page }) => {
        await page.goto(`${page.url()}?from=elsewhere`);
        await page.getByRole('link', { name: 'Permalink: Formula' }).focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => page.locator('.copy-status').textContent()).toBe('Link copied');
        expect(new URL(page.url()).hash).toBe('#formula');
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${urls.plain}opens/#formula`);
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ));

  it('a footnote opens at its reference, and closes with Escape or a click beside it', () =>
    inPost(async ({ page }) => {
      const reference = page.locator('.footnote-ref a').first();
      const note = page.getByRole('dialog', { name: 'Footnote 1' });
      await reference.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => note.innerText()).toBe('A footnote.');
      expect(await note.locator('a, [id]').count()).toBe(0);
      expect(await reference.getAttribute('aria-expanded')).toBe('true');
      expect(new URL(page.url()).hash).toBe('');
      await page.keyboard.press('Escape');
      await expect.poll(() => note.count()).toBe(0);
      expect(await page.evaluate<string>(focused)).toContain('href="#fn-1"');
      expect(await reference.getAttribute('aria-expanded')).toBe('false');
      await reference.click();
      await expect.poll(() => note.count()).toBe(1);
      await page.getByRole('heading', { level: 1 }).click();
      await expect.poll(() => note.count()).toBe(0);
    }));

  it('a footnote that has opened has no button that does nothing, and shows the focus of its code whole', () =>
    inPost(async ({ page }) => {
      // Its picture and its code have buttons where it stands.
      await page.getByAltText('A strip').scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Enlarge image: A strip' }).waitFor();
      await page.locator('.footnote-ref a').nth(1).click();
      const note = page.getByRole('dialog', { name: 'Footnote 2' });
      expect(await note.getByRole('img', { name: 'A strip' }).count()).toBe(1);
      expect(await note.getByRole('button').count()).toBe(0);
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>(focused)).toMatch(/^<pre/);
      expect(await note.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    }));

  it('a picture opens if it is larger than it is shown, and the focus returns to it', () =>
    inPost(async ({ page }) => {
      const wide = page.getByRole('button', { name: 'Enlarge image: A square' });
      const dialog = page.getByRole('dialog', { name: 'A square' });
      // It loads when it is scrolled to.
      await page.getByAltText('A square').scrollIntoViewIfNeeded();
      await wide.focus();
      await page.keyboard.press('Enter');
      expect(await dialog.getByRole('img', { name: 'A square' }).count()).toBe(1);
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.count()).toBe(0);
      expect(await page.evaluate<string>(focused)).toContain('alt="A square"');
      await wide.click();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => dialog.count()).toBe(0);
    }));

  it.each(['light', 'dark'] as const)('axe finds no fault in what has opened (%s)', (colorScheme) =>
    inPost(
      async ({ page }) => {
        await page.evaluate(axe.source);
        const faults = () => page.evaluate<unknown[]>('axe.run().then(({ violations }) => violations)');
        await page.locator('.footnote-ref a').first().click();
        expect(await faults()).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByAltText('A square').scrollIntoViewIfNeeded();
        await page.getByRole('button', { name: 'Enlarge image: A square' }).click();
        expect(await faults()).toEqual([]);
      },
      { colorScheme, bypassCSP: true },
    ),
  );

  it('without a script, a footnote is a link and a picture is a picture', () =>
    inPost(
      async ({ page }) => {
        await page.locator('.footnote-ref a').first().click();
        expect(new URL(page.url()).hash).toBe('#fn-1');
        expect(await page.getByRole('button').count()).toBe(0);
        expect(await page.getByRole('img', { name: 'A square' }).count()).toBe(1);
      },
      { javaScriptEnabled: false },
    ));
});

it('on paper, no line of code is cut and the address of a video appears once', () =>
  withPage({ viewport: { width: 320, height: 600 } }, async ({ page }) => {
    await openPage(page, `${urls.plain}everything/`);
    const cut = `[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).length`;
    expect(await page.evaluate<number>(cut)).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate<number>(cut)).toBe(0);
    // The rest of a line stands below its code, beside the column of numbers.
    const starts = `[...document.querySelector('.line[data-line]').getClientRects()].length === 1
      && getComputedStyle(document.querySelector('.line[data-line]')).textIndent.startsWith('-')`;
    expect(await page.evaluate<boolean>(starts)).toBe(true);
    const behind = `(() => {
      const video = '<figure class="video"><figcaption><a href="https://e.example/">e</a></figcaption></figure>';
      document.querySelector('.prose').insertAdjacentHTML('beforeend', video);
      return getComputedStyle(document.querySelector('.video a'), '::after').content;
    })()`;
    expect(await page.evaluate<string>(behind)).toBe('none');
  }));

describe('on paper and on a phone', () => {
  const urlOf = (language: string) =>
    `http://fits-${language}.${new URL(urls.plain).host.replace(/^[^.]*\./, '')}/`;
  const WORDY = 'How the old compositors of the harbour town set a whole page of type without a single gap';

  const post = {
    content: `${latin}\n\n\`\`\`ts title="a.ts"\nconst a = 1;\n\`\`\`\n\n- [x] Ink\n- [ ] Paper\n\n1. One`,
    cover_image: { url: 'https://images.example/tall.png', alt: 'A tower' },
    series: { name: 'Type' },
    status: 'published',
  };

  beforeAll(async () => {
    for (const language of ['en', 'ar']) {
      const blog = (await platen.call('POST', '/blogs', { slug: `fits-${language}`, name: 'Ink' })).json;
      const navigation = ['About us', 'Workshops', 'Contact', 'Imprint'].map((label) => ({
        label,
        url: '/tags/',
      }));
      const author = { name: 'Ada Byron', url: null, image: null };
      await platen.call('PUT', `/blogs/${blog.id}`, { settings: { language, navigation, author } });
      const headers = { 'X-Blog-Id': blog.id, Prefer: 'wait=60' };
      // The second states the blog's language.
      for (const [at, stated] of [null, language].entries()) {
        const written = { slug: `part-${at + 1}`, title: `${at + 1}. ${WORDY}`, language: stated };
        await platen.call('POST', '/posts', { ...post, ...written }, { headers });
      }
    }
  });

  /** The values of an expression over `one`, each element that a selector finds. */
  const each = (page: Page, selector: string, expression: string): Promise<unknown[]> =>
    page.evaluate(
      `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (one) => ${expression})`,
    );

  const visit = (url: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
    withPage({ viewport: { width: 360, height: 700 }, ...options }, async ({ page }) => {
      const size = { width: 300, height: 1200, channels: 3, background: '#486' } as const;
      const body = await sharp({ create: size }).png().toBuffer();
      await page.route('**/tall.png', (route) => route.fulfill({ contentType: 'image/png', body }));
      await page.goto(url);
      await work(page);
    });

  it.each(['en', 'ar'])('a sheet has nothing beside the text of a post on a blog in "%s"', (language) =>
    visit(`${urlOf(language)}part-2/`, { viewport: { width: 720, height: 1000 } }, async (page) => {
      await page.emulateMedia({ media: 'print' });
      const text = await page.locator('.prose').boundingBox();
      expect(await page.locator('figure.code').boundingBox()).toMatchObject({
        x: text?.x,
        width: text?.width,
      });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(720);
      const cover = await page.locator('.cover img').boundingBox();
      expect(cover?.height).toBeLessThan(345);
      expect((cover?.height ?? 0) / (cover?.width ?? 1)).toBeCloseTo(4, 1);
      const colours = each(page, '.task-list-item input', 'getComputedStyle(one).borderTopColor');
      expect(await colours).toEqual(['rgb(0, 0, 0)', 'rgb(0, 0, 0)']);
    }),
  );

  it('English on an Arabic blog runs from left to right, on its page and in lists', () =>
    visit(`${urlOf('ar')}part-1/`, {}, async (page) => {
      const direction = (selector: string) =>
        `getComputedStyle(document.querySelector('${selector}')).direction`;
      expect(await page.evaluate(direction('.prose ol'))).toBe('ltr');
      expect(await page.getAttribute('html', 'lang')).toBe('und-Latn');
      await page.goto(`${urlOf('ar')}search/?q=compositors`);
      await page.locator('.results > li').first().waitFor();
      expect(await page.evaluate(direction('.results a[href="/part-1/"]'))).toBe('ltr');
      expect(await page.evaluate(direction('body'))).toBe('rtl');
    }));

  it('the number of a part is beside the first line of a long title', () =>
    visit(`${urlOf('en')}series/type/`, {}, async (page) => {
      expect((await page.locator('.parts h2').first().boundingBox())?.height).toBeGreaterThan(60);
      // The baseline of an inline block is that of its last line; that of a flex container, of its first.
      const displays = await each(page, '.parts h2 a', 'getComputedStyle(one).display');
      expect(new Set(displays)).toEqual(new Set(['inline-flex']));
    }));

  it('a neighbour in time that is a part of the series, too, is shown once', () =>
    visit(`${urlOf('en')}part-1/`, {}, async (page) => {
      expect(await each(page, '.beside a', 'one.pathname')).toEqual(['/part-2/']);
    }));

  it.each(['en', 'ar'])(
    'no line begins with a dot, and no button stands alone, on a blog in "%s"',
    (language) =>
      visit(`${urlOf(language)}part-2/`, {}, async (page) => {
        const signs = `['::before', '::after'].map((where) => getComputedStyle(one, where).content)`;
        const contents = await each(page, '.post .meta:not(.translations) > *', signs);
        expect(contents).toEqual([
          ['none', '"·"'],
          ['none', '"·"'],
          ['none', 'none'],
        ]);
        const links = await page.locator('.ways a').first().boundingBox();
        const button = await page.locator('.ways button').boundingBox();
        expect(Math.abs((button?.y ?? 0) - (links?.y ?? 0))).toBeLessThan(8);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        const side = language === 'ar' ? 'right' : 'left';
        const starts = await each(page, '.colophon p', `one.getBoundingClientRect().${side}`);
        expect(new Set(starts).size).toBe(1);
      }),
  );
});
