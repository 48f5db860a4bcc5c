import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bodyMistakes,
  formMistakes,
  joined,
  queryMistakes,
  unreadBodyMistakes,
} from '../../../server/input/mistakes.ts';
import { describeProblems, presentWarnings } from '../../../server/wire/mistake.ts';

const schema = z.object({
  title: z.string(),
  meta: z.object({ description: z.string(), og_image: z.string() }),
  posts: z.array(z.object({ title: z.string() })),
  author: z.object({ url: z.string() }),
  link: z.object({ url: z.string() }),
});
const readOnly = {
  names: ['id', 'status', 'created_at'],
  instead: { status: 'use POST /publish' },
  effect: 'changed by PUT',
};
const warningsOf = (body: unknown) => presentWarnings(bodyMistakes(schema, body, readOnly));
const noMistakes = { first: [], more: 0 };

describe('warnings about a body', () => {
  it.each<[object, string]>([
    [{ titel: 1 }, '`titel` is not a field of this request: did you mean `title`?'],
    [{ meta: { ogImage: 1 } }, '`ogImage` is not a field of meta: did you mean `og_image`?'],
    [{ posts: [{}, { titel: 1 }] }, '`titel` is not a field of posts[1]: did you mean `title`?'],
    [{ description: 1 }, '`description` is not a field of this request: did you mean `meta.description`?'],
    [
      { url: 1 },
      '`url` is not a field of this request, which has `title`, `meta`, `posts`, `author`, and `link`',
    ],
    [{ meta: { x: 1 } }, '`x` is not a field of meta, which has `description` and `og_image`'],
    [{ status: 1 }, '`status` is not changed by PUT: use POST /publish'],
    [{ id: 1 }, '`id` is read-only'],
    [{ excerpt: 1 }, '`excerpt` is not a field of this request: did you mean `meta.description`?'],
    [{ meta: { excerpt: 1 } }, '`excerpt` is not a field of meta, which has `description` and `og_image`'],
    [
      { lang: 1 },
      '`lang` is not a field of this request, which has `title`, `meta`, `posts`, `author`, and `link`',
    ],
    [{ id: 1, status: 1 }, 'fields that are not changed by PUT: `id`, `status` (use POST /publish)'],
  ])('say what may have been meant: %j', (body, warning) => {
    expect(warningsOf(body)).toEqual([warning]);
  });

  it('do not repeat what a client got from the API field by field', () => {
    const got = { id: 1, title: 'T', status: 'draft', created_at: 'now', titel: 'T' };
    expect(warningsOf(got)).toHaveLength(2);
  });

  it('name the path of a field for machines', () => {
    const { first } = bodyMistakes(schema, { posts: [{ titel: 1 }] }, readOnly);
    expect(first.map(({ field }) => field)).toEqual(['posts[0].titel']);
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1]));

  it('are at most ten, of which the last one counts the rest', () => {
    expect(warningsOf(many(10))).toHaveLength(10);
    expect(warningsOf(many(10)).at(-1)).toMatch(/^`f9` is not a field/);
    expect(warningsOf(many(11))).toHaveLength(10);
    expect(warningsOf(many(11)).at(-1)).toBe('and 2 more of the kind');
    expect(warningsOf({ id: 1, ...many(10) }).at(-1)).toBe('and 2 more of the kind');
    expect(warningsOf(many(50_000)).at(-1)).toBe('and 49991 more of the kind');
  });

  it('are short, whatever a field is called', () => {
    const [warning = ''] = warningsOf({ [`\u202e${'x'.repeat(1_048_576)}`]: 1 });
    expect(warning).toMatch(/^`\\u\{202e\}x+…` is not a field/);
    expect(warning.length).toBeLessThan(300);
  });
});

it.each<[string, z.ZodType, object, string]>([
  ['a post', z.object({ title: z.string(), tags: z.string(), slug: z.string() }), { name: 1 }, 'title'],
  ['a post', z.object({ title: z.string(), tags: z.string() }), { categories: 1 }, 'tags'],
  ['a post', z.object({ slug: z.string() }), { permalink: 1 }, 'slug'],
  ['a post', z.object({ cover_image: z.string() }), { image: 1 }, 'cover_image'],
  ['a post', z.object({ canonical_url: z.string() }), { canonical: 1 }, 'canonical_url'],
  ['a blog', z.object({ theme_config: z.string() }), { theme: 1 }, 'theme_config'],
  ['a blog', z.object({ settings: z.object({ icon: z.string() }) }), { favicon: 1 }, 'settings.icon'],
  ['settings', z.object({ settings: z.object({ icon: z.string() }) }), { settings: { favicon: 1 } }, 'icon'],
  ['a link', z.object({ links: z.array(z.object({ url: z.string() })) }), { links: [{ href: 1 }] }, 'url'],
  ['a redirect', z.object({ from: z.string(), to: z.string() }), { source: 1 }, 'from'],
  ['a redirect', z.object({ from: z.string(), to: z.string() }), { target: 1 }, 'to'],
])('a name that other services have for a field of %s leads to it', (_of, schema, body, meant) => {
  const [mistake] = bodyMistakes(schema, body, { ...readOnly, names: [] }).first;
  expect(mistake?.message).toContain(`did you mean \`${meant}\`?`);
});

it('a name that other services have for a query parameter leads to it', () => {
  const { first } = queryMistakes(z.object({ page: z.string(), per_page: z.string() }), { limit: '5' }, []);
  expect(first[0]?.message).toContain('did you mean `per_page`?');
});

it('unknown parameters of a query are named once each', () => {
  const query = z.object({ page: z.string(), per_page: z.string() });
  const warnings = presentWarnings(
    queryMistakes(query, { perPage: ['1', '2'], page: '1', title: 'T', z: '' }, ['title']),
  );
  expect(warnings).toEqual([
    '`perPage` is not a query parameter of this request: did you mean `per_page`?',
    '`title` is not a query parameter of this request: send it in the body',
    '`z` is not a query parameter of this request, which has `page` and `per_page`',
  ]);
  expect(presentWarnings(queryMistakes(undefined, { z: '' }, []))).toEqual([
    '`z` is not a query parameter of this request, which has none',
  ]);
});

it('unknown fields of a form are named once each', () => {
  const form = z.object({ file: z.file() });
  expect(presentWarnings(formMistakes(form, ['file', 'flie', 'flie']))).toEqual([
    '`flie` is not a field of this form: did you mean `file`?',
  ]);
});

it.each<[unknown, string[]]>([
  [undefined, []],
  [{}, []],
  [{ a: 1 }, ['`a` is not read: this request takes no body']],
  [null, ['the body is not read: this request takes none']],
  [[1], ['the body is not read: this request takes none']],
])('a body that nothing reads is named: %j', (body, warnings) => {
  expect(presentWarnings(unreadBodyMistakes(body))).toEqual(warnings);
});

it('mistakes of several sources are counted together', () => {
  const seven = bodyMistakes(schema, { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }, readOnly);
  expect(joined(seven, seven, { ...noMistakes, more: 5 })).toMatchObject({
    first: { length: 10 },
    more: 9,
  });
});

it('the first ten problems have a line each', () => {
  const problems = Array.from({ length: 12 }, (_, n) => ({ field: `f${n}`, message: 'is missing' }));
  expect(describeProblems(problems.slice(0, 2))).toBe('f0: is missing\nf1: is missing');
  expect(describeProblems(problems.slice(0, 10)).split('\n')).toHaveLength(10);
  expect(describeProblems(problems, 3).split('\n').slice(9)).toEqual(['f9: is missing', 'and 5 more']);
});
