import { describe, expect, it } from 'vitest';
import { updateBlogBody } from '../../../server/blogs/schemas.ts';
import { createPostBody } from '../../../server/posts/create-schemas.ts';
import { parseTo } from '../../../server/redirects/address-rules.ts';

const post = (fields: object) => createPostBody.safeParse({ title: 'T', content: 'C', ...fields });
const settings = (fields: object) => updateBlogBody.safeParse({ settings: fields });

/** Every field that takes an absolute address, and whether it takes this one. */
const fields: readonly (readonly [name: string, accepts: (url: string) => boolean])[] = [
  ['canonical_url', (url) => post({ canonical_url: url }).success],
  ['author.url', (url) => post({ author: { name: 'A', url } }).success],
  ['author.image', (url) => post({ author: { name: 'A', image: url } }).success],
  ['cover_image.url', (url) => post({ cover_image: { url } }).success],
  ['meta.og_image', (url) => post({ meta: { og_image: url } }).success],
  ['translations', (url) => post({ translations: { de: url } }).success],
  ['settings.author.url', (url) => settings({ author: { name: 'A', url } }).success],
  ['settings.icon', (url) => settings({ icon: url }).success],
  ['settings.social_links', (url) => settings({ social_links: [{ label: 'A', url }] }).success],
  ['settings.navigation', (url) => settings({ navigation: [{ label: 'A', url }] }).success],
  ['the target of a redirect', (url) => 'target' in parseTo(url)],
];

describe.each(fields)('%s', (_name, accepts) => {
  it.each(['https://example.org/a@b?c=d:e@f', 'http://example.org:8080/'])('may be %s', (url) => {
    expect(accepts(url)).toBe(true);
  });

  it.each(['https://user:secret@example.org/', 'https://user@example.org/', 'http://:secret@example.org/'])(
    'is not %s, which every reader would see',
    (url) => {
      expect(accepts(url)).toBe(false);
    },
  );
});

it('the refusal says what is wrong', () => {
  const { error } = post({ canonical_url: 'https://user:secret@example.org/' });
  expect(error?.issues).toMatchObject([
    { path: ['canonical_url'], message: 'must not contain a user name or password' },
  ]);
});
