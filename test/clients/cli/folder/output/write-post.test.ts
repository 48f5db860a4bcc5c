import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { postFile, type WrittenPost } from '../../../../../clients/cli/folder/output/write-post.ts';
import { readHead } from '../../../../../clients/cli/folder/read-post.ts';

const bare: WrittenPost = {
  ...{
    slug: 'ink',
    type: 'post',
    title: 'Ink',
    content: 'Text',
    status: 'published',
    date: undefined,
    tags: [],
  },
  ...{ description: undefined, previewImage: undefined, canonicalUrl: undefined, cover: undefined },
  ...{ author: undefined, series: undefined, featured: false, unlisted: false, translations: {} },
  ...{ language: undefined, oldAddresses: [] },
};
const words = fc.oneof(
  fc.constantFrom(
    'null',
    '~',
    'true',
    '1.10',
    '0x1',
    '2020-01-01',
    '- a',
    '# b',
    'a: b',
    "it's",
    '"q"',
    '---',
    '&a *a',
    '{a}',
    '%',
    '日本',
  ),
  fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .filter((text) => /^\S(?:.*\S)?$/.test(text) && !/\s{2}|[\t\r\n]/.test(text)),
);

it('a file says what its post says, whatever the words are', () => {
  const posts = fc.record({
    title: words,
    description: words,
    tags: fc.uniqueArray(words, { maxLength: 3, selector: (tag) => tag.toLowerCase() }),
    content: fc.string({ maxLength: 60 }),
    language: fc.option(fc.constantFrom('de', 'no', 'pt-BR'), { nil: undefined }),
    name: words,
  });
  fc.assert(
    fc.property(posts, ({ name, ...fields }) => {
      const post = { ...bare, ...fields, author: { name }, series: { name, part: 3 } };
      const { split, fields: read, errors, remarks } = readHead(postFile(post), 'exact');
      expect([...errors, ...remarks]).toEqual([]);
      expect(split.body).toBe(fields.content);
      const { title, description, tags, language, author, series } = read;
      expect({ title, description, tags, language }).toEqual({ ...fields, content: undefined });
      expect([author?.name, series]).toEqual([name, { name, part: 3 }]);
    }),
  );
});
