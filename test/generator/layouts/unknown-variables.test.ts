import { describe, expect, it } from 'vitest';
import { compileLayout } from '../../../generator/layouts/engine.ts';
import { samplePages } from '../../../generator/layouts/samples.ts';
import { tryLayout } from '../../../generator/layouts/try-layout.ts';
import { layoutVariables, type Shape } from '../../../generator/layouts/variables.ts';
import { cpuTime } from '../../support/cpu.ts';

const unknownIn = (source: string) => compileLayout(source, 'en').unknownVariables();
/** Without what every message begins with. */
const messagesOf = (source: string) =>
  unknownIn(source).first.map((text) => text.replace(/^line \d+, column \d+: /, ''));

describe('variables that no page has', () => {
  it.each([
    ['{{ post.titel }}', '`post.titel` does not exist: did you mean `post.title`?'],
    ['{{ psot.title }}', '`psot` does not exist: did you mean `post`?'],
    ['{{ blog.socialLinks }}', '`blog.socialLinks` does not exist: did you mean `blog.social_links`?'],
    ['{{ blog.author.nmae }}', '`blog.author.nmae` does not exist: did you mean `blog.author.name`?'],
    ['{{ post["titel"] }}', '`post.titel` does not exist: did you mean `post.title`?'],
    ['{{ post.tags[0].lable }}', '`post.tags[0].lable` does not exist: did you mean `post.tags[0].label`?'],
    [
      '{{ post.tags.first.lable }}',
      '`post.tags.first.lable` does not exist: did you mean `post.tags.first.label`?',
    ],
    ['{{ post.tags[page.knd].label }}', '`page.knd` does not exist: did you mean `page.kind`?'],
    ['{{ post.title.text }}', '`post.title.text` does not exist'],
    ['{{ post.tags.label }}', '`post.tags.label` does not exist'],
    [
      '{{ page.foo }}',
      '`page.foo` does not exist: `page` has `kind`, `title`, `url`, `path`, `lang`, `direction`, `tag`, `newer`, and `older`',
    ],
    [
      '{{ foo }}',
      '`foo` does not exist: there are `content`, `blog`, `page`, `post`, `posts`, `newest`, `featured`, and `words`',
    ],
    [
      '{{ page.toString }}',
      '`page.toString` does not exist: `page` has `kind`, `title`, `url`, `path`, `lang`, `direction`, `tag`, `newer`, and `older`',
    ],
    ['{{ "a" | append: post.titel }}', '`post.titel` does not exist: did you mean `post.title`?'],
    [
      '{{ post.date | date: format: blog.langage }}',
      '`blog.langage` does not exist: did you mean `blog.language`?',
    ],
    ['{% if page.kind == pag.title %}{% endif %}', '`pag` does not exist: did you mean `page`?'],
    [
      '{% if a.b %}{% elsif page.tilte %}{% endif %}{% assign a = 1 %}',
      '`page.tilte` does not exist: did you mean `page.title`?',
    ],
    ['{% unless page.knd %}{% endunless %}', '`page.knd` does not exist: did you mean `page.kind`?'],
    [
      '{% case page.knd %}{% when "post" %}{% endcase %}',
      '`page.knd` does not exist: did you mean `page.kind`?',
    ],
    ['{% assign t = post.titel %}{{ t }}', '`post.titel` does not exist: did you mean `post.title`?'],
    ['{% echo post.titel %}', '`post.titel` does not exist: did you mean `post.title`?'],
    ['{% cycle blog.nam, "b" %}', '`blog.nam` does not exist: did you mean `blog.name`?'],
    ['{% capture x %}{{ blog.nam }}{% endcapture %}', '`blog.nam` does not exist: did you mean `blog.name`?'],
    [
      '{% for tag in post.tgas %}{{ tag.label }}{% endfor %}',
      '`post.tgas` does not exist: did you mean `post.tags`?',
    ],
    [
      '{% for tag in post.tags %}{{ tag.lable }}{% endfor %}',
      '`tag.lable` does not exist: did you mean `tag.label`?',
    ],
    [
      '{% for link in blog.navigation reversed %}{% if page.url %}{{ link.href }}{% endif %}{% endfor %}',
      '`link.href` does not exist: `link` has `label` and `url`',
    ],
    [
      '{% tablerow l in blog.navigation cols: 2 %}{{ l.lable }}{% endtablerow %}',
      '`l.lable` does not exist: did you mean `l.label`?',
    ],
    [
      '{% for l in blog.navigation %}{% endfor %}{{ l.label }}',
      '`l` does not exist: there are `content`, `blog`, `page`, `post`, `posts`, `newest`, `featured`, and `words`',
    ],
    ['{% for i in (1..blog.nam) %}{% endfor %}', '`blog.nam` does not exist: did you mean `blog.name`?'],
    ['{% liquid\n echo blog.nam\n%}', '`blog.nam` does not exist: did you mean `blog.name`?'],
  ])('are named: %s', (source, message) => {
    expect(messagesOf(source)).toEqual([message]);
  });

  it.each([
    '{{ content }}{{ post.author }}{{ blog.author.url }}',
    '{{ post.tags.size }}{{ post.tags.last.url }}{{ post.tags[-1].url }}{{ blog.name.size }}{{ blog.size }}',
    '{% for t in post.tags %}{{ forloop.index }}{{ forloop.parentloop.index }}{{ t.label }}{% endfor %}',
    '{% tablerow t in post.tags %}{{ tablerowloop.col }}{% endtablerow %}',
    '{% if late %}{% endif %}{% assign late = post %}{{ late.anything }}',
    '{% capture own %}x{% endcapture %}{{ own }}{% increment n %}{{ n }}{% decrement m %}{{ m }}',
    '{% assign list = "a,b" | split: "," %}{% for e in list %}{{ e.any }}{% endfor %}',
    '{% assign post = 1 %}{{ post.own }}',
    '{% for i in (1..3) %}{{ i }}{% endfor %}{% for c in "text" %}{{ c.x }}{% endfor %}',
    '{{ nil }}{{ true }}{{ "text" }}{{ 1.5 }}{{ empty }}{{ blank }}{{ (1..3) }}',
    '{{ blog[page.kind] }}{{ blog["navigation"][0]["label"] }}{{ post.tags[post.word_count].url }}',
    '{% raw %}{{ nothing.at.all }}{% endraw %}{% comment %}{{ nor.this }}{% endcomment %}',
  ])('are not what a page may lack or the layout sets: %s', (source) => {
    expect(unknownIn(source)).toEqual({ first: [], more: 0 });
  });

  it('are named with line and column, each once', () => {
    expect(unknownIn('<p>\n  {{ post.titel }} {{ post.titel }}\n{{ page.x.titel }}')).toEqual({
      first: [
        'line 2, column 6: `post.titel` does not exist: did you mean `post.title`?',
        'line 3, column 4: `page.x` does not exist: `page` has `kind`, `title`, `url`, `path`, `lang`, `direction`, `tag`, `newer`, and `older`',
      ],
      more: 0,
    });
  });

  it('are at most ten, and the others are counted', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `{{ post.x${n} }}`).join('');
    expect(unknownIn(many(10))).toMatchObject({ first: { length: 10 }, more: 0 });
    expect(unknownIn(many(11))).toMatchObject({ first: { length: 10 }, more: 1 });
    const source = many(4_000);
    const time = await cpuTime(() => {
      expect(unknownIn(source)).toMatchObject({ first: { length: 10 }, more: 3_990 });
    });
    expect(time).toBeLessThan(1_000);
  });

  it('have short names in messages', () => {
    expect(messagesOf(`{{ ${'x'.repeat(60_000)} }}`).join('').length).toBeLessThan(300);
  });
});

it('a layout that is tried tells what it reads that no page has', () => {
  expect(tryLayout('{{ content }}{{ blog.nam }}').first).toHaveLength(1);
});

describe('the description of variables', () => {
  it('covers all that a page has, and nothing else', () => {
    const described = pathsOf(layoutVariables).sort();
    const given = new Set(samplePages.flatMap((page) => pathsIn({ ...page, content: '' })));
    expect([...given].sort()).toEqual(described);
  });
});

/** The paths of all values: `post.tags[].label` */
function pathsOf(shape: Shape): string[] {
  if (shape === 'plain') return [''];
  if ('entries' in shape) return pathsOf(shape.entries).map((path) => `[]${path}`);
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    pathsOf(field).map((path) => `.${name}${path}`),
  );
}

function pathsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn).map((path) => `[]${path}`);
  // What may be nil is an object elsewhere; `author` of a post is a text.
  if (value === null) return [];
  if (typeof value !== 'object') return [''];
  return Object.entries(value).flatMap(([name, field]) => pathsIn(field).map((path) => `.${name}${path}`));
}
