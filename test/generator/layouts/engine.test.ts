// Slow: runs hostile layouts until each exceeds a limit.
import { describe, expect, it } from 'vitest';
import { layoutData } from '../../../generator/layouts/data.ts';
import { compileLayout } from '../../../generator/layouts/engine.ts';
import { MAX_FRAME, MAX_STEPS } from '../../../generator/layouts/limits.ts';
import { LayoutRefused } from '../../../generator/layouts/refused.ts';
import { blog, listView, notFoundView, postView, summary, tagsView } from '../render/views.ts';

const page = layoutData(postView());

const frameOf = (source: string, data = page, language = 'en') => compileLayout(source, language).frame(data);

/** Output of a layout before the main part. */
const printed = (source: string, data = page, language = 'en'): string =>
  frameOf(`${source}{{ content }}`, data, language)[0];

function refusal(source: string): string {
  const start = process.cpuUsage();
  try {
    frameOf(source);
  } catch (error) {
    expect(error).toBeInstanceOf(LayoutRefused);
    // No hostile layout may use the CPU time that it tries to take.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
    return error instanceof Error ? error.message : '';
  }
  return expect.fail(`not refused: ${source.slice(0, 100)}`);
}

describe('an owner’s layout', () => {
  it('a layout surrounds the main part', () => {
    expect(frameOf('<header>{{ blog.name }}</header>\n{{ content }}\n<footer></footer>')).toEqual([
      '<header>Ink &amp; Paper</header>\n',
      '\n<footer></footer>',
    ]);
    expect(frameOf('{% if content %}{{ content | raw }}{% endif %}!')).toEqual(['', '!']);
    expect(frameOf('{% capture main %}[{{ content }}]{% endcapture %}{{ main | raw }}')).toEqual(['[', ']']);
  });

  it('a layout reads of a page at the root that it is there', () => {
    const settings = { ...blog.settings, frontPage: { page: 'the-composing-stick', list: 'posts' } };
    const data = layoutData(postView({ type: 'page' }, { settings }));
    expect(printed('{{ post.url }}', data)).toBe('https://ink.example.com/');
  });

  it('a layout can read the blog, the page and the post', () => {
    const settings = {
      ...blog.settings,
      author: { name: 'Ada', url: null, image: null },
      navigation: [{ label: 'About', url: '/about/' }],
    };
    const data = layoutData(postView({}, { settings }));
    expect(
      printed(
        '{{ page.kind }}|{{ page.title }}|{{ page.path }}|{{ page.url }}|{{ blog.url }}|{{ blog.language }}|' +
          '{{ post.title }}|{{ post.url }}|{{ post.author }}|{{ post.reading_minutes }}|{{ post.word_count }}|' +
          '{% for tag in post.tags %}{{ tag.label }} {{ tag.url }} {% endfor %}|' +
          '{% for link in blog.navigation %}{{ link.label }} {{ link.url }}{% endfor %}',
        data,
      ),
    ).toBe(
      'post|The composing stick|/the-composing-stick/|https://ink.example.com/the-composing-stick/|' +
        'https://ink.example.com/|en|' +
        'The composing stick|https://ink.example.com/the-composing-stick/|Ada|1|3|' +
        'Letterpress https://ink.example.com/tags/letterpress/ 日本 ' +
        'https://ink.example.com/tags/%E6%97%A5%E6%9C%AC/ |About /about/',
    );
  });

  it('a layout may leave the main part out where posts are listed, if it has one of its own', () => {
    const own =
      '{% if posts.size > 0 %}<main id="Content">{{ posts[0].title }}</main>{% else %}{{ content }}{% endif %}';
    expect(frameOf(own, layoutData(listView()))).toEqual([
      '<main id="Content">The composing stick</main>',
      null,
    ]);
    expect(frameOf(own)).toEqual(['', '']);
    const lost =
      (data = page) =>
      () =>
        frameOf('<main id="Contents"></main><p id="Content">', data);
    expect(lost(layoutData(listView()))).toThrow(/nor a main element with the id "Content"/);
    expect(() => frameOf('<main id="Content"></main>')).toThrow(/^does not print \{\{ content \}\}$/);
  });

  it('a layout can read what a post leads on to', () => {
    const link = (slug: string) => ({ slug, title: slug.toUpperCase(), lang: null, language: null });
    const series = { name: 'Type', slug: 'type', part: 2 };
    const coverImage = { url: 'https://i.example/a.png', alt: 'A', width: 9, height: 6, sources: [] };
    const view = {
      ...postView({ series, coverImage, author: { name: 'Bea', url: 'https://bea.example/', image: null } }),
      ...{ related: [link('a')], previousPart: link('b'), nextPart: null, newer: link('c'), older: null },
    };
    expect(
      printed(
        '{{ post.related[0].url }} {{ post.series.name }} {{ post.series.url }} {{ post.series.part }} ' +
          '{{ post.series.previous.title }}{{ post.series.next.title }} {{ post.newer.title }}{{ post.older.title }} ' +
          '{{ post.cover.url }} {{ post.cover.width }} {{ post.author }} {{ post.author_url }} {{ page.direction }}',
        layoutData(view),
      ),
    ).toBe(
      'https://ink.example.com/a/ Type https://ink.example.com/series/type/ 2 B C https://i.example/a.png 9 Bea ' +
        'https://bea.example/ ltr',
    );
  });

  it('the front page alone has the ten newest posts and the three that are featured', () => {
    const posts = Array.from({ length: 12 }, (_, n) => ({
      ...summary,
      id: `${n}`,
      title: `${n}`,
      isFeatured: n === 4,
    }));
    const featured = ['x', 'y', 'z'].map((title) => ({ ...summary, id: title, title, isFeatured: true }));
    const newest = '{{ newest | map: "title" | join: "," }}|{{ featured | map: "title" | join: "," }}';
    expect(printed(newest, layoutData(listView({ posts, featured })))).toBe('0,1,2,3,4,5,6,7,8,9|4,x,y');
    const tag = { label: 'ink', slug: 'ink' };
    expect(printed(newest, layoutData(listView({ posts, tag })))).toBe('|');
    expect(printed(newest)).toBe('|');
    const atRoot = { ...postView(), front: { newest: posts.slice(0, 2), featured: [] } };
    expect(printed(newest, layoutData(atRoot))).toBe('0,1|');
  });

  it.each([
    [listView(), 'front Ink &amp; Paper /'],
    [listView({ pageNumber: 7 }), 'list Page 7 /page/7/'],
    [listView({ tag: { label: '日本', slug: '日本' } }), 'tag #日本 /tags/%E6%97%A5%E6%9C%AC/'],
    [listView({ month: '2026-11' }), 'month November 2026 /archive/2026-11/'],
    [tagsView, 'tags Tags /tags/'],
    [notFoundView, 'not-found This page is not here '],
  ] as const)('a layout can read which page it surrounds', (view, text) => {
    if (view.layout === 'redirect') return expect.fail();
    expect(printed('{{ page.kind }} {{ page.title }} {{ page.path }}', layoutData(view))).toBe(text);
  });

  it('a layout prints values as text', () => {
    const title = `<script>alert("1")</script> & 'x'`;
    const data = layoutData(postView({ title, tags: [{ label: '<b>', slug: 'b' }] }, { name: '<i>' }));
    const text = printed(
      '{{ post.title }}{{ blog.name | append: "<u>" }}{{ post.tags | map: "label" | join: "<s>" }}' +
        '{% echo post.title %}{% liquid\n echo blog.name \n%}{% cycle post.title, "a" %}{% for t in post.tags %}{{ t.label | upcase }}{% endfor %}',
      data,
    );
    expect(text).not.toMatch(/[<>"']/);
    expect(printed('{% echo "a<" %}{% for i in (1..3) %}{% cycle "b<", "c" %}{% endfor %}')).toBe(
      'a&#60;b&#60;cb&#60;',
    );
    expect(printed('{{ "<b>" | raw }}{% echo "<i>" | raw %}')).toBe('<b><i>');
  });

  it('a layout writes dates in the blog’s language and in UTC', () => {
    const source = '{{ post.date | date: "%-d %B %Y %H:%M" }}';
    expect(printed(source)).toBe('10 March 2026 23:30');
    expect(printed(source, page, 'de')).toBe('10 März 2026 23:30');
    expect(printed('{{ post.date | date: "%H", "Asia/Tokyo" }}')).toBe('08');
  });

  it('a layout gives the same output each time', () => {
    for (const when of ['now', 'today']) {
      expect(refusal(`{{ "${when}" | date: "%s" }}{{ content }}`)).toMatch(
        /^line 1, column 1: .*use the current time/,
      );
    }
    expect(refusal('{{ post.tags | sample }}{{ content }}')).toMatch(/undefined filter: sample/);
    const layout = compileLayout('{% increment n %}{% assign a = 1 %}{{ content }}', 'en');
    expect(layout.frame(page)).toEqual(layout.frame(page));
  });
});

describe('a layout with an error', () => {
  it.each([
    ['\n\n    {{ post.title | foo }}{{ content }}', 'line 3, column 5: undefined filter: foo'],
    ['a\n{% foo %}{{ content }}', 'line 2, column 1: undefined tag: foo'],
    ['{% if post %}\n{{ content }}', 'line 1, column 1: tag {% if post %} not closed'],
    ['{{ content', 'line 1, column 1: output "{{ content" not closed'],
    ['{% endif %}{{ content }}', 'line 1, column 1: undefined tag: endif'],
    ['{% for %}{% endfor %}{{ content }}', 'line 1, column 1: illegal tag: {% for %}'],
    ['{% liquid\n assign a = 1\n foo\n%}{{ content }}', 'line 3, column 2: undefined tag: foo'],
    ['{{ post.date | date: "%H", "No/Where" }}{{ content }}', /^line 1, column 1: Invalid time zone/],
    ['no content', 'does not print {{ content }}'],
    ['{% comment %}{{ content }}{% endcomment %}', 'does not print {{ content }}'],
    ['{{ content | upcase | slice: 1, 2 }}', 'does not print {{ content }}'],
    ['{{ content }}{{ content }}', 'prints {{ content }} more than once'],
    ['{% include "/etc/passwd" %}{{ content }}', 'line 1, column 1: undefined tag: include'],
    ["{% render '../../package.json' %}{{ content }}", 'line 1, column 1: undefined tag: render'],
    ["{% layout 'x' %}{{ content }}", 'line 1, column 1: undefined tag: layout'],
    ['{{ post.tags | where_exp: "t", "true" }}{{ content }}', /undefined filter: where_exp/],
  ])('a refused layout gets a message about its error: %j', (source, message) => {
    if (typeof message === 'string') expect(refusal(source)).toBe(message);
    else expect(refusal(source)).toMatch(message);
  });

  it('a refusal is short even if it quotes a long text', () => {
    expect(refusal(`{% if ${'x'.repeat(50_000)} %}`).length).toBeLessThan(300);
  });
});

describe('access of a layout to data', () => {
  it.each([
    '{{ blog.constructor }}',
    '{{ blog.__proto__ }}',
    '{{ blog["constructor"]["constructor"] }}',
    '{{ blog.toString }}{{ blog.hasOwnProperty }}',
    '{{ constructor }}{{ __proto__ }}{{ process }}{{ globalThis }}{{ require }}{{ this }}',
    '{{ post.tags.constructor }}{{ post.tags.push }}{{ post.title.constructor }}{{ post.title.length.constructor }}',
    '{% assign a = "x" %}{{ a.constructor }}{{ a.__proto__ }}{{ a.at }}',
    '{% assign __proto__ = post %}{{ __proto__.nothing }}{{ nothing }}',
    '{{ post.tags | map: "constructor" }}{{ post.tags | map: "__proto__.constructor" }}',
    '{% for t in post.tags %}{{ t.constructor }}{% endfor %}',
    '{{ page.url | constructor }}',
    '{{ page.url | toString }}{{ page.url | valueOf }}{{ page.url | __proto__ }}',
    '{% constructor %}',
    '{% for i in (1..2) %}{{ forloop.constructor }}{{ forloop.__proto__.constructor }}{% endfor %}',
  ])('a layout cannot read %s', (source) => {
    let text = '';
    try {
      text = printed(source);
    } catch (error) {
      expect(error).toBeInstanceOf(LayoutRefused);
    }
    expect(text.trim()).toBe('');
  });

  it('a layout leaves nothing behind for the next page', () => {
    printed('{% assign blog = "x" %}{% increment page %}{% capture post %}y{% endcapture %}');
    printed('{% increment __proto__ %}{% increment toString %}');
    expect(printed('{{ blog.name }}{{ page.kind }}{{ post.slug }}')).toBe('Ink &amp; Paperpost');
    expect(Object.prototype.toString.call({})).toBe('[object Object]');
  });
});

describe('limits of a layout', () => {
  const nested = (times: number) =>
    `${'{% for i in (1..100) %}'.repeat(times)}x${'{% endfor %}'.repeat(times)}{{ content }}`;

  it.each([
    ['a long loop', '{% for i in (1..100000000) %}{% endfor %}{{ content }}', /too much text or too many/],
    ['an endless loop', '{% for i in (1..99999999999999999999999999) %}{% endfor %}{{ content }}', /^line/],
    ['nested loops', nested(6), /10000 steps/],
    [
      'nested loops over the blog’s own data',
      `{% assign a = (1..300) %}${'{% for x in a %}'.repeat(4)}${'{% endfor %}'.repeat(4)}{{ content }}`,
      /steps/,
    ],
    ['a table', '{% tablerow i in (1..900000) %}{{ i }}{% endtablerow %}{{ content }}', /steps|too much/],
    [
      'text that doubles',
      `{% assign s = "ab" %}${'{% assign s = s | append: s %}'.repeat(40)}{{ content }}`,
      /too much text/,
    ],
    [
      'captured text that doubles',
      `{% assign s = "ab" %}${'{% capture s %}{{ s | raw }}{{ s | raw }}{% endcapture %}'.repeat(40)}{{ content }}`,
      /too much text/,
    ],
    [
      'text that a replacement makes longer',
      `{% assign s = "aaaaaaaaaa" %}${'{% assign s = s | replace: "a", s %}'.repeat(6)}{{ content }}`,
      /too much text/,
    ],
    [
      'long text in a loop',
      `{% for i in (1..9000) %}${'x'.repeat(10_000)}{% endfor %}{{ content }}`,
      /too much text/,
    ],
    ['padding', '{{ post.date | date: "%0999999999Y" }}{{ content }}', /too much text/],
    [
      'deep nesting',
      `${'{% if true %}'.repeat(5_000)}${'{% endif %}'.repeat(5_000)}{{ content }}`,
      /nested too deeply|not closed|parse length/,
    ],
    [
      'output longer than a page may be',
      `{% for i in (1..30) %}${'x'.repeat(10_000)}{% endfor %}{{ content }}`,
      /262144 characters/,
    ],
    ['a source that is too long', `${'x'.repeat(65_537)}{{ content }}`, /parse length/],
  ])('a layout is stopped at a limit: %s', (_name, source, message) => {
    expect(refusal(source)).toMatch(message);
  });

  it('the limits of a layout leave room for an ordinary page', () => {
    expect(printed(`${'x'.repeat(60_000)}`)).toHaveLength(60_000);
    const loop = `{% for i in (1..${MAX_STEPS / 2 - 100}) %}x{% endfor %}`;
    expect(printed(loop)).toHaveLength(MAX_STEPS / 2 - 100);
    const long = Math.floor(MAX_FRAME / 10_000);
    expect(printed(`{% for i in (1..${long}) %}${'x'.repeat(10_000)}{% endfor %}`)).toHaveLength(
      long * 10_000,
    );
    const many = Array.from({ length: 50 }, (_, n) => ({ label: `Tag ${n}`, slug: `tag-${n}` }));
    const data = layoutData(postView({ ...summary, tags: many }));
    expect(
      printed('{% for t in post.tags %}<a href="{{ t.url }}">{{ t.label }}</a>{% endfor %}', data),
    ).toContain('>Tag 49<');
  });
});
