import { describe, expect, it } from 'vitest';
import { parseDate } from '../../../../clients/cli/folder/dates.ts';
import { readFields } from '../../../../clients/cli/folder/front-matter/fields.ts';
import {
  FrontMatterError,
  splitFrontMatter,
} from '../../../../clients/cli/folder/front-matter/front-matter.ts';

const read = (source: string) => readFields(splitFrontMatter(source));
const yaml = (front: string) => read(`---\n${front}\n---\n`);
const fields = (front: string) => yaml(front).fields;
const inWords = (messages: readonly { line?: number | undefined; message: string }[]) =>
  messages.map(({ line, message }) => `${line}: ${message}`);

function reasonFor(source: string): string {
  try {
    splitFrontMatter(source);
  } catch (error) {
    if (error instanceof FrontMatterError) return `${error.line}: ${error.message}`;
    throw error;
  }
  throw new Error('was accepted');
}

describe('front matter', () => {
  it.each([
    ['YAML', '---\ntitle: "Ink: a history"\ntags: [ink, paper]\n---\n\nText\n'],
    [
      'YAML with Windows line endings',
      '---\r\ntitle: "Ink: a history"\r\ntags:\r\n  - ink\r\n  - paper\r\n---\r\n\nText\n',
    ],
    ['TOML', '+++\ntitle = "Ink: a history"\n[taxonomies]\ntags = ["ink", "paper"]\n+++\n\nText\n'],
    ['TOML, by its name', '---toml\ntitle = "Ink: a history"\ntags = ["ink", "paper"]\n---\n\nText\n'],
    ['JSON', '{\n  "title": "Ink: a history",\n  "tags": ["ink", "paper"]\n}\n\nText\n'],
    ['JSON between fences', '---json\n{"title": "Ink: a history", "tags": ["ink", "paper"]}\n---\n\nText\n'],
  ])('is read as %s', (_, source) => {
    expect(read(source)).toMatchObject({
      fields: { title: 'Ink: a history', tags: ['ink', 'paper'] },
      errors: [],
      remarks: [],
    });
    expect(splitFrontMatter(source).body).toBe('\nText\n');
  });

  it.each([
    ['no front matter', '# Heading\n\nText', '# Heading\n\nText'],
    ['an empty file', '', ''],
    ['a block that is never closed', '---\ntitle: Ink\n\nText', '---\ntitle: Ink\n\nText'],
    ['a TOML fence closed by a YAML one', '+++\na = 1\n---\nText', '+++\na = 1\n---\nText'],
    ['a longer rule', '-----\ntitle: Ink\n-----\n', '-----\ntitle: Ink\n-----\n'],
    ['a tag of Liquid', '{% include a.html %}\nText', '{% include a.html %}\nText'],
    ['an empty block', '---\n---\nText', 'Text'],
    ['a block of comments', '---\n# title: Ink\n---\nText', 'Text'],
    ['a thematic break in the text', '---\na: b\n---\nText\n\n---\n\nMore', 'Text\n\n---\n\nMore'],
  ])('leaves the right body: %s', (_, source, body) => {
    expect(splitFrontMatter(source).body).toBe(body);
  });

  it.each([
    ['---\nlang: en\ntitle: a: b\n---\n', /^3: the front matter is not valid YAML: .*compact mappings/],
    ['---\ntitle: A\ntitle: B\n---\n', /^3: .*unique/],
    ['+++\ntitle = "A"\nslug = \n+++\n', /^3: the front matter is not valid TOML: /],
    ['{"title": "A",\n"slug" }\n', /^\d: the front matter is not valid JSON: /],
    ['{"title": "A",\n', /^1: .*last brace is missing/],
    ['---js\nthrow 1\n---\n', /^1: .*JavaScript is never run/],
    ['---\njust a sentence\n---\n', /^2: the front matter must be fields, not string/],
  ])('that cannot be parsed is an error with its line: %j', (source, reason) => {
    expect(reasonFor(source)).toMatch(reason);
  });

  it('is never run as code, and excessive aliases are refused', () => {
    expect(fields('title: !!js/function "function () { globalThis.ran = true }"').title).toContain(
      'function',
    );
    expect(globalThis).not.toHaveProperty('ran');
    const flood = ['a: &a [x,x,x,x,x,x,x,x,x]', ...'bcdefgh'].map((name, n) => {
      const before = 'abcdefgh'[n - 1];
      return n === 0 ? name : `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
    });
    expect(reasonFor(`---\n${flood.join('\n')}\n---\n`)).toContain('alias');
  });
});

describe('a field', () => {
  it('that does not fit is named with its line and its value', () => {
    const front =
      'title: A\ndraft: ture\ndate: next week\nstatus: hidden\ntags: {a: b}\ncanonical: elsewhere\nslug: "???"';
    expect(inWords(yaml(front).errors).sort()).toEqual([
      '3: `draft` must be true or false, not "ture"',
      '4: `date` must be a date such as 2024-05-01 or 2024-05-01T09:30:00+02:00, not "next week"',
      '5: `status` must be draft, published or scheduled, not "hidden"',
      '6: `tags` must be a list of words, or words separated by commas, not {"a":"b"}',
      '7: `canonical` must be an http or https address, not "elsewhere"',
      '8: `slug` must be lower-case letters (a-z), digits and hyphens',
    ]);
    expect(inWords(read('+++\ntitle = "A"\ndate = "soon"\n+++\n').errors)).toEqual([
      expect.stringMatching(/^3: `date`/),
    ]);
    expect(inWords(read('{\n"title": "A",\n"draft": "maybe"\n}\n').errors)).toEqual([
      expect.stringMatching(/^3: `draft`/),
    ]);
  });

  it('of less weight is left out with a remark', () => {
    const { fields, errors, remarks } = yaml('series: {a: b}\nauthors: [Ada, Bea]\ntranslations: [de]');
    expect(errors).toEqual([]);
    expect(fields).toMatchObject({ series: undefined, author: { name: 'Ada' }, translations: {} });
    expect(inWords(remarks)).toEqual([
      '3: `authors` has several names: the post shows Ada',
      '2: `series` must be a name, not {"a":"b"}',
      expect.stringMatching(/^4: `translations` must map/),
    ]);
  });

  it('that is empty counts as missing', () => {
    expect(yaml('title:\nslug: ""\ndescription: null\ntags:\ndate: ')).toEqual({ ...yaml('x: y') });
  });

  it('keeps its text although it looks like a number or a date', () => {
    expect(fields('title: 1.10').title).toBe('1.10');
    expect(fields('title: 2024-01-01').title).toBe('2024-01-01');
    expect(fields('title: yes').title).toBe('yes');
  });

  it.each([
    ['draft: true', 'draft'],
    ['draft: Yes', 'draft'],
    ['draft: false', undefined],
    ['published: false', 'draft'],
    ['published: 2024-01-01', undefined],
    ['status: draft', 'draft'],
    ['status: Publish', 'published'],
    ['status: private', 'draft'],
    ['status: scheduled', 'scheduled'],
  ])('of the status is read as generators write it: %s', (front, expected) => {
    expect(yaml(front)).toMatchObject({ fields: { status: expected }, errors: [] });
  });

  it('of any generator has one meaning', () => {
    const front =
      'page: true\nseries: [Ink, Paper]\nseries_order: 3\nauthor: {name: Bea, url: "https://bea.example/"}\npinned: yes\n' +
      'canonicalURL: https://elsewhere.example/\nheader: {overlay_image: /a.png, alt: A press}\nsummary: Short.\n' +
      'taxonomies: {tags: [a], categories: [b]}\naliases: [/old/, new/x]\nredirect_from: /2019/a.html\nlastmod: 2024-01-01';
    expect(yaml(front)).toMatchObject({
      fields: {
        type: 'page',
        series: { name: 'Ink', part: 3 },
        author: { name: 'Bea', url: 'https://bea.example/' },
        featured: true,
        unlisted: false,
        canonicalUrl: 'https://elsewhere.example/',
        cover: { url: '/a.png', alt: 'A press' },
        description: 'Short.',
        tags: ['a', 'b'],
        oldAddresses: ['/old/', '/new/x', '/2019/a.html'],
      },
      errors: [],
      remarks: [],
    });
  });

  it('with the address of a page gives its slug, and the address redirects', () => {
    expect(fields('permalink: /about/')).toMatchObject({ slug: 'about', oldAddresses: ['/about/'] });
    expect(fields('permalink: /2019/03/Hello.html')).toMatchObject({
      slug: 'hello',
      oldAddresses: ['/2019/03/Hello.html'],
    });
    expect(fields('path: 2015/05/11/Traits')).toMatchObject({ slug: '2015-05-11-traits' });
    expect(fields('permalink: "/{{ title | slugify }}/"')).toMatchObject({
      slug: undefined,
      oldAddresses: [],
    });
    expect(fields('permalink: false').isUnwritten).toBe(true);
  });

  it('of the slug is made one, with a remark', () => {
    expect(inWords(yaml('slug: Hello, World').remarks)).toEqual(['2: `slug` became hello-world']);
    expect(fields('slug: /blog/hello').slug).toBe('blog-hello');
  });

  it('of words is split as its generator does', () => {
    const words = splitFrontMatter('---\ncategories: jekyll update\n---\n');
    expect(readFields(words, { isJekyll: true }).fields.tags).toEqual(['jekyll', 'update']);
    expect(readFields(words).fields.tags).toEqual(['jekyll update']);
    expect(fields('tags: ink,  paper ,,\ncategory: news').tags).toEqual(['ink', 'paper', 'news']);
  });

  it('over a limit is cut with a remark, and one on the limit is not', () => {
    expect(yaml(`title: ${'x'.repeat(500)}`).errors).toEqual([]);
    expect(inWords(yaml(`title: ${'x'.repeat(501)}`).errors)).toEqual([
      '2: `title` has more than 500 characters',
    ]);
    expect(yaml(`description: ${'x'.repeat(1000)}`).remarks).toEqual([]);
    expect(yaml(`description: ${'x'.repeat(1001)}`)).toMatchObject({
      fields: { description: 'x'.repeat(1000) },
      remarks: [{ line: 2 }],
    });
    const many = Array.from({ length: 12 }, (_, n) => `t${n}`);
    expect(yaml(`tags: [${many}, T0]`)).toMatchObject({
      fields: { tags: many.slice(0, 10) },
      remarks: [{ line: 2 }],
    });
    expect(fields(`tags: ["${'x'.repeat(48)}👩‍👩‍👧"]`).tags).toEqual(['x'.repeat(48)]);
  });
});

describe('a date', () => {
  it.each([
    ['2015-05-11', '2015-05-11T00:00:00.000Z'],
    ['2015-5-1', '2015-05-01T00:00:00.000Z'],
    ['2015/05/11 10:20', '2015-05-11T10:20:00.000Z'],
    ['2015-05-11T10:20:30+02:00', '2015-05-11T08:20:30.000Z'],
    ['2015-05-11 10:20 +0200', '2015-05-11T08:20:00.000Z'],
    ['2017-11-07T17:26:53.202Z', '2017-11-07T17:26:53.202Z'],
    ['Jul 08 2022', '2022-07-08T00:00:00.000Z'],
    ['July 8th, 2022 3:30 pm', '2022-07-08T15:30:00.000Z'],
    ['Mon, 08 Jul 2022 10:00:00 GMT', '2022-07-08T10:00:00.000Z'],
  ])('is read as people write it: %s', (text, moment) => {
    expect(parseDate(text)).toBe(moment);
  });

  it.each(['last week', '2015-02-30', '2015-13-01', '2015', '2015-05-11 25:00', ''])(
    'is none: %j',
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );
});
