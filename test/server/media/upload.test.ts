// Slow: starts a server, decodes and re-encodes images of the largest size, and waits for variants.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { animation, difference, picture, tinyGif, withJpegSegment } from '../../support/pictures.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

const MAX_BYTES = 5_242_880;
const FOUR_TYPES = /image\/jpeg, image\/png, image\/gif, or image\/webp/;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen, 'enterprise');
});
afterAll(() => platen.close());

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const upload = (fields: object, headers = {}, key = author.key) =>
  platen.call('POST', '/upload', fields, { key, headers });

/** Sends a form whose parts have these headers and contents. */
function uploadForm(
  parts: readonly (readonly [headers: string, content: Uint8Array | string])[],
  type = 'multipart/form-data; boundary=frontier',
): Promise<Answer> {
  const lines = parts.flatMap(([headers, content]) => [
    `--frontier\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const raw = Buffer.concat([...lines, '--frontier--\r\n'].map((line) => Buffer.from(line)));
  return platen.call('POST', '/upload', undefined, {
    key: author.key,
    raw,
    headers: { 'Content-Type': type },
  });
}

/** Fetches an uploaded image from the address in the response. */
async function fetchImage(answer: Answer): Promise<{ headers: Headers; bytes: Buffer }> {
  expect(answer.status, answer.text).toBe(201);
  const response = await fetch(answer.json.url);
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A separate account for a test with many uploads, since ten a minute are counted by account. */
const freshAuthor = async () => {
  author = await newAuthor(platen, 'enterprise');
};

/** Variants of earlier images are made in the background, and their files appear and vanish. */
const untilNothingIsMade = () => platen.services.imageVariants.make();

describe('uploading an image', () => {
  beforeAll(freshAuthor);

  it.each(['jpeg', 'png', 'gif', 'webp'] as const)('an image is stored and served: %s', async (format) => {
    const image = await picture().toFormat(format).toBuffer();
    const answer = await upload({ data: base64(image), content_type: `image/${format}`, filename: 'a.bin' });
    expect(Object.keys(answer.json)).toEqual(['url']);
    const extension = format === 'jpeg' ? 'jpg' : format;
    const pattern = `^${platen.origin}/media/${author.blogId}/[0-9a-f-]{36}\\.${extension}$`;
    expect(answer.json.url).toMatch(new RegExp(pattern));
    const { headers, bytes } = await fetchImage(answer);
    expect(headers.get('content-type')).toBe(`image/${format}`);
    expect((await difference(image, bytes)).mean).toBeLessThan(2);
  });

  it('an image can be uploaded as a file in a form', async () => {
    const image = await animation('gif');
    const headers = 'name="file"; filename="moving.gif"\r\nContent-Type: image/gif';
    const answer = await uploadForm([
      ['name="other"', 'not read'],
      [headers, image],
    ]);
    expect(answer.json.warnings).toEqual(['`other` is not a field of this form, which has `file`']);
    const { bytes } = await fetchImage(answer);
    expect((await difference(image, bytes)).largest).toBe(0);
  });

  it('the type of a form’s image follows from its file name if the form declares none', async () => {
    const image = await picture().jpeg().toBuffer();
    for (const type of ['', '\r\nContent-Type: application/octet-stream']) {
      const answer = await uploadForm([[`name="file"; filename="A photo.JPEG"${type}`, image]]);
      expect(answer.json.url).toMatch(/\.jpg$/);
    }
  });

  it('an uploaded image reveals nothing of where and by whom it was taken', async () => {
    const exif = { IFD0: { Artist: 'planted' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
    const plain = await picture().withExif(exif).withXmp('<planted/>').jpeg().toBuffer();
    const image = Buffer.concat([withJpegSegment(plain, 0xfe, 'planted'), Buffer.from('<script>planted')]);
    const { bytes } = await fetchImage(await upload({ data: base64(image), content_type: 'image/jpeg' }));
    expect(bytes.includes('planted')).toBe(false);
    expect(bytes.includes('Exif')).toBe(false);
  });

  it('every upload has a name of its own, and no two share a file', async () => {
    const body = { data: base64(tinyGif()), content_type: 'image/gif' };
    const [first, second] = await Promise.all([upload(body), upload(body)]);
    expect(first.json.url).not.toBe(second.json.url);
  });
});

describe('the blog of an image', () => {
  beforeAll(freshAuthor);
  const body = { data: base64(tinyGif()), content_type: 'image/gif' };
  const blogIn = (answer: Answer) => new URL(answer.json.url).pathname.split('/')[2];

  it('the blog of an image is selected like that of a post', async () => {
    const newer = (await author.call('POST', '/blogs', { slug: 'pictures', name: 'Pictures' })).json.id;
    expect(blogIn(await upload(body))).toBe(author.blogId);
    expect(blogIn(await upload(body, { 'X-Blog-Id': newer }))).toBe(newer);
    const stranger = await newAuthor(platen);
    for (const id of [stranger.blogId, uuid(), '../..']) {
      expectRefusal(await upload(body, { 'X-Blog-Id': id }), 404, /blog not found/);
    }
  });

  it('an image needs an existing blog', async () => {
    const { key } = await platen.account({ tier: 'free' });
    expectRefusal(await upload(body, {}, key), 404, /no blog yet/);
  });
});

describe('base64 of an upload', () => {
  beforeAll(freshAuthor);
  /** This base64 has both characters in which the alphabets differ, and padding. */
  const image = tinyGif({ blocks: [0x21, 0xfe, 4, 0xfb, 0xef, 0xff, 0xbe, 0] });
  const text = base64(image);
  const send = (data: unknown) => upload({ data, content_type: 'image/gif' });

  it.each([
    ['in the standard alphabet', text],
    ['in the URL-safe alphabet', text.replaceAll('+', '-').replaceAll('/', '_')],
    ['without padding', text.replace(/=+$/, '')],
    ['in several lines', text.replace(/.{16}/g, '$&\r\n')],
  ])('base64 is read %s', async (_name, data) => {
    expect(text).toMatch(/\+.*\/|\/.*\+/);
    expect((await send(data)).status).toBe(201);
  });

  it.each([
    ['a data address', `data:image/gif;base64,${text}`, /without "data:/],
    ['a character outside the alphabet', `${text.slice(0, 8)}!${text.slice(9)}`, /must be base64/],
    ['a NUL', `${text}\0`, /must be base64/],
    ['padding inside', `${text.slice(0, 6)}==${text.slice(8)}`, /must be base64/],
    ['too much padding', `${text.replace(/=+$/, '')}====`, /must be base64/],
    ['one character too many', `${text.replace(/=+$/, '').slice(0, -2)}`.slice(0, 41), /must be base64/],
    ['a list of bytes', [...image], /string/],
    ['null', null, /string/],
  ])('base64 is refused with %s', async (_name, data, message) => {
    const answer = await send(data);
    expectRefusal(answer, 400, message);
    expect(answer.json.message).toMatch(/^data: /);
  });
});

describe('uploads that are refused', () => {
  beforeAll(freshAuthor);
  const gif = base64(tinyGif());

  it.each([
    ['without data', { content_type: 'image/gif' }, /^data: /],
    ['without a type', { data: gif }, /^content_type: /],
    ['of an SVG', { data: base64(Buffer.from('<svg/>')), content_type: 'image/svg+xml' }, /^content_type: /],
    ['of an unknown type', { data: gif, content_type: 'image/gif; x=y' }, /^content_type: /],
    ['of AVIF', { data: gif, content_type: 'image/avif' }, FOUR_TYPES],
    ['of TIFF', { data: gif, content_type: 'image/tiff' }, FOUR_TYPES],
    [
      'of a TIFF that is declared as PNG',
      { data: base64(Buffer.from('II*\0')), content_type: 'image/png' },
      FOUR_TYPES,
    ],
    ['with an unusable name', { data: gif, content_type: 'image/gif', filename: 7 }, /^filename: /],
    ['of no bytes', { data: '', content_type: 'image/gif' }, /^the image is empty/],
    ['of white space', { data: ' \n ', content_type: 'image/gif' }, /^the image is empty/],
    [
      'of another type than declared',
      { data: gif, content_type: 'image/png' },
      /^the image is not image\/png/,
    ],
    [
      'of HTML',
      { data: base64(Buffer.from('<!doctype html>')), content_type: 'image/png' },
      /is not image\/png/,
    ],
    ['of half a type', { data: base64(Buffer.from('GIF8')), content_type: 'image/gif' }, /is not image\/gif/],
  ])('an upload %s is refused', async (_name, body, message) => {
    const before = await writtenRows(platen.services.db);
    expectRefusal(await upload(body), 400, message);
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it.each([
    ['GIF and script', Buffer.from('GIF89a/*\0\0\0\0*/=1;alert(document.domain)//'), 'image/gif'],
    ['PNG and page', Buffer.from('\x89PNG\r\n\x1a\n<html><script>alert(1)</script>', 'latin1'), 'image/png'],
    ['JPEG and program', Buffer.from('\xff\xd8\xff\xe0<?php system($_GET[0]); ?>', 'latin1'), 'image/jpeg'],
    [
      'WebP and page',
      Buffer.from('RIFF\x20\0\0\0WEBP<html><script>alert(1)</script>', 'latin1'),
      'image/webp',
    ],
  ])('a polyglot that is not an image is refused: %s', async (_name, bytes, content_type) => {
    const answer = await upload({ data: base64(bytes), content_type });
    expectRefusal(answer, 400, /^the image cannot be decoded/);
    expect(answer.text).not.toMatch(/vips|sharp|node_modules/i);
  });

  it('an upload is refused if its form has no file, several files, or a file of another type', async () => {
    const file = 'name="file"; filename="a.gif"\r\nContent-Type: image/gif';
    expectRefusal(await uploadForm([]), 400, /^file: is missing/);
    expectRefusal(await uploadForm([['name="data"', gif]]), 400, /^file: is missing/);
    expectRefusal(
      await uploadForm([
        [file, tinyGif()],
        [file, tinyGif()],
      ]),
      400,
      /^file: must be one file/,
    );
    expectRefusal(await uploadForm([[file, '']]), 400, /is empty/);
    expectRefusal(
      await uploadForm([['name="file"', tinyGif()]]),
      400,
      /^file: must be image\/jpeg, .*, by its Content-Type or its name/,
    );
    const named = 'name="file"; filename="a.svg"';
    expectRefusal(await uploadForm([[named, '<svg/>']]), 400, /^file: must be image\/jpeg/);
    const avif = 'name="file"; filename="a.avif"';
    expectRefusal(await uploadForm([[avif, 'ftypavif']]), 400, FOUR_TYPES);
    const text = 'name="file"; filename="a.gif"\r\nContent-Type: text/plain';
    expectRefusal(await uploadForm([[text, tinyGif()]]), 400, /^content_type: /);
    const png = 'name="file"; filename="a.gif"\r\nContent-Type: image/png';
    expectRefusal(await uploadForm([[png, tinyGif()]]), 400, /is not image\/png/);
  });

  it('an upload is refused if its form is malformed', async () => {
    expectRefusal(await uploadForm([], 'multipart/form-data'), 400, /names no boundary/);
    expectRefusal(await uploadForm([], 'multipart/form-data; boundary=other'), 400, /does not occur/);
  });

  it.each(['text/plain', 'image/gif', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
    'an upload is refused if its body is neither JSON nor a form: %s',
    async (type) => {
      const options = { key: author.key, raw: tinyGif(), headers: { 'Content-Type': type } };
      expectRefusal(
        await platen.call('POST', '/upload', undefined, options),
        415,
        /image\/jpeg, image\/png, image\/gif, or image\/webp.*application\/json.*"file"/,
      );
    },
  );

  it('an upload is refused without a body', async () => {
    const answer = await platen.call('POST', '/upload', undefined, { key: author.key });
    expectRefusal(answer, 400, /^the body is empty: send a JSON object or a form\ndata: /);
  });

  it('an upload is refused without the scope to write media', async () => {
    const { key } = await platen.account({ tier: 'scale', scopes: ['media:read', 'posts:write'] });
    expectRefusal(await upload({ data: gif, content_type: 'image/gif' }, {}, key), 403, /media:write/);
  });
});

describe('the size of an image', () => {
  beforeAll(freshAuthor);
  /** A JPEG padded to a length with bytes after its end, as cameras append them. */
  const ofSize = async (bytes: number) => Buffer.concat([await picture().jpeg().toBuffer()], bytes);

  it('an image has at most 5,242,880 bytes', async () => {
    const image = await ofSize(MAX_BYTES);
    const larger = await ofSize(MAX_BYTES + 1);
    const file = 'name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg';
    expect((await upload({ data: base64(image), content_type: 'image/jpeg' })).status).toBe(201);
    expect((await uploadForm([[file, image]])).status).toBe(201);
    const tooLarge = /larger than 5242880 bytes/;
    expectRefusal(await upload({ data: base64(larger), content_type: 'image/jpeg' }), 400, tooLarge);
    expectRefusal(await uploadForm([[file, larger]]), 400, tooLarge);
  });

  it('an image of the largest size may have line breaks and escaped slashes in its base64', async () => {
    const data = base64(await ofSize(MAX_BYTES)).replace(/.{76}/g, '$&\r\n');
    const raw = JSON.stringify({ data, content_type: 'image/jpeg' }).replaceAll('/', '\\/');
    expect((await platen.call('POST', '/upload', undefined, { key: author.key, raw })).status).toBe(201);
  });

  it('an upload that is far too large is not read to its end', async () => {
    const raw = Buffer.alloc(20 * 1_048_576, '-');
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      const options = { key: author.key, raw, headers: { 'Content-Type': type } };
      expectRefusal(await platen.call('POST', '/upload', undefined, options), 400, /5242880 bytes \(5 MB\)/);
    }
  });
});

describe('more than ten uploads a minute', () => {
  const body = { data: base64(tinyGif()), content_type: 'image/gif' };

  it('uploads beyond ten a minute are refused until the minute is over, by account', async () => {
    const { accountId, key } = await newAuthor(platen, 'free');
    const request = { accountId, blogId: null, name: 'Second', scopes: ['*'], expiresAt: null } as const;
    const { secret } = await platen.services.credentials.issue(request);
    const nothing = { data: base64(Buffer.from('not an image')), content_type: 'image/gif' };
    for (let n = 0; n < 5; n += 1) expect((await upload(nothing, {}, key)).status).toBe(400);
    const broken = { data: base64(tinyGif().subarray(0, -10)), content_type: 'image/gif' };
    expect((await upload(broken, {}, key)).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 9 }, () => upload(body, {}, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(201));
    for (const used of [key, secret]) {
      const answer = await upload(body, {}, used);
      expectRefusal(answer, 429, /10 images a minute/, ['retry_after']);
      expect(answer.json.retry_after).toBeGreaterThan(0);
      expect(answer.json.retry_after).toBeLessThanOrEqual(60);
      expect(answer.headers.get('retry-after')).toBe(String(answer.json.retry_after));
      expect(answer.headers.get('x-ratelimit-limit')).toBe('60');
    }
    await freshAuthor();
    expect((await upload(body)).status).toBe(201);
  });
});

describe('uploads of decompression bombs', () => {
  it('the API serves other requests while bombs are decoded', async () => {
    await freshAuthor();
    const create = { width: 5000, height: 3000, channels: 3 as const, background: '#888' };
    const bomb = base64(await sharp({ create }).webp({ lossless: true, effort: 0 }).toBuffer());
    let decoding = true;
    const bombs = [1, 2].map(() => upload({ data: bomb, content_type: 'image/webp' }));
    const all = Promise.all(bombs).finally(() => {
      decoding = false;
    });
    const other = await platen.account({ tier: 'enterprise' });
    const answered: number[] = [];
    while (decoding) {
      const started = performance.now();
      const { status } = await platen.call('GET', '/blogs', undefined, { key: other.key });
      expect(status).toBe(200);
      answered.push(performance.now() - started);
    }
    expect((await all).map(({ status }) => status)).toEqual([201, 201]);
    // If the machine itself pauses for a while, one of the times is long.
    answered.sort((a, b) => a - b);
    expect(answered.length).toBeGreaterThan(5);
    expect(answered[Math.floor(answered.length / 2)]).toBeLessThan(1000);
  });
});

it('a retried upload with its key gets the same response and stores the image once', async () => {
  await freshAuthor();
  const send = () =>
    upload({ data: base64(tinyGif()), content_type: 'image/gif' }, { 'Idempotency-Key': 'once' });
  expect((await send()).json).toEqual((await send()).json);
  const rows = await platen.services.db
    .selectFrom('images')
    .where('blog_id', '=', author.blogId)
    .selectAll()
    .execute();
  expect(rows).toHaveLength(1);
});

describe('deleting a blog with images', () => {
  it('a deleted blog loses its images, and no other blog does', async () => {
    await freshAuthor();
    const body = { data: base64(tinyGif()), content_type: 'image/gif' };
    const kept = await upload(body);
    const other = (await author.call('POST', '/blogs', { slug: 'short-lived', name: 'Short-lived' })).json.id;
    const gone = await upload(body, { 'X-Blog-Id': other });
    await fetchImage(gone);
    expect((await author.call('DELETE', `/blogs/${other}`)).status).toBe(200);
    await untilNothingIsMade();
    await platen.services.images.removeOrphans();
    expect((await fetch(gone.json.url)).status).toBe(404);
    expect(existsSync(join(platen.dataDir, 'edge', 'media', other))).toBe(false);
    await fetchImage(kept);
    const rows = await platen.services.db.selectFrom('images').select('blog_id').execute();
    expect(rows.map((row) => row.blog_id)).not.toContain(other);
    expect(await platen.services.db.selectFrom('orphaned_media').selectAll().execute()).toEqual([]);
  });
});

it('uploads leave no unfinished files', async () => {
  await untilNothingIsMade();
  expect(readdirSync(join(platen.dataDir, 'edge', '.unfinished-media'))).toEqual([]);
});

describe('an uploaded image in a post', () => {
  const htmlOf = async (content: string) =>
    (await platen.call('POST', '/markdown', { content }, { key: author.key })).json.content_html;

  it('an uploaded image is shown with its width and height', async () => {
    const clean = await upload({
      data: base64(await picture(30, 20).png().toBuffer()),
      content_type: 'image/png',
    });
    const { url } = clean.json;
    expect(await htmlOf(`![a](${url})\n\n![b](${url} "t")`)).toBe(
      `<p><img src="${url}" alt="a" width="30" height="20" loading="lazy" decoding="async" /></p>\n` +
        `<figure><img src="${url}" alt="b" width="30" height="20" loading="lazy" decoding="async" /><figcaption>t</figcaption></figure>\n`,
    );
  });

  it('an uploaded image is shown with its address of today, whatever address the post has', async () => {
    const { url } = (
      await upload({ data: base64(await picture(30, 20).png().toBuffer()), content_type: 'image/png' })
    ).json;
    const { pathname } = new URL(url);
    for (const address of [`https://e.example${pathname}`, pathname]) {
      expect(await htmlOf(`![a](${address})`)).toContain(`<img src="${url}" alt="a" width="30"`);
      const { json } = await platen.call('POST', '/markdown', { content: `[a](${address})` }, author);
      expect(json.links).toEqual([url]);
    }
    const stranger = await newAuthor(platen);
    const content = `![a](https://e.example${pathname})`;
    const { json } = await platen.call('POST', '/markdown', { content }, stranger);
    expect(json.content_html).toContain(`<img src="https://e.example${pathname}" alt="a" loading`);
  });

  it('a missing image has no size', async () => {
    const url = `${platen.services.config.mediaUrl}/${uuid()}/${uuid()}.png`;
    expect(await htmlOf(`![a](${url})`)).not.toContain('width');
  });
});
