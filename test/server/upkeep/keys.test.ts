import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeyValueMirror,
  type KeyValueMirror,
} from '../../../generator/edge/cloudfront/key-value-mirror.ts';
import { createKeyValueStore } from '../../../generator/edge/cloudfront/key-values.ts';
import { withCloudFront } from '../../../generator/edge/cloudfront/with-cloudfront.ts';
import type { ReadableEdge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { headersFile } from '../../../generator/render/headers.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { tryLock } from '../../../server/runtime/lock.ts';
import { createLog } from '../../../server/runtime/log.ts';
import { openUpkeep, type Upkeep } from '../../../server/upkeep/open-upkeep.ts';
import { silentProgress } from '../../../server/upkeep/progress.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../support/aws-endpoint.ts';
import { openWorkshop, plainCards, type Workshop } from '../../support/site-builder.ts';

// Slow: compares or repairs a whole edge in every test.

/** Differs from the blog host, so that the key-value store needs an entry for each blog. */
const BLOG_HOST = 'blogs.example.org';

const HOST = 'ink.localhost';

let aws: AwsEndpoint;
let workshop: Workshop;
let edge: ReadableEdge;
let told: KeyValueMirror;
let builder: OpenBuilder;
let unlock: (() => void) | null;
let blog: Blog;

beforeEach(async () => {
  aws = await startAwsEndpoint();
  workshop = await openWorkshop();
  const usual = { blogHost: BLOG_HOST, defaultHeaders: await headersFile() };
  const client = new CloudFrontKeyValueStoreClient({ ...aws.client, maxAttempts: 1 });
  const keyValues = createKeyValueStore({ client, arn: aws.keyValueStoreArn, sleep: async () => {} });
  told = createKeyValueMirror(keyValues, usual);
  // A folder stands for the bucket; the entries are the same.
  edge = await openFilesystemEdge(workshop.edgeDir);
  builder = await openBuilder(workshop.config, {
    edge: withCloudFront(edge, { ...usual, keyValues, invalidations: { send: async () => 0 } }),
    indexMaker: null,
    cards: plainCards,
    log: createLog('silent'),
  });
  unlock = tryLock(join(workshop.config.dataDir, 'lock'));
  blog = await workshop.newBlog('ink');
  await builder.drain();
});

afterEach(async () => {
  expect(aws.problems).toEqual([]);
  unlock?.();
  await builder.close();
  await workshop.close();
  await aws.close();
});

async function upkeep<T>(work: (opened: Upkeep) => Promise<T>): Promise<T> {
  const opened = await openUpkeep(workshop.services, silentProgress, { openMirror: async () => told });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

const all = { blog: null, quick: false };

/** Differences found, with the kind of each. */
async function found(options: { blog: string | null; quick: boolean } = all): Promise<string[]> {
  const { drift, isInStep } = await upkeep((opened) => opened.verify(options));
  expect(isInStep).toBe(drift.length === 0);
  return drift.map((one) => `${one.kind === 'unmirrored' ? one.found : one.kind} ${one.path}`).sort();
}

const repair = () => upkeep((opened) => opened.repair(all, null));

/** Gives the blog headers of its own, or removes them. */
async function write(footerHtml: string): Promise<void> {
  await workshop.services.blogs.update(workshop.caller, blog.id, { themeConfig: { footerHtml } });
  await builder.drain();
}
const OWN = '<script>count()</script>';

const listed = () => aws.operations().filter((operation) => operation === 'ListKeys').length;

describe('comparing the KeyValueStore with the bucket', () => {
  it('the KeyValueStore is in step after any work of the builder, and is read once', async () => {
    expect(aws.keyValues.get(HOST)).toBe('ink');
    expect(await found()).toEqual([]);
    expect(listed()).toBe(1);
    await write(OWN);
    expect(aws.keyValues.has('blog:ink')).toBe(true);
    expect(await found()).toEqual([]);
    await write('');
    // Unused sets of headers are still there.
    expect([...aws.keyValues.keys()].filter((key) => /^headers:[0-9a-f]{16}$/.test(key))).toHaveLength(1);
    expect(await found()).toEqual([]);
  });

  it('a repair restores missing, different and superfluous keys', async () => {
    await write(OWN);
    const before = new Map(aws.keyValues);
    const set = aws.keyValues.get('blog:ink');
    aws.keyValues.delete(`headers:${set}`);
    aws.keyValues.delete(HOST);
    aws.keyValues.delete('headers:usual');
    aws.interfere('blog:ink', 'another');
    aws.interfere('blog:nobody', 'another');
    aws.interfere('former.example', 'https://nobody.example/');
    const expected = [
      'different blog:ink',
      'extra blog:nobody',
      'extra former.example',
      `missing headers:${set}`,
      'missing headers:usual',
      `missing ${HOST}`,
    ];
    expect(await found()).toEqual(expected);
    expect(await found({ blog: 'ink', quick: false })).toEqual(
      expected.filter((one) => !one.startsWith('extra ')),
    );
    expect(await found({ blog: null, quick: true })).toEqual([]);
    const { failures, lost, blogs } = await repair();
    expect([failures, lost, blogs.size]).toEqual([[], [], 0]);
    expect(aws.keyValues).toEqual(before);
    expect(await found()).toEqual([]);
  });

  it('the whole KeyValueStore is read, however many keys it has', async () => {
    for (let n = 0; n < 120; n += 1) aws.interfere(`www.${n}.example`, 'nobody');
    expect(await found()).toHaveLength(120);
    expect(listed()).toBe(3);
    await repair();
    expect(await found()).toEqual([]);
    expect(aws.keyValues.get(HOST)).toBe('ink');
  });

  it('a repair fills a new KeyValueStore', async () => {
    await write(OWN);
    const before = new Map(aws.keyValues);
    aws.keyValues.clear();
    await repair();
    expect(aws.keyValues).toEqual(before);
  });

  it('a repair leaves the KeyValueStore alone until the bucket itself is repaired', async () => {
    await edge.write(`hosts/${HOST}`, Buffer.from('{}'));
    aws.interfere(HOST, 'another');
    expect(await found()).toEqual([`different hosts/${HOST}`]);
    let isMended = false;
    const mending = repair().finally(() => {
      isMended = true;
    });
    // The server's builder, for which the repair waits.
    while (!isMended) {
      await builder.drain();
      await sleep(20);
    }
    await mending;
    expect(aws.keyValues.get(HOST)).toBe('ink');
    expect(await found()).toEqual([]);
  });

  it('keys are compared again if their blog changes during the comparison', async () => {
    await write(OWN);
    aws.interfere('blog:ink', 'another');
    const { get } = told;
    let looks = 0;
    told = {
      ...told,
      async get(key) {
        looks += 1;
        if (looks === 1) await write('');
        return get(key);
      },
    };
    expect(await found()).toEqual([]);
    expect(looks).toBe(2);
  });

  it('keys of a blog with a pending rebuild are not compared, as after a change of the usual headers', async () => {
    told = createKeyValueMirror(told, {
      blogHost: BLOG_HOST,
      defaultHeaders: '/*\n  X-Of: a newer version\n',
    });
    const expected = ['different headers:usual', 'missing blog:ink'];
    expect((await found()).filter((one) => !/headers:[0-9a-f]{16}/.test(one))).toEqual(expected);
    await workshop.services.blogs.update(workshop.caller, blog.id, { themeConfig: { footerHtml: OWN } });
    expect(await found()).toEqual(['different headers:usual']);
  });

  it('a KeyValueStore that may not be listed is an error with instructions', async () => {
    aws.fail('ListKeys', 'AccessDeniedException');
    await expect(found()).rejects.toThrow(/listing the keys: .*give them the policy in docs\/aws\.md/);
  });
});
