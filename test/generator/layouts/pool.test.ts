// Slow: starts threads, and waits until hostile layouts exceed their time.
import { afterAll, describe, expect, it } from 'vitest';
import { layoutData } from '../../../generator/layouts/data.ts';
import { createFramePages } from '../../../generator/layouts/frame-pages.ts';
import { createLayoutPool } from '../../../generator/layouts/pool.ts';
import type { HtmlView, Page } from '../../../generator/page.ts';
import { createRenderer } from '../../../generator/render/renderer.ts';
import { blog, everyView, listView, postView, redirectView } from '../render/views.ts';

const share = { owner: 'a' };
const pool = createLayoutPool();
afterAll(() => pool.close());

/** Few steps and little output, but each step goes through all of a long list. */
const slow = `{% assign a = (1..200000) %}${'{% assign b = a | find: "x", "y" %}'.repeat(100)}{{ content }}`;

describe('trying a layout', () => {
  it('a layout is accepted if it works for every kind of page', async () => {
    await pool.try(
      `<header>{% if page.kind == "front" %}<h1>{{ blog.name }}</h1>{% else %}<a href="/">{{ blog.name }}</a>{% endif %}
        <nav>{% for link in blog.navigation %}<a href="{{ link.url }}">{{ link.label }}</a>{% endfor %}</nav></header>
      <div class="columns"><div>{{ content }}</div>{% if post %}<aside>{{ post.tags.size }}</aside>{% endif %}</div>`,
      share,
    );
  });

  it.each([
    ['\n{{ blog.name | foo }}{{ content }}', 'line 2, column 1: undefined filter: foo'],
    [
      '{% if post %}{{ content }}{% endif %}',
      /^does not print \{\{ content \}\}, nor a main .* \(on a page of kind "front"\)$/,
    ],
    ['{% unless post %}{{ content }}{% endunless %}', /\(on a post\)$/],
    ['{% if post.tags.size == 0 %}{{ content }}{% endif %}{{ content }}', /more than once \(on a post\)/],
    ['<!-- {{ content }} -->', /where it cannot be shown/],
    ['<a title="{{ content }}"></a>', /where it cannot be shown/],
    ['<script>{{ content }}</script>', /where it cannot be shown/],
    ['<template>{{ content }}</template>', /where it cannot be shown/],
    ['<div {{ content }}></div>', /where it cannot be shown/],
    ['{{ content }}<!-- the end', /opened and not closed/],
    ['{{ content }}<div>', /opened and not closed/],
    ['{{ content }}<script>', /opened and not closed/],
    ['<plaintext>{{ content }}', /where it cannot be shown/],
    ['{{ content }}<p title="', /opened and not closed/],
  ])('a layout is refused that is wrong on some page: %j', async (layout, message) => {
    await expect(pool.try(layout, share)).rejects.toThrow(message);
  });

  it('a layout may have unmatched closing tags, which change nothing', async () => {
    await pool.try('</main></body></html>{{ content }}</div></p>', share);
  });

  it('a layout that takes too long is ended, and the next one is tried', async () => {
    const hasty = createLayoutPool({ trialMs: 1_000 });
    const next = hasty.try('{{ content }}', { owner: 'b' });
    await expect(hasty.try(slow, share)).rejects.toThrow('takes too long');
    await next;
    await hasty.try('{{ content }}', share);
    await hasty.close();
  });
});

describe('pages of a blog with a layout', () => {
  const layout = '<div class="own">{{ page.kind }} {{ content }}</div>';
  const pageOf = (view: HtmlView, index: number): Page => ({
    key: `k:${index}`,
    path: `${index}.html`,
    stage: 'posts',
    body: { kind: 'html', view },
  });

  async function press(views: readonly HtmlView[], frame = pool.frame) {
    const refusals: { page: string | null; message: string }[] = [];
    const framePages = createFramePages({
      pool: { frame },
      onRefused: ({ page, message }) => refusals.push({ page, message }),
    });
    const renderer = createRenderer({ framePages });
    const render = async () => {
      const files = await renderer.render(views.map(pageOf));
      return files.map(({ bytes }) => Buffer.from(bytes).toString());
    };
    return { htmls: await render(), refusals, render };
  }

  const withLayout = (text: string): HtmlView[] => {
    const own = { ...blog, layout: text };
    return everyView().map((view) => ({ ...view, blog: own }));
  };

  it('pages in a layout keep their main part and our head', async () => {
    const { htmls, refusals } = await press(withLayout(layout));
    const plain = await createRenderer().render(everyView().map(pageOf));
    expect(refusals).toEqual([]);
    for (const [index, view] of everyView().entries()) {
      const html = htmls[index] ?? '';
      const ours = Buffer.from(plain[index]?.bytes ?? '').toString();
      expect(html.match(/<main id="Content" tabindex="-1">/g)).toHaveLength(1);
      expect(html.slice(0, html.indexOf('<body>'))).toBe(ours.slice(0, ours.indexOf('<body>')));
      expect(html).toContain('href="#Content"');
      expect(html.includes('class="own"')).toBe(view.layout !== 'redirect');
      expect(html.includes('class="masthead"')).toBe(view.layout === 'redirect');
      expect(html).not.toContain('<!--');
      const mainOf = (text: string) => text.replace(/^.*<main[^>]*>(.*)<\/main>.*$/s, '$1').trim();
      expect(mainOf(html)).toBe(mainOf(ours));
    }
  });

  it('pages keep the theme if the layout fails on one of them', async () => {
    const views = [listView(), postView()].map((view) => ({
      ...view,
      blog: { ...blog, layout: '{% if page.kind == "front" %}{{ content }}{% endif %}' },
    }));
    const { htmls, refusals } = await press(views);
    expect(htmls.map((html) => html.includes('class="masthead"'))).toEqual([false, true]);
    expect(refusals).toEqual([{ page: '/the-composing-stick/', message: 'does not print {{ content }}' }]);
  });

  it('pages keep the theme from then on if the layout takes too long', async () => {
    const hasty = createLayoutPool({ frameMs: 50, pageMs: 50 });
    let asked = 0;
    const { htmls, refusals, render } = await press(withLayout(slow), (...task) => {
      asked += 1;
      return hasty.frame(...task);
    });
    expect(htmls.every((html) => html.includes('class="masthead"'))).toBe(true);
    expect(await render()).toEqual(htmls);
    expect([refusals, asked]).toEqual([[{ page: null, message: 'takes too long' }], 1]);
    await hasty.close();
  });

  it('pages do not run a layout if the blog has none or the page is a redirect', async () => {
    const { refusals } = await press([postView(), { ...redirectView, blog: { ...blog, layout } }], () =>
      expect.fail('asked'),
    );
    expect(refusals).toEqual([]);
  });

  it('a page never gets the frame of another page', async () => {
    const pages = [layoutData(listView()), layoutData(postView())];
    const framed = await pool.frame(layout, 'en', pages, share);
    expect(framed).toEqual([
      { frame: ['<div class="own">front ', '</div>'] },
      { frame: ['<div class="own">post ', '</div>'] },
    ]);
  });
});
