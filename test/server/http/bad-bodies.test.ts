// Slow: starts a whole server, and sends every wrong body to every operation that reads one.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { exchange } from '../../support/raw-http.ts';
import { writtenRows } from '../../support/written-rows.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  await author.post({ slug: 'subject', status: 'draft' });
});
afterAll(() => platen.close());

/** Every operation that reads a body. */
const writes = [
  ['POST', '/posts'],
  ['PUT', '/posts/subject'],
  ['POST', '/blogs'],
] as const;

const send = (method: string, path: string, raw: string | Uint8Array, headers = {}) =>
  platen.call(method, path, undefined, { key: author.key, raw, headers });

/** Sends a body to every operation that reads one: each must refuse it in the same way and write nothing. */
async function expectRefusedByAll(
  raw: string | Uint8Array,
  message: RegExp,
  { status = 400, headers = {} } = {},
): Promise<void> {
  const before = await writtenRows(platen.services.db);
  for (const [method, path] of writes) expectRefusal(await send(method, path, raw, headers), status, message);
  expect(await writtenRows(platen.services.db)).toEqual(before);
}

/** A valid body of each operation, with one field replaced by raw JSON. */
const bodyWith = (field: string, json: string): string =>
  JSON.stringify({ title: 'T', content: 'C', name: 'N', slug: `s-${Date.now()}`, [field]: '@' }).replace(
    '"@"',
    json,
  );

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a body that is not JSON', () => {
  it.each([
    ['truncated JSON', '{"title": "T", "content": "C"'],
    ['JSON truncated in a string', '{"title": "T'],
    ['two JSON values', '{} {}'],
    ['unquoted text', '{title: 1}'],
    ['form data', 'title=T&content=C'],
    ['blank space', '   '],
    ['a bare control character', '{"title":"a\nb"}'],
  ])('a body that is not JSON is refused: %s', (_name, raw) => expectRefusedByAll(raw, /not valid JSON/));

  it('a refusal of invalid JSON does not repeat the body', async () => {
    const { json } = await send('POST', '/posts', '{"title": secret-words}');
    expect(json.message).not.toContain('secret-words');
  });

  it('a body that is not UTF-8 is refused', async () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
    ]) {
      await expectRefusedByAll(Uint8Array.from(bytes), /not valid UTF-8/);
    }
  });
});

describe('a body that is not an object', () => {
  it.each(['[]', '[{"title":"T","content":"C"}]', '42', '"text"', 'true', 'null'])(
    'a body that is not an object is refused: %s',
    (raw) => expectRefusedByAll(raw, /^the body: [^\n]*$/),
  );

  it('a body nested 100,000 levels deep is refused', () =>
    expectRefusedByAll(deep(100_000), /^the body must not be nested deeper/));

  it('an unclosed body nested 100,000 levels deep is refused', () =>
    expectRefusedByAll('['.repeat(100_000), /^the body must not be nested deeper/));
});

describe('a body of another media type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    'a/b/c',
  ])('a body of another media type is refused: %s', (type) =>
    expectRefusedByAll('{}', /application\/json/, { status: 415, headers: { 'Content-Type': type } }),
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/ld+json'])(
    'a body of a JSON media type is accepted: %s',
    async (type) => {
      const answer = await send('POST', '/posts', '{"title":"T","content":"C"}', { 'Content-Type': type });
      expect(answer.status).toBe(201);
    },
  );
});

describe('a compressed body', () => {
  const json = '{"title":"Compressed","content":"C"}';

  it.each([
    ['gzip', gzipSync(json)],
    ['br', brotliCompressSync(json)],
  ])('a compressed body is read: %s', async (encoding, bytes) => {
    const { status } = await send('POST', '/posts', bytes, { 'Content-Encoding': encoding });
    expect(status).toBe(201);
  });

  it.each(['gzip', 'deflate', 'br'])('a compressed body is refused if it is not %s', (encoding) =>
    expectRefusedByAll(json, /malformed/, { headers: { 'Content-Encoding': encoding } }),
  );

  it.each(['zstd', 'compress', 'nonsense'])('a body in the encoding %s is refused', (encoding) =>
    expectRefusedByAll(json, /encoding/, { status: 415, headers: { 'Content-Encoding': encoding } }),
  );
});

describe('a field of the wrong type', () => {
  it.each([
    ['/posts', '{"title":7,"content":"C"}', 'title'],
    ['/posts', `{"title":${deep(20)},"content":"C"}`, 'title'],
    ['/posts', '{"title":"T","content":{"a":1}}', 'content'],
    ['/posts', '{"title":"T","content":"C","tags":"a"}', 'tags'],
    ['/posts', '{"title":"T","content":"C","tags":{"0":"a","length":1}}', 'tags'],
    ['/posts', '{"title":"T","content":"C","tags":["a",{"b":1}]}', 'tags[1]'],
    ['/posts', '{"title":"T","content":"C","status":true}', 'status'],
    ['/posts', '{"title":"T","content":"C","meta":"x"}', 'meta'],
    ['/posts', '{"title":"T","content":"C","meta":{"description":[]}}', 'meta.description'],
    ['/posts', '{"title":"T","content":"C","meta":{"og_image":1e999}}', 'meta.og_image'],
    ['/posts', '{"__proto__":{"title":"T","content":"C"}}', 'title'],
    ['/blogs', '{"slug":["a"],"name":"N"}', 'slug'],
    ['/blogs', '{"slug":"a","name":{"toString":1}}', 'name'],
    ['/blogs', '{"slug":"a","name":"N","description":0}', 'description'],
  ])('a field of the wrong type is refused by its path: %s %s', async (path, raw, field) => {
    const before = await writtenRows(platen.services.db);
    const answer = await send('POST', path, raw);
    expectRefusal(answer, 400, /./);
    expect(answer.json.message.split(': ')[0]).toBe(field);
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });
});

describe('text that cannot be stored', () => {
  const unstorable = ['"a\\ud800b"', '"a\\udc00"', '"a\\u0000b"'];
  const fields = [
    ['/posts', 'title', (text: string) => bodyWith('title', text)],
    ['/posts', 'content', (text: string) => bodyWith('content', text)],
    ['/posts', 'slug', (text: string) => bodyWith('slug', text)],
    ['/posts', 'tags[0]', (text: string) => bodyWith('tags', `[${text}]`)],
    ['/posts', 'meta.description', (text: string) => bodyWith('meta', `{"description":${text}}`)],
    [
      '/posts',
      'meta.og_image',
      (text: string) => bodyWith('meta', `{"og_image":${text.replace('"', '"https://example.org/')}}`),
    ],
    ['/blogs', 'name', (text: string) => bodyWith('name', text)],
    ['/blogs', 'description', (text: string) => bodyWith('description', text)],
  ] as const;

  it.each(fields)('%s is refused in %s', async (path, field, body) => {
    const before = await writtenRows(platen.services.db);
    for (const text of unstorable) {
      const answer = await send('POST', path, body(text));
      expectRefusal(answer, 400, /./);
      expect(answer.json.message.split(': ')[0]).toBe(field);
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it.each(['\\u0007', '\\u001b[31m', '\\n', '\\u0085'])(
    'a control character is refused in a line: a%sb',
    async (control) => {
      expectRefusal(
        await send('POST', '/posts', bodyWith('title', `"a${control}b"`)),
        400,
        /^title: .*control/,
      );
      expectRefusal(
        await send('POST', '/posts', bodyWith('tags', `["a${control}b"]`)),
        400,
        /^tags\[0\]: .*control/,
      );
      expectRefusal(
        await send('POST', '/blogs', bodyWith('name', `"a${control}b"`)),
        400,
        /^name: .*control/,
      );
    },
  );
});

describe('a body with superfluous content', () => {
  it('the last value counts if a key is repeated', async () => {
    const { json } = await send('POST', '/posts', '{"title":"First","title":"Last","content":"C"}');
    expect(json.slug).toBe('last');
  });

  it('keys like __proto__ change no prototype', async () => {
    const raw =
      '{"title":"T","content":"C","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},' +
      '"meta":{"__proto__":{"description":"polluted"}}}';
    const { json } = await send('POST', '/posts', raw);
    expect(Object('').polluted).toBeUndefined();
    expect((await author.call('GET', `/posts/${json.slug}`)).json.meta_description).toBe('C');
  });

  it('unknown fields are named and change nothing, unless they are nested too deeply', async () => {
    const { status, json } = await send('POST', '/posts', bodyWith('unknown', deep(63)));
    expect(status).toBe(201);
    expect(json.warnings).toEqual([
      expect.stringMatching(/^`name` is/),
      expect.stringMatching(/^`unknown` is/),
    ]);
    expectRefusal(await send('POST', '/posts', bodyWith('unknown', deep(50_000))), 400, /nested deeper/);
  });
});

describe('all that is wrong with a request', () => {
  it('a refusal lists all of it, in a line and in an entry each', async () => {
    const { status, json } = await send('POST', '/posts', '{"titel":"T","tags":["a",""],"meta":7}');
    expect([status, json]).toEqual([
      400,
      {
        error: 'bad_request',
        message: [
          'title: is missing',
          'tags[1]: must not be empty',
          'meta: must be an object, optionally with `description` and `og_image`',
          'content: is missing',
        ].join('\n'),
        errors: [
          { field: 'title', message: 'is missing' },
          { field: 'tags[1]', message: 'must not be empty' },
          { field: 'meta', message: 'must be an object, optionally with `description` and `og_image`' },
          { field: 'content', message: 'is missing' },
        ],
        warnings: ['`titel` is not a field of this request: did you mean `title`?'],
      },
    ]);
  });

  it('a strict refusal lists what is invalid, then what is unknown', async () => {
    const strict = { Prefer: 'handling=strict' };
    const { json, headers } = await send('POST', '/posts', '{"titel":"T","content":"C"}', strict);
    expect(json.message).toBe(
      'title: is missing\ntitel: is not a field of this request: did you mean `title`?',
    );
    expect(headers.get('preference-applied')).toBe('handling=strict');
  });

  it('a refusal lists at most ten problems, and counts the rest', async () => {
    const tags = JSON.stringify(Array.from({ length: 12 }, () => 7));
    const { json } = await send('POST', '/posts', `{"title":"T","content":"C","tags":${tags}}`);
    expect(json.errors).toHaveLength(10);
    expect(json.message.split('\n').slice(9)).toEqual(['tags[9]: must be a string', 'and 3 more']);
  });

  it('a repeated parameter is refused by name, and an unknown one is named once', async () => {
    const repeated = await author.call('GET', '/posts?status=draft&status=draft');
    expectRefusal(repeated, 400, /^status: must be given once$/);
    for (const path of ['/posts?perPage=1&perPage=2', '/posts/subject?perPage=1']) {
      const { status, json } = await author.call('GET', path);
      expect([status, json.warnings?.length]).toEqual([200, 1]);
    }
    const discovered = await platen.call('GET', '/discover?q=a&perpage=1', undefined, { key: null });
    expect(discovered.json.warnings).toEqual([
      '`perpage` is not a query parameter of this request: did you mean `per_page`?',
    ]);
  });

  it('hostile names of fields cost little and are shown in part', async () => {
    const long = `\u202e${'x'.repeat(1_048_576)}`;
    const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`f${n}`, n]));
    const body = { title: 'T', content: 'C', [long]: 1, ...many };
    const { status, json, text } = await send('POST', '/posts', JSON.stringify(body));
    expect([status, json.warnings.length, json.warnings[9]]).toEqual([201, 10, 'and 11992 more of the kind']);
    expect(json.warnings[0]).toMatch(/^`\\u\{202e\}x+…` is not a field/);
    expect(text.length).toBeLessThan(3_000);
  });

  it('a request that takes no body names what is in one', async () => {
    const path = '/posts/subject/unpublish';
    expect((await send('POST', path, '{}')).json.warnings).toBeUndefined();
    for (const raw of ['not JSON', `{"a":"${'x'.repeat(70_000)}"}`]) {
      const { status, json } = await send('POST', path, raw);
      expect([status, json.warnings]).toEqual([200, ['the body is not read: this request takes none']]);
    }
  });
});

describe('a body that breaks off', () => {
  it('a body that breaks off writes nothing, and the server works on', async () => {
    const before = await writtenRows(platen.services.db);
    const { port, host } = new URL(platen.origin);
    const body = '{"title":"T","content":"C"}';
    const head = `POST /v1/posts HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${author.key}\r\n`;
    const json = 'Content-Type: application/json\r\n';
    for (const request of [
      `${head}${json}Content-Length: 1000\r\n\r\n${body}`,
      `${head}${json}Transfer-Encoding: chunked\r\n\r\n1b\r\n${body}\r\n`,
    ]) {
      expect(await exchange(Number(port), request, { hangUp: true })).not.toMatch(/^HTTP\/1.1 (?:2|5)/);
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
    expect((await author.call('GET', '/posts')).status).toBe(200);
  });
});

it.each(writes)('%s %s treats a missing body as an empty one, and says that it is', async (method, path) => {
  for (const raw of ['', undefined]) {
    const headers = raw === '' ? { 'Content-Type': 'application/json' } : {};
    const options = { key: author.key, headers, ...(raw === undefined ? {} : { raw }) };
    const answer = await platen.call(method, path, undefined, options);
    if (method === 'PUT') expect(answer.status).toBe(200);
    else expectRefusal(answer, 400, /^the body is empty: send a JSON object\n(?:title|slug): /);
  }
});
