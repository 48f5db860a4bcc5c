import axe from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

let platen: TestPlaten;
let browser: Browser;
const urls = { plain: '', own: '' };
type BlogName = keyof typeof urls;

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  urls.plain = await publish('plain', 'Ink & Paper', {});
  urls.own = await publish('own', 'حبر وورق', {
    accent_color: '#ffee00',
    language: 'de',
    author: { name: 'Ada Byron', url: 'https://ada.example/' },
    social_links: [{ label: 'Mastodon', url: 'https://social.example/@ada' }],
    navigation: [{ label: 'Über mich', url: '/everything/' }],
  });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await platen.close();
});

/** Posts of every script and with everything in them, and enough of them for a second page. */
async function publish(slug: string, name: string, settings: object): Promise<string> {
  const blog = (await platen.call('POST', '/blogs', { slug, name, description: 'Notes on type.' })).json;
  const write = async (method: string, path: string, body: object) => {
    const answer = await platen.call(method, path, body, { headers: { 'X-Blog-Id': blog.id } });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  for (let n = 1; n <= 20; n += 1) {
    await write('POST', '/posts', {
      title: `Early ${n}`,
      content: 'Text.',
      tags: ['ink'],
      status: 'published',
    });
  }
  for (const post of posts) await write('POST', '/posts', { ...post, status: 'published' });
  await write('PUT', '/posts/old-address', { slug: 'new-address' });
  const headers = { Prefer: 'wait=30' };
  await platen.call('PUT', `/blogs/${blog.id}`, { settings, description: 'On type.' }, { headers });
  return blog.url;
}

const paragraphs = (text: string, count: number): string => `${text}\n\n`.repeat(count);
const latin = 'The compositor sets one line after the other, and locks the forme when the page is full.';
const arabic = 'كان الورّاقون ينسخون الكتب باليد، ثم جاءت المطبعة فصار تصحيح الحرف الواحد يعني إعادة الطبع.';
const japanese = '木版では、一枚の板に一ページ全体を彫ります。*大切*なのは、文字を一つずつ組むことです。';

/** Everything that a post may hold. */
const everything = `An opening with a [link](#table), \`code\`, <kbd>Ctrl</kbd>, a note[^1] and $a^2$.

[TOC]

## Table

| Paper | Width |
| :---- | ----: |
| A4    |   210 |

## Code

\`\`\`ts title="fold.ts" {1} showLineNumbers
const half = Math.floor(1 / 2); // ${'wide '.repeat(30)}
\`\`\`

\`\`\`diff
-old
+new
\`\`\`

## Formula

$$
\\begin{aligned}
a &= \\frac{1}{2} \\\\
b &= \\sqrt{2}
\\end{aligned}
$$

## Diagram

\`\`\`mermaid
flowchart LR
  A[Write] --> B[Press]
\`\`\`

## Lists

1. One
   - Nested
2. Two

- [x] done
- [ ] open

> A quotation.

> [!WARNING]
> What can go wrong.

***

<details>
<summary>More</summary>

Inside.

</details>

![A square](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)

[^1]: A footnote.
`;

const withSections = (text: string, title: string): string =>
  Array.from({ length: 5 }, (_, n) => `## ${title} ${n + 1}\n\n${paragraphs(text, 11)}`).join('');

const posts = [
  { title: 'Everything', slug: 'everything', tags: ['Type & Ink', '日本'], content: everything },
  { title: 'A long one', slug: 'long', tags: ['ink'], content: withSections(latin, 'Part') },
  {
    title: 'من المخطوطة إلى الويب',
    slug: 'arabic',
    tags: ['طباعة'],
    content: `${withSections(arabic, 'فصل')}\n- بند`,
  },
  { title: '木版と活字', slug: 'japanese', tags: ['日本'], content: paragraphs(japanese, 3) },
  { title: 'Moved', slug: 'old-address', tags: [], content: 'It is here now.' },
];

/** Each kind of page. */
const month = () => new Date().toISOString().slice(0, 7);
const paths = {
  front: '',
  list: 'page/1/',
  everything: 'everything/',
  long: 'long/',
  arabic: 'arabic/',
  japanese: 'japanese/',
  'a short post': 'new-address/',
  tag: 'tags/ink/',
  'page of a tag': 'tags/ink/page/1/',
  tags: 'tags/',
  archive: 'archive/',
  month: `archive/${month()}/`,
  missing: 'nowhere/',
  redirect: 'old-address/',
};
const kinds = Object.entries(paths);
const everyPage = (['plain', 'own'] as const).flatMap((blog) =>
  kinds.map(([kind, path]) => ({ blog, kind, path })),
);

const htmlOf = async (blog: BlogName, path: string): Promise<string> =>
  (await platen.read(blog, `/${path}`)).text;

interface Visitor {
  readonly page: Page;
  readonly complaints: string[];
}

/** A browser page that speaks to the blogs alone, and stays on a page that would lead on. */
async function withPage(
  options: BrowserContextOptions,
  work: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const complaints: string[] = [];
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI))`);
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (!new URL(url).hostname.endsWith('.localhost')) {
      complaints.push(`request to ${url}`);
      await route.abort();
    } else if (url.endsWith('/old-address/')) {
      const { status, headers, text } = await platen.read(
        new URL(url).hostname.split('.')[0] ?? '',
        '/old-address/',
      );
      const body = text.replace(/<meta http-equiv="refresh"[^>]*>/, '');
      await route.fulfill({ status, headers: Object.fromEntries(headers), body });
    } else await route.continue();
  });
  const page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  try {
    await work({ page, complaints });
  } finally {
    await context.close();
  }
}

const isShown = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)})).some((element) =>
    element.getClientRects().length > 0)`);

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  it.each(['plain', 'own'] as const)(
    'every page of the blog "%s" is accessible, as axe sees it',
    async (blog) => {
      await withPage({ colorScheme, bypassCSP: true }, async ({ page }) => {
        const found: string[] = [];
        for (const [kind, path] of kinds) {
          await page.goto(urls[blog] + path);
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
    120_000,
  );
});

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // How Svelte writes documents, which HTML allows.
    'doctype-style': 'off',
    'void-style': 'off',
    // GFM's own for columns of tables, and ids of headings in whatever script.
    'no-deprecated-attr': 'off',
    'valid-id': ['error', { relaxed: true }],
    // Titles are their authors'.
    'long-title': 'off',
    // MathML's are set by Temml.
    'no-inline-style': 'off',
  },
});

it.each(everyPage)('the HTML of the page "$kind" of the blog "$blog" is valid', async ({ blog, path }) => {
  const report = await validator.validateString(await htmlOf(blog, path));
  const messages = report.results.flatMap(({ messages }) => messages);
  expect(messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`)).toEqual([]);
});

it.each(['plain', 'own'] as const)('every link within the blog "%s" leads somewhere', async (blog) => {
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

describe('what machines read', () => {
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
    [`archive/${month()}/`, ['BreadcrumbList']],
  ])('on the page /%s is said as %j', async (path, types) => {
    const all = jsonLdOf(await htmlOf('own', path));
    expect(all.map((data) => data['@type'])).toEqual(types);
    for (const data of all) {
      expect(data['@context']).toBe('https://schema.org');
      for (const name of required[String(data['@type'])] ?? []) expect(data[name], name).toBeTruthy();
    }
  });
});

it.each(everyPage)(
  'the page "$kind" of the blog "$blog" keeps to its policy, asks nobody else, fits 320 pixels, and is text alone on paper',
  async ({ blog, path }) => {
    await withPage({ viewport: { width: 320, height: 600 } }, async ({ page, complaints }) => {
      await page.goto(urls[blog] + path);
      await page.waitForLoadState();
      expect(complaints.filter((text) => !/^Failed to load resource: .*404/.test(text))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const furniture = 'nav, button, .colophon, .skip';
      expect(await isShown(page, furniture)).toBe(true);
      await page.emulateMedia({ media: 'print' });
      expect(await isShown(page, furniture)).toBe(false);
      expect(await isShown(page, 'h1')).toBe(true);
    });
  },
);

describe('the switch between the schemes', () => {
  const paper = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.body).backgroundColor');
  const bars = (page: Page) =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) => metas.map((meta) => meta.getAttribute('content')));
  const button = (page: Page) => page.getByRole('button', { name: 'Dark colours' });

  it('is worked by the keyboard, remembered on every page, and set before anything is drawn', async () => {
    await withPage({ colorScheme: 'light' }, async ({ page }) => {
      await page.goto(urls.plain);
      const light = await paper(page);
      expect(await button(page).getAttribute('aria-pressed')).toBe('false');
      await button(page).focus();
      await page.keyboard.press('Enter');
      expect(await button(page).getAttribute('aria-pressed')).toBe('true');
      const dark = await paper(page);
      expect(dark).not.toBe(light);
      expect(new Set(await bars(page)).size).toBe(1);

      await page.goto(`${urls.plain}everything/`);
      expect(await paper(page)).toBe(dark);
      expect(await button(page).getAttribute('aria-pressed')).toBe('true');
      // The script stands before the styles, and they before the body.
      const html = await htmlOf('plain', 'everything/');
      expect(html.indexOf('localStorage')).toBeLessThan(html.indexOf('<style>'));

      await page.keyboard.press('Tab');
      await button(page).click();
      expect(await paper(page)).toBe(light);
      expect(new Set(await bars(page)).size).toBe(2);
      // Back at what the system prefers, the page follows it again.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await paper(page)).toBe(dark);
      await expect.poll(() => button(page).getAttribute('aria-pressed')).toBe('true');
    });
  });

  it('works where nothing can be remembered', async () => {
    await withPage({ colorScheme: 'dark' }, async ({ page, complaints }) => {
      await page.addInitScript(
        `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })`,
      );
      await page.goto(urls.plain);
      const dark = await paper(page);
      await button(page).click();
      expect(await paper(page)).not.toBe(dark);
      expect(complaints).toEqual([]);
    });
  });

  it('is not there without script, and the scheme is that of the system', async () => {
    await withPage({ colorScheme: 'dark', javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(urls.plain);
      expect(await page.locator('button').isVisible()).toBe(false);
      expect(await page.locator('meta[name=color-scheme]').getAttribute('content')).toBe('light dark');
    });
  });
});

describe('the table of contents of a long post', () => {
  it.each([
    [390, false],
    [1280, true],
  ])('is on a screen of %i pixels open: %s', async (width, open) => {
    await withPage({ viewport: { width, height: 800 } }, async ({ page }) => {
      for (const path of ['long/', 'arabic/']) {
        await page.goto(urls.plain + path);
        const contents = page.getByRole('navigation', { name: 'Contents' });
        expect(await contents.getByRole('link').first().isVisible()).toBe(open);
        await contents.locator('summary').click();
        expect(await contents.getByRole('link').first().isVisible()).toBe(!open);
      }
    });
  });

  it('stands beside the text where there is room, on the side that the text runs to', async () => {
    await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
      const sides = async (path: string) => {
        await page.goto(urls.plain + path);
        const [contents, prose] = [
          await page.locator('.contents').boundingBox(),
          await page.locator('.prose').boundingBox(),
        ];
        if (!contents || !prose) throw new Error('not drawn');
        return {
          after: contents.x - (prose.x + prose.width),
          before: prose.x - (contents.x + contents.width),
        };
      };
      expect((await sides('long/')).after).toBeGreaterThan(20);
      expect((await sides('arabic/')).before).toBeGreaterThan(20);
    });
  });
});

it('lists of a right-to-left post have their marks on the right', async () => {
  await withPage({}, async ({ page }) => {
    await page.goto(`${urls.plain}arabic/`);
    const directions =
      'Array.from(document.querySelectorAll(".prose ul"), (ul) => getComputedStyle(ul).direction)';
    expect(await page.evaluate(directions)).toEqual(['rtl']);
  });
});

it('a line of Latin text is 60 to 70 characters long', async () => {
  await withPage({ viewport: { width: 1280, height: 800 } }, async ({ page }) => {
    await page.goto(`${urls.plain}long/`);
    const perLine = await page.evaluate<number>(`(() => {
      const probe = document.createElement('span');
      probe.textContent = ${JSON.stringify(latin)}.repeat(2);
      probe.style.whiteSpace = 'nowrap';
      const place = document.querySelector('.prose p');
      const room = place.clientWidth;
      place.append(probe);
      return probe.textContent.length * room / probe.getBoundingClientRect().width;
    })()`);
    expect(perLine).toBeGreaterThan(60);
    expect(perLine).toBeLessThan(70);
  });
});
