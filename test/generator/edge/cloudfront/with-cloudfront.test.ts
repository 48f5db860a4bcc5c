import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyValueStore } from '../../../../generator/edge/cloudfront/key-values.ts';
import { withCloudFront } from '../../../../generator/edge/cloudfront/with-cloudfront.ts';
import type { ReadableEdge } from '../../../../generator/edge/edge.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../../support/aws-endpoint.ts';

const USUAL = "/*\n  X-A: 1\n  Content-Security-Policy: default-src 'none'\n\n/search/\n  ! X-A\n  X-A: 2\n";
const OPEN = USUAL.replace("'none'", 'https:');

let aws: AwsEndpoint;
const files = new Map<string, string>();
const pauses: number[] = [];
beforeEach(async () => {
  aws = await startAwsEndpoint();
  files.clear();
  pauses.length = 0;
});
afterEach(async () => {
  expect(aws.problems).toEqual([]);
  await aws.close();
});

const bucket: ReadableEdge = {
  concurrency: 32,
  read: async (path) => Buffer.from(files.get(path) ?? ''),
  async write(path, bytes) {
    files.set(path, Buffer.from(bytes).toString('utf8'));
  },
  async remove(paths) {
    for (const path of paths) files.delete(path);
  },
  invalidate: async () => 0,
  async *list(folder) {
    for (const [path, content] of files)
      if (path.startsWith(folder)) yield { path, size: content.length, md5: null };
  },
};

function openKeyValues(arn = aws.keyValueStoreArn) {
  const client = new CloudFrontKeyValueStoreClient({ ...aws.client, maxAttempts: 1 });
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  return createKeyValueStore({ client, arn, sleep: pause });
}

function open(keyValues = openKeyValues(), defaultHeaders: string | null = USUAL): ReadableEdge {
  const invalidations = { send: async (paths: readonly string[]) => paths.length };
  return withCloudFront(bucket, {
    blogHost: 'blogs.example.org',
    defaultHeaders,
    invalidations,
    keyValues,
  });
}

/** Entries of the key-value store other than the usual headers. */
const known = () => new Map([...aws.keyValues].filter(([key]) => !key.startsWith('headers:usual')));

const host = (blog: string, url: string) => Buffer.from(JSON.stringify({ blog, url }));
const text = (content: string) => Buffer.from(content);

describe('hosts in the KeyValueStore', () => {
  it('a host below the blog host has no entry while its blog is there', async () => {
    await open().write('hosts/one.blogs.example.org', host('one', 'https://one.blogs.example.org/'));
    expect(known()).toEqual(new Map());
    expect(files.has('hosts/one.blogs.example.org')).toBe(true);
  });

  it('a custom domain, or a host that redirects, has an entry', async () => {
    const edge = open();
    const own = host('one', 'https://www.one.example/');
    await edge.write('hosts/www.one.example', own);
    await edge.write('hosts/one.blogs.example.org', own);
    await edge.write('hosts/old.example', own);
    expect(known()).toEqual(
      new Map([
        ['www.one.example', 'one'],
        ['one.blogs.example.org', 'https://www.one.example/'],
        ['old.example', 'https://www.one.example/'],
      ]),
    );
    expect(aws.requests[0]?.authorization).toMatch(/^AWS4-ECDSA-P256-SHA256 /);
  });

  it('the entry of a host is removed when its blog is back, and when the host is removed', async () => {
    const edge = open();
    await edge.write('hosts/one.blogs.example.org', host('one', 'https://www.one.example/'));
    await edge.write('hosts/www.one.example', host('one', 'https://www.one.example/'));
    await edge.write('hosts/one.blogs.example.org', host('one', 'https://one.blogs.example.org/'));
    expect([...known().keys()]).toEqual(['www.one.example']);
    await edge.remove(['hosts/www.one.example', 'hosts/never.example', 'sites/one/index.html']);
    expect(known()).toEqual(new Map());
  });

  it('a host whose blog has another name has an entry', async () => {
    await open().write('hosts/two.blogs.example.org', host('one', 'https://two.blogs.example.org/'));
    expect(known()).toEqual(new Map([['two.blogs.example.org', 'one']]));
  });

  it('a host file that cannot be read is an error', async () => {
    await expect(open().write('hosts/x.example', text('{}'))).rejects.toThrow(
      /hosts\/x\.example is not a valid host file/,
    );
  });
});

describe('headers in the KeyValueStore', () => {
  const usual = [
    ['headers:usual', "/search/\nX-A: 1\nContent-Security-Policy: default-src 'none'"],
    ['headers:usual:/search/', "Content-Security-Policy: default-src 'none'\nX-A: 2"],
  ] as const;

  it('a blog with the usual headers has no entry of its own', async () => {
    const edge = open();
    await edge.write('sites/one/_headers', text(USUAL));
    expect(aws.keyValues).toEqual(new Map(usual));
    await edge.write('sites/two/_headers', text(USUAL));
    expect(aws.keyValues).toEqual(new Map(usual));
  });

  it('blogs with the same headers share one entry', async () => {
    const edge = open();
    await edge.write('sites/one/_headers', text(OPEN));
    await edge.write('sites/two/_headers', text(OPEN));
    const set = aws.keyValues.get('blog:one');
    expect([...known().keys()].sort()).toEqual(
      ['blog:one', 'blog:two', `headers:${set}`, `headers:${set}:/search/`].sort(),
    );
    expect(aws.keyValues.get('blog:two')).toBe(set);
    await edge.write('sites/one/_headers', text(USUAL));
    expect(aws.keyValues.has('blog:one')).toBe(false);
    await edge.remove(['sites/two/_headers']);
    expect(aws.keyValues.has('blog:two')).toBe(false);
  });

  it('new usual headers replace the old ones', async () => {
    aws.keyValues.set('headers:usual', 'X-Of: an earlier version');
    await open().write('sites/one/_headers', text(USUAL));
    expect(aws.keyValues.get('headers:usual')).toBe(usual[0][1]);
  });

  it('headers too large for a KeyValueStore are refused with their size', async () => {
    const large = USUAL.replace('X-A: 1', `X-A: ${'x'.repeat(1_024)}`);
    await expect(open(openKeyValues(), null).write('sites/one/_headers', text(large))).rejects.toThrow(
      /the value of headers:\w+ has \d{4} bytes; 1024 are allowed/,
    );
    const long = `hosts/${'x'.repeat(513)}.example`;
    await expect(
      open(openKeyValues(), null).write(long, host('one', 'https://www.one.example/')),
    ).rejects.toThrow(/512 are allowed/);
    const odd = `${USUAL}\n/a/*/b\n  X-A: 3\n`;
    await expect(open(openKeyValues(), null).write('sites/one/_headers', text(odd))).rejects.toThrow(
      /only at the end: \/a\/\*\/b/,
    );
    expect(aws.operations()).not.toContain('UpdateKeys');
  });
});

describe('changes to the KeyValueStore', () => {
  it('a file that concerns no hosts or headers makes no request to the KeyValueStore', async () => {
    const edge = open(openKeyValues(), null);
    await edge.write('sites/one/index.html', text('page'));
    await edge.remove(['sites/one/index.html']);
    expect(aws.operations()).toEqual([]);
  });

  it('a KeyValueStore that already holds the entries is not changed', async () => {
    aws.keyValues.set('www.one.example', 'one');
    const edge = open(openKeyValues(), null);
    await edge.write('hosts/www.one.example', host('one', 'https://www.one.example/'));
    expect(aws.operations()).toEqual(['DescribeKeyValueStore', 'GetKey']);
  });

  it('simultaneous changes to the KeyValueStore are sent whole in few requests', async () => {
    const edge = open();
    const names = Array.from({ length: 120 }, (_, n) => `www.${n}.example`);
    await Promise.all(names.map((name) => edge.write(`hosts/${name}`, host('one', `https://${name}/`))));
    expect(known().size).toBe(120);
    expect(aws.operations().filter((operation) => operation === 'UpdateKeys').length).toBeLessThanOrEqual(5);
    await edge.remove(names.map((name) => `hosts/${name}`));
    expect(known().size).toBe(0);
  });

  it('the KeyValueStore is read again if somebody else changed it first', async () => {
    const keyValues = openKeyValues();
    const original = aws.keyValues.get.bind(aws.keyValues);
    let interfered = false;
    aws.keyValues.get = (key) => {
      if (!interfered) aws.interfere('of.another.example', 'another');
      interfered = true;
      return original(key);
    };
    await keyValues.change(new Map([['www.one.example', 'one']]));
    expect([...aws.keyValues.keys()]).toEqual(['of.another.example', 'www.one.example']);
    expect(aws.operations().filter((operation) => operation === 'UpdateKeys')).toHaveLength(2);
  });

  it('retries against the KeyValueStore are limited', async () => {
    aws.fail('UpdateKeys', 'ConflictException', 1_000);
    await expect(openKeyValues().change(new Map([['a', 'b']]))).rejects.toThrow(
      /another writer was still changing/,
    );
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(60_000);
  });

  it.each([
    ['DescribeKeyValueStore', 'AccessDeniedException', /give them the policy in docs\/aws\.md/],
    ['UpdateKeys', 'ServiceQuotaExceededException', /the KeyValueStore is full/],
  ])('a refusal of the KeyValueStore says what to do: %s, %s', async (operation, code, message) => {
    aws.fail(operation, code);
    await expect(openKeyValues().change(new Map([['a', 'b']]))).rejects.toThrow(message);
    expect(pauses).toEqual([]);
  });

  it('a missing KeyValueStore is named by its setting', async () => {
    const arn = aws.keyValueStoreArn.replace('8562', '0000');
    await expect(openKeyValues(arn).change(new Map([['a', 'b']]))).rejects.toThrow(/set CLOUDFRONT_KVS_ARN/);
  });

  it('the last of several simultaneous changes wins in the KeyValueStore, and changes continue after a failure', async () => {
    const keyValues = openKeyValues();
    aws.fail('UpdateKeys', 'AccessDeniedException');
    const first = keyValues.change(new Map([['a', '1']]));
    const second = keyValues.change(new Map([['a', '2']]));
    expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toContain('rejected');
    await keyValues.change(new Map([['a', '3']]));
    expect(aws.keyValues.get('a')).toBe('3');
  });

  it('the KeyValueStore changes only after the bucket has the file', async () => {
    const keyValues = openKeyValues();
    const failing = { ...bucket, write: async () => Promise.reject(new Error('the bucket fails')) };
    const invalidations = { send: async () => 0 };
    const options = { blogHost: 'blogs.example.org', defaultHeaders: null, invalidations, keyValues };
    const edge = withCloudFront(failing, options);
    await expect(edge.write('hosts/a.example', host('one', 'https://a.example/'))).rejects.toThrow(
      /bucket fails/,
    );
    expect(aws.operations()).toEqual([]);
  });

  it('a new KeyValueStore first gets all entries for the contents of the bucket', async () => {
    for (let n = 0; n < 60; n += 1)
      files.set(`hosts/www.${n}.example`, host('one', `https://www.${n}.example/`).toString());
    files.set('sites/one/_headers', OPEN);
    files.set('sites/one/index.html', 'page');
    files.set('sites/two/_headers', USUAL);
    const edge = open();
    aws.fail('UpdateKeys', 'AccessDeniedException');
    await expect(edge.write('sites/one/index.html', text('new'))).rejects.toThrow(/give them the policy/);
    expect(files.get('sites/one/index.html')).toBe('page');
    expect(aws.keyValues.size).toBe(0);
    await edge.write('sites/one/index.html', text('new'));
    const set = aws.keyValues.get('blog:one');
    expect(aws.keyValues.get(`headers:${set}`)).toContain('https:');
    expect(aws.keyValues.get('headers:usual')).toContain("'none'");
    expect(aws.keyValues.get('www.59.example')).toBe('one');
    expect(aws.keyValues.size).toBe(60 + 1 + 2 + 2);
  });

  it('a complete KeyValueStore is read once at the start, and gets only new usual headers', async () => {
    await open().write('sites/one/index.html', text('page'));
    files.set('hosts/www.one.example', host('one', 'https://www.one.example/').toString());
    const before = aws.operations().length;
    const edge = open();
    for (let n = 0; n < 3; n += 1) await edge.write('sites/one/index.html', text('page'));
    expect(known()).toEqual(new Map());
    expect(aws.operations().slice(before)).not.toContain('UpdateKeys');
    expect(
      aws
        .operations()
        .slice(before)
        .filter((name) => name === 'DescribeKeyValueStore'),
    ).toHaveLength(2);
  });
});
