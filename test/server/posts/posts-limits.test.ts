// Slow: starts a server, and sends and renders posts of the largest size.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const MAX_CONTENT = 1_048_576;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

const create = (fields: object) => author.call('POST', '/posts', { title: 'T', content: 'C', ...fields });
const update = (fields: object) => author.call('PUT', '/posts/subject', fields);

const image = (length: number) => `https://example.org/${'i'.repeat(length - 20)}`;

describe('limits of a post', () => {
  beforeAll(() => author.post({ slug: 'subject', status: 'draft' }));

  // The largest accepted value, one that is one too many, and the message of the refusal.
  const limits: [string, object, object, RegExp][] = [
    ['500 characters of title', { title: 't'.repeat(500) }, { title: 't'.repeat(501) }, /^title: .*500/],
    ['500 emoji of title', { title: '🎈'.repeat(500) }, { title: '🎈'.repeat(501) }, /^title: .*500/],
    ['10 tags', { tags: names(10) }, { tags: names(11) }, /^tags: .*10/],
    [
      '50 characters of tag',
      { tags: ['a', 'b'.repeat(50)] },
      { tags: ['a', 'b'.repeat(51)] },
      /^tags\[1\]: .*50/,
    ],
    ['50 emoji of tag', { tags: ['🎈'.repeat(50)] }, { tags: ['🎈'.repeat(51)] }, /^tags\[0\]: .*50/],
    ['100 characters of slug', { slug: 's'.repeat(100) }, { slug: 's'.repeat(101) }, /^slug: .*100/],
    [
      '1000 characters of description',
      { meta: { description: 'ü'.repeat(1000) } },
      { meta: { description: 'ü'.repeat(1001) } },
      /^meta\.description: .*1000/,
    ],
    [
      '2048 characters of image address',
      { meta: { og_image: image(2048) } },
      { meta: { og_image: image(2049) } },
      /^meta\.og_image: .*2048/,
    ],
  ];

  it.each(limits)('a new post may have %s and no more', async (_name, most, tooMuch, message) => {
    expectRefusal(await create(tooMuch), 400, message);
    const { status, json } = await create(most);
    expect(status).toBe(201);
    await author.call('DELETE', `/posts/${json.slug}`);
  });

  it.each(limits)('a changed post may have %s and no more', async (_name, most, tooMuch, message) => {
    expectRefusal(await update(tooMuch), 400, message);
    const { status, json } = await update(most);
    expect(status).toBe(200);
    await author.call('PUT', `/posts/${json.slug}`, { slug: 'subject' });
  });

  it.each([
    ['title', '', /^title: must not be empty/],
    ['title', ' \n\t ', /^title: must not be empty/],
    ['content', '', /^content: must not be empty/],
    ['content', ' \n\t ', /^content: must not be empty/],
    ['tags', ['a', ' '], /^tags\[1\]: must not be empty/],
  ])('the field %s needs text, and refuses %j', async (field, value, message) => {
    expectRefusal(await create({ [field]: value }), 400, message);
    expectRefusal(await update({ [field]: value }), 400, message);
  });

  it('a post needs a title and content', async () => {
    expectRefusal(await author.call('POST', '/posts', { content: 'C' }), 400, /^title: /);
    expectRefusal(await author.call('POST', '/posts', { title: 'T' }), 400, /^content: /);
  });

  it.each([
    'not a url',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '/relative.png',
    'ftp://x.org/a',
    7,
    '',
  ])('an image needs a web address, which %j is not', async (og_image) => {
    expectRefusal(await create({ meta: { og_image } }), 400, /^meta\.og_image: /);
  });
});

describe('the limit of a post’s content', () => {
  const line = 'Some words of an ordinary paragraph.\n\n';
  const ascii = (bytes: number) =>
    line
      .repeat(Math.ceil(bytes / line.length))
      .slice(0, bytes - 1)
      .concat('.');
  // Two bytes each, so half as many characters fill the limit.
  const twoBytes = (bytes: number) => 'é'.repeat(bytes / 2);

  it('content has at most 1,048,576 bytes', async () => {
    const most = ascii(MAX_CONTENT);
    const { status, json } = await create({ content: most });
    expect(status).toBe(201);
    expect((await author.call('GET', `/posts/${json.slug}`)).json.content_md).toBe(most);
    expectRefusal(await create({ content: `${most}.` }), 400, /^content: .*1048576 bytes/);
  });

  it('the content limit counts bytes, not characters', async () => {
    const most = twoBytes(MAX_CONTENT);
    expect((await create({ content: most })).status).toBe(201);
    expectRefusal(await create({ content: `${most}.` }), 400, /^content: .*1048576 bytes/);
    expectRefusal(await create({ content: '本'.repeat(MAX_CONTENT / 2) }), 400, /^content: .*1048576 bytes/);
  });

  it('the content limit counts the text, not its JSON escapes', async () => {
    const escaped = (bytes: number) => `{"title":"T","content":"${'\\u0061'.repeat(bytes)}"}`;
    const post = (raw: string) => platen.call('POST', '/posts', undefined, { key: author.key, raw });
    expect((await post(escaped(MAX_CONTENT))).status).toBe(201);
    expectRefusal(await post(escaped(MAX_CONTENT + 1)), 400, /^content: .*1048576 bytes/);
  });

  it('the content limit applies when a post is changed', async () => {
    const { slug } = await author.post({ status: 'draft' });
    const most = ascii(MAX_CONTENT);
    expectRefusal(
      await author.call('PUT', `/posts/${slug}`, { content: `${most}.` }),
      400,
      /^content: .*bytes/,
    );
    expect((await author.call('PUT', `/posts/${slug}`, { content: most })).status).toBe(200);
  });

  it('the request body has a limit, compressed or not', async () => {
    const body = JSON.stringify({ title: 'T', content: 'a'.repeat(7 * MAX_CONTENT) });
    const post = (raw: string | Uint8Array, headers = {}) =>
      platen.call('POST', '/posts', undefined, { key: author.key, raw, headers });
    expectRefusal(await post(body), 400, /body is too large: at most 6 MiB are allowed/);
    expectRefusal(
      await post(gzipSync(body), { 'Content-Encoding': 'gzip' }),
      400,
      /body is too large: at most 6 MiB are allowed/,
    );
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `tag ${i}`);
}
