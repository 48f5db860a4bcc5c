// Slow: starts a server and Chromium, and builds several blogs with owner HTML and layouts.
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';
import { readEdge } from '../support/site-builder.ts';
import { publishEverything } from '../support/theme-blog.ts';
import { type Visitor, visitBlogs } from '../support/theme-visitor.ts';

let platen: TestPlaten;
let browser: Browser;
const urls = { plain: '', own: '', layout: '' };

const layout = `<style>
  .frame { max-inline-size: 40rem; margin-inline: auto; padding: 1rem; }
</style>
<header class="frame">
  {% if page.kind == "front" %}<h1>{{ blog.name }}</h1>{% else %}<a href="/">{{ blog.name }}</a>{% endif %}
  <nav aria-label="Blog">
    {% for link in blog.navigation %}<a href="{{ link.url }}">{{ link.label }}</a>{% endfor %}
    <a href="/archive/">Archive</a>
  </nav>
</header>
<div class="frame">{{ content }}</div>
<footer class="frame">
  {% if post %}<p>{{ post.reading_minutes }} minutes, {{ post.date | date: "%Y" }}</p>{% endif %}
  <p><a href="/feed.xml">Feed</a></p>
</footer>`;

const theme = {
  headerHtml: '<!-- top --><p class="notice">Notice</p><script>header = 1</script>',
  footerHtml: '<script>footer = typeof header</script><div onclick="clicked = 1" class="low">Low<b>',
  adCode:
    '<p class="shown">Advertised</p><script>document.querySelector(".shown").dataset.ran = "yes"</script><!--',
};

beforeAll(async () => {
  [platen, browser] = await Promise.all([startTestPlaten(), openBrowser()]);
  for (const slug of ['plain', 'own', 'layout'] as const) {
    urls[slug] = await publishEverything(platen, { slug, name: `The ${slug} one` });
  }
  const blogs: { id: string; slug: string }[] = (await platen.call('GET', '/blogs')).json.data;
  const put = async (slug: string, theme_config: object) => {
    const { id } = blogs.find((blog) => blog.slug === slug) ?? expect.fail();
    const answer = await platen.call(
      'PUT',
      `/blogs/${id}`,
      { theme_config },
      { headers: { Prefer: 'wait=60' } },
    );
    expect(answer.headers.get('preference-applied'), answer.text).toBe('wait=60');
  };
  await put('own', theme);
  await put('layout', { layout });
}, 300_000);

afterAll(async () => {
  await browser.close();
  await platen.close();
});

const paths = [
  '',
  'page/1/',
  'everything/',
  'long/',
  'arabic/',
  'tags/ink/',
  'tags/',
  'archive/',
  'nowhere/',
];
const withPage = (work: (visitor: Visitor) => Promise<void>): Promise<void> =>
  visitBlogs({ browser, platen }, { viewport: { width: 320, height: 600 } }, work);
const unexpected = (complaints: readonly string[]) =>
  complaints.filter((text) => !/^Failed to load resource: .*404/.test(text));

/** Runs in the page: tries an inline script, an event handler and `eval`, and reports which of them ran. */
const scripts = `(async () => {
  const script = document.createElement('script');
  script.textContent = 'added = 1';
  document.body.append(script);
  const button = document.createElement('button');
  button.setAttribute('onclick', 'handled = 1');
  document.body.append(button);
  button.click();
  return [typeof added, typeof handled];
})()`;

describe('pages of a blog whose owner has added scripts', () => {
  it.each(paths)('scripts of the owner run: /%s', (path) =>
    withPage(async ({ page, complaints }) => {
      await page.goto(urls.own + path);
      await page.waitForLoadState();
      expect(await page.evaluate('[header, footer]')).toEqual([1, 'number']);
      await page.locator('.low').click();
      expect(await page.evaluate('clicked')).toBe(1);
      expect(await page.evaluate(scripts)).toEqual(['number', 'number']);
      const ads = page.locator('aside.ad[aria-label] .shown');
      expect(await ads.count()).toBe(/^(?:tags\/|archive\/|nowhere\/)$/.test(path) ? 0 : 1);
      if ((await ads.count()) > 0) expect(await ads.getAttribute('data-ran')).toBe('yes');
      expect(unexpected(complaints)).toEqual([]);
    }),
  );

  it('owner scripts leave the theme unchanged: its text, scripts, width and print view', () =>
    withPage(async ({ page }) => {
      await page.goto(`${urls.own}everything/`);
      expect(await page.locator('main h1').innerText()).toBe('Everything');
      expect(await page.locator('.colophon').isVisible()).toBe(true);
      const button = page.getByRole('button', { name: 'Dark colours' });
      await button.click();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const tops = await page.evaluate<number[]>(
        `['.notice', '.masthead', 'main', '.ad', '.colophon', '.low'].map((selector) =>
          document.querySelector(selector).getBoundingClientRect().top)`,
      );
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      for (const selector of ['.notice', '.low']) {
        const left = `document.querySelector('${selector}').getBoundingClientRect().left`;
        expect(await page.evaluate<number>(left), selector).toBeGreaterThanOrEqual(20);
      }
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.ad').isVisible()).toBe(false);
    }));

  it('scripts of the owner do not run on a redirect page', () => {
    const moved = readEdge(`${platen.dataDir}/edge`, 'own').get('old-address/index.html');
    expect(moved).toContain('http-equiv="refresh"');
    expect(moved).not.toContain('header = 1');
  });
});

describe('pages of a blog whose owner has added no scripts', () => {
  it.each(['plain', 'layout'] as const)('only scripts of the theme run: %s', (blog) =>
    withPage(async ({ page, complaints }) => {
      for (const path of paths) {
        await page.goto(urls[blog] + path);
        expect(unexpected(complaints)).toEqual([]);
        expect(await page.evaluate(scripts), path).toEqual(['undefined', 'undefined']);
        const said = () =>
          ['elem', 'attr'].map((kind) =>
            complaints.some((text) => text.includes(`violates script-src-${kind}`)),
          );
        await expect.poll(said).toEqual([true, true]);
        await page.goto('about:blank');
        complaints.length = 0;
      }
    }),
  );
});

describe('pages in a layout of the owner', () => {
  const violations = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe.source);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const result = await page.evaluate<axe.AxeResults>(`axe.run({ runOnly: ${JSON.stringify(tags)} })`);
    expect(result.passes.length).toBeGreaterThan(15);
    return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  };

  it('axe finds no accessibility fault on any page in an owner’s layout', async () => {
    await visitBlogs({ browser, platen }, { bypassCSP: true }, async ({ page }) => {
      for (const path of paths) {
        await page.goto(urls.layout + path);
        expect(await page.locator('header.frame').isVisible()).toBe(true);
        expect(await violations(page), path).toEqual([]);
      }
    });
  });

  it('the first Tab stop in an owner’s layout skips the header and leads to the text', () =>
    withPage(async ({ page }) => {
      await page.goto(`${urls.layout}everything/`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('Content');
    }));
});
