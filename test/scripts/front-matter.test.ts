import { describe, expect, it } from 'vitest';
import { plainDetails } from '../../scripts/publish/details.ts';
import { FrontMatterError, splitFrontMatter } from '../../scripts/publish/front-matter.ts';

const nothing = {
  title: undefined,
  description: undefined,
  slug: undefined,
  path: undefined,
  oldAddresses: [],
  tags: [],
  draft: false,
  date: undefined,
  translations: undefined,
  details: plainDetails,
  notes: [],
};

function reasonFor(source: string): string {
  try {
    splitFrontMatter(source);
  } catch (error) {
    if (error instanceof FrontMatterError) return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('front matter', () => {
  it('front matter between dashes is read as YAML', () => {
    const source =
      '---\ntitle: "Ink: a history"\ndescription: Short.\nslug: ink\ntags: [ink, paper]\n---\n\nText\n';
    expect(splitFrontMatter(source)).toEqual({
      fields: {
        ...nothing,
        title: 'Ink: a history',
        description: 'Short.',
        slug: 'ink',
        tags: ['ink', 'paper'],
      },
      body: '\nText\n',
    });
  });

  it('front matter between plus signs is read as TOML', () => {
    const source =
      '+++\npath = "2015/05/11/traits"\ntitle = "Traits"\ndate = 2015-05-11\n[taxonomies]\ntags = ["rust"]\n+++\nText';
    expect(splitFrontMatter(source)).toEqual({
      fields: { ...nothing, title: 'Traits', path: '2015/05/11/traits', tags: ['rust'], date: '2015-05-11' },
      body: 'Text',
    });
  });

  it('front matter may have Windows line endings', () => {
    const { fields, body } = splitFrontMatter('---\r\ntitle: Ink\r\ntags:\r\n  - a\r\n---\r\nOne\r\nTwo\r\n');
    expect(fields).toEqual({ ...nothing, title: 'Ink', tags: ['a'] });
    expect(body).toBe('One\r\nTwo\r\n');
    expect(splitFrontMatter('+++\r\ntitle = "Ink"\r\n+++\r\n').fields.title).toBe('Ink');
  });

  it.each([
    ['no front matter', '# Heading\n\nText', '# Heading\n\nText'],
    ['an empty file', '', ''],
    ['a block that is never closed', '---\ntitle: Ink\n\nText', '---\ntitle: Ink\n\nText'],
    ['a TOML fence closed by a YAML one', '+++\na = 1\n---\nText', '+++\na = 1\n---\nText'],
    ['a longer rule', '-----\ntitle: Ink\n-----\n', '-----\ntitle: Ink\n-----\n'],
    ['an engine name after the fence', '---js\nthrow 1\n---\n', '---js\nthrow 1\n---\n'],
    ['a block that begins later', '\n---\ntitle: Ink\n---\n', '\n---\ntitle: Ink\n---\n'],
    ['an empty block', '---\n---\nText', 'Text'],
    ['a block of comments', '---\n# title: Ink\n---\nText', 'Text'],
    ['a closing fence at the very end', '+++\n+++', ''],
  ])('front matter without fields leaves the right body: %s', (_, source, body) => {
    expect(splitFrontMatter(source)).toEqual({ fields: nothing, body });
  });

  it('front matter ends at the first closing fence, so that a thematic break in the text stays', () => {
    expect(splitFrontMatter('---\ntitle: A\n---\nText\n\n---\n\nMore').body).toBe('Text\n\n---\n\nMore');
  });

  it('tags may be a list or separated by commas, and a category is one more tag', () => {
    expect(splitFrontMatter('---\ntags: ink,  paper ,,\ncategory: news\n---\n').fields.tags).toEqual([
      'ink',
      'paper',
      'news',
    ]);
    expect(splitFrontMatter('---\ntags: [2024, ~, "a b"]\n---\n').fields.tags).toEqual(['2024', 'a b']);
    expect(splitFrontMatter('+++\ntags = ["a", 2024]\n+++\n').fields.tags).toEqual(['a', '2024']);
  });

  it('a title that looks like a number or a date stays as written', () => {
    expect(splitFrontMatter('---\ntitle: 1.10\n---\n').fields.title).toBe('1.10');
    expect(splitFrontMatter('---\ntitle: 2024-01-01\n---\n').fields.title).toBe('2024-01-01');
    expect(splitFrontMatter('---\ntitle: yes\n---\n').fields.title).toBe('yes');
  });

  it('an empty field counts as missing', () => {
    expect(splitFrontMatter('---\ntitle:\nslug: ""\ndescription: null\ntags:\n---\n').fields).toEqual(
      nothing,
    );
  });

  it('translations are read by language tag, even if YAML gives the tag another type', () => {
    const expected = { no: 'norsk', de: 'https://example.org/de/' };
    const yaml = '---\ntranslations:\n  no: norsk\n  de: https://example.org/de/\n---\n';
    expect(splitFrontMatter(yaml).fields.translations).toEqual(expected);
    const toml = '+++\n[translations]\nno = "norsk"\nde = "https://example.org/de/"\n+++\n';
    expect(splitFrontMatter(toml).fields.translations).toEqual(expected);
    expect(splitFrontMatter('---\ntranslations: {}\n---\n').fields.translations).toEqual({});
    expect(splitFrontMatter('---\ntranslations:\n---\n').fields.translations).toBeUndefined();
  });

  it('a draft is recognised', () => {
    expect(splitFrontMatter('---\ndraft: true\n---\n').fields.draft).toBe(true);
    expect(splitFrontMatter('+++\ndraft = true\n+++\n').fields.draft).toBe(true);
    expect(splitFrontMatter('+++\ndraft = false\n+++\n').fields.draft).toBe(false);
    expect(splitFrontMatter('---\ndraft: Yes\n---\n').fields.draft).toBe(true);
    expect(splitFrontMatter('---\npublished: false\n---\n').fields.draft).toBe(true);
    expect(splitFrontMatter('---\npublished: true\n---\n').fields.draft).toBe(false);
  });

  it('a truth value with a typo is an error, so that no draft is published', () => {
    expect(() => splitFrontMatter('---\ndraft: ture\n---\n')).toThrow('draft must be true or false');
  });

  it('front matter that cannot be parsed is an error with reason and line of the file', () => {
    expect(reasonFor('---\nlang: en\ntitle: a: b\n---\n')).toMatch(
      /^front matter is not valid YAML: .*compact mappings at line 3, column \d+$/,
    );
    expect(reasonFor('---\ntitle: A\ntitle: B\n---\n')).toContain('unique at line 3');
    expect(reasonFor('+++\ntitle = "A"\nslug = \n+++\n')).toMatch(
      /^front matter is not valid TOML: .+ at line 3, column \d+$/,
    );
    expect(reasonFor('+++\r\ntitle = "A"\r\nslug = \r\n+++\r\n')).toContain('at line 3');
  });

  it('a field of the wrong type is refused by name', () => {
    expect(reasonFor('---\ntitle: [a, b]\n---\n')).toBe('front matter: title must be plain text');
    expect(reasonFor('---\ntags: {a: b}\n---\n')).toContain('tags must be a list of words');
    expect(reasonFor('---\ntranslations: [de]\n---\n')).toContain('translations must map language tags');
    expect(reasonFor('---\ntranslations: {de: [a]}\n---\n')).toContain('translations de must be plain text');
    expect(reasonFor('---\njust a sentence\n---\n')).toBe('front matter: must be a list of fields');
  });

  it('front matter is never run as code, and excessive aliases are refused', () => {
    const source = '---\ntitle: !!js/function "function () { globalThis.ran = true }"\n---\n';
    expect(splitFrontMatter(source).fields.title).toBe('function () { globalThis.ran = true }');
    expect(globalThis).not.toHaveProperty('ran');
    const flood = ['a: &a [x,x,x,x,x,x,x,x,x]', ...'bcdefgh'].map((name, n) => {
      const before = 'abcdefgh'[n - 1];
      return n === 0 ? name : `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`;
    });
    expect(reasonFor(`---\n${flood.join('\n')}\n---\n`)).toContain('alias');
  });
});

describe('details', () => {
  const details = (front: string) => splitFrontMatter(`---\n${front}\n---\n`).fields;

  it('the details of a post are read by the names that generators give them', () => {
    const { details: found, notes } = details(
      'type: page\nseries: [Ink, Paper]\nseries_order: 3\nauthor: {name: Bea}\nfeatured: yes\nunlisted: false\n' +
        'canonicalURL: https://elsewhere.example/\ncover: {image: "https://example.org/a.png", alt: A press}',
    );
    expect(notes).toEqual([]);
    expect(found).toEqual({
      type: 'page',
      featured: true,
      unlisted: false,
      series: { name: 'Ink', part: 3 },
      canonical_url: 'https://elsewhere.example/',
      author: { name: 'Bea' },
      cover_image: { url: 'https://example.org/a.png', alt: 'A press' },
    });
  });

  it('a cover that is a file is left out with a note, and so is what is not understood', () => {
    const file = details('image: /images/a.png');
    expect(file.details).toEqual(plainDetails);
    expect(file.notes).toEqual(['the cover was left out, because it is a file: /images/a.png']);
    const odd = details('series: {a: b}');
    expect(odd.details).toEqual(plainDetails);
    expect(odd.notes).toEqual(['not understood: series']);
  });
});
