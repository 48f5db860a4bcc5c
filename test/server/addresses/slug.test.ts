import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blogSlugPattern,
  isReservedBlogSlug,
  isReservedPostSlug,
  numberedSlug,
  postSlugPattern,
  slugFromTitle,
  tagSlug,
  tagsOf,
} from '../../../server/addresses/slug.ts';

const anyText = string({ unit: 'binary', maxLength: 300 });

describe('the slug of a title', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  What’s new in 2026?  ', 'whats-new-in-2026'],
    ["Don't panic", 'dont-panic'],
    ['Crème brûlée à Łódź', 'creme-brulee-a-lodz'],
    ['Größe & Straße', 'grosse-strasse'],
    ['Привет, мир', 'privet-mir'],
    ['Ελληνικά', 'ellinika'],
    ['안녕하세요', 'annyeonghaseyo'],
    ['ひらがな', 'hiragana'],
    ['カタカナ', 'katakana'],
    ['東京', 'dong-jing'],
    ['مرحبا', 'mrhb'],
    ['C++ / C#', 'c-c'],
    ['--- dashes --- everywhere ---', 'dashes-everywhere'],
    ['snake_case.and.dots', 'snake-case-and-dots'],
    ['🎉 Party 🎉', 'party'],
    ['a/../b', 'a-b'],
  ])('the title %s has the slug %s', (title, slug) => {
    expect(slugFromTitle(title)).toBe(slug);
  });

  it.each(['🎉🎊', '!!!', '---', '', ' '])('a title without usable letters has no slug: %j', (title) => {
    expect(slugFromTitle(title)).toBe('');
  });

  it('a slug is cut between words', () => {
    const words = 'eleven-char '.repeat(12);
    expect(slugFromTitle(words)).toBe('eleven-char-'.repeat(8).slice(0, -1));
    const exact = `${'a'.repeat(49)} ${'b'.repeat(50)}`;
    expect(slugFromTitle(`${exact} c`)).toBe(exact.replace(' ', '-'));
  });

  it('a slug is cut within a word that is too long by itself', () => {
    expect(slugFromTitle('w'.repeat(300))).toBe('w'.repeat(100));
    expect(slugFromTitle(`a ${'w'.repeat(300)}`)).toBe(`a-${'w'.repeat(98)}`);
  });

  it('any title gives a valid slug or none', () => {
    assert(
      property(anyText, (title) => {
        const slug = slugFromTitle(title);
        expect(slug).toMatch(/^$|^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(100);
      }),
    );
  });
});

describe('a numbered slug', () => {
  it.each([
    ['a', 2, 'a-2'],
    ['a-b', 1000, 'a-b-1000'],
    ['w'.repeat(98), 2, `${'w'.repeat(98)}-2`],
    ['w'.repeat(99), 2, `${'w'.repeat(98)}-2`],
    [`${'w'.repeat(90)}-${'v'.repeat(9)}`, 2, `${'w'.repeat(90)}-2`],
    [`${'w'.repeat(97)}-vv`, 2, `${'w'.repeat(97)}-2`],
  ])('the numbered slug of %s and %i is %s', (slug, n, expected) => {
    expect(numberedSlug(slug, n)).toBe(expected);
    expect(expected).toMatch(postSlugPattern);
  });
});

describe('the slug of a post', () => {
  it('a post slug has 1 to 100 characters of a-z, 0-9 and hyphens', () => {
    for (const slug of ['a', '0', '-', 'a--b', 'x'.repeat(100)]) expect(slug).toMatch(postSlugPattern);
    for (const slug of ['', 'A', 'ä', 'a b', 'a/b', 'a.', '..', 'a\n', 'x'.repeat(101)]) {
      expect(slug).not.toMatch(postSlugPattern);
    }
  });

  it('a post slug never equals a page of the blog itself', () => {
    const own = ['page', 'tags', 'archive', 'search', 'og', 'assets', 'pagefind'];
    expect(own.every(isReservedPostSlug)).toBe(true);
    expect(['pages', 'tag', 'index', 'feed'].some(isReservedPostSlug)).toBe(false);
  });
});

describe('the slug of a blog', () => {
  it('a blog slug has 1 to 63 characters of a-z, 0-9 and inner hyphens', () => {
    for (const slug of ['a', '0', 'ab', 'a-b', 'a--b', 'x'.repeat(63)]) expect(slug).toMatch(blogSlugPattern);
    for (const slug of ['', '-', '-a', 'a-', 'A', 'a.b', 'a_b', 'ä', 'a\n', 'x'.repeat(64)]) {
      expect(slug).not.toMatch(blogSlugPattern);
    }
  });

  it('a blog slug is not a host that the service needs, nor an encoded name', () => {
    for (const slug of [
      'www',
      'api',
      'app',
      'admin',
      'mail',
      'static',
      'localhost',
      'xn--a',
      'xn--80ak6aa92e',
    ]) {
      expect(isReservedBlogSlug(slug), slug).toBe(true);
    }
    for (const slug of ['www2', 'xn', 'xn-a', 'my-api', 'starter'])
      expect(isReservedBlogSlug(slug)).toBe(false);
  });
});

describe('the slug of a tag', () => {
  it.each([
    ['Rust', 'rust'],
    [' Web  Design ', 'web-design'],
    ['C', 'c'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['日本', '日本'],
    ['עברית', 'עברית'],
    ['हिन्दी', 'हिन्दी'],
    ['ÉCOLE', 'école'],
    ['e\u0301cole', 'école'],
    ['a/b\\c', 'a-b-c'],
    ['..', 'u2e-u2e'],
    ['!!!', 'u21-u21-u21'],
    ['🎈', 'u1f388'],
    ['.git', 'git'],
  ])('the tag %s has the slug %s', (label, slug) => {
    expect(tagSlug(label)).toBe(slug);
  });

  it('different tags have different slugs', () => {
    expect(tagSlug('🎈')).not.toBe(tagSlug('🎉'));
    expect(tagSlug('C')).not.toBe(tagSlug('C#'));
    expect(tagSlug(`${'字'.repeat(49)}甲`)).not.toBe(tagSlug(`${'字'.repeat(49)}乙`));
  });

  it('the slug of any tag is a valid file name on every system', () => {
    assert(
      property(string({ unit: 'binary', minLength: 1, maxLength: 50 }), (label) => {
        const slug = tagSlug(label);
        expect(slug).toMatch(/^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u);
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(255);
      }),
    );
  });

  it('a tag and its slug have the same slug, so that links between tags work', () => {
    for (const label of ['Rust', 'C++', 'e\u0301cole', 'İstanbul', 'ΣΊΣΥΦΟΣ', '日本 2026']) {
      expect(tagSlug(tagSlug(label))).toBe(tagSlug(label));
    }
  });
});

it('labels with the same slug are one tag, named as the first', () => {
  expect(tagsOf(['Rust', 'C', 'rust', 'RUST!'])).toEqual([
    { label: 'Rust', slug: 'rust' },
    { label: 'C', slug: 'c' },
  ]);
});
