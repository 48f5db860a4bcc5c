import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInvalidations } from '../../../generator/edge/cloudfront/invalidations.ts';
import { createKeyValueStore } from '../../../generator/edge/cloudfront/key-values.ts';
import { withCloudFront } from '../../../generator/edge/cloudfront/with-cloudfront.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { headersFile } from '../../../generator/render/headers.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createLog } from '../../../server/runtime/log.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../support/aws-endpoint.ts';
import { handClock } from '../../support/gate.ts';
import { openWorkshop, plainCards, type Workshop } from '../../support/site-builder.ts';

const HOUR_MS = 3_600_000;

let aws: AwsEndpoint;
let workshop: Workshop;
let builder: OpenBuilder;
let clock: ReturnType<typeof handClock>;
let blog: Blog;

beforeEach(async () => {
  aws = await startAwsEndpoint();
  workshop = await openWorkshop();
  clock = handClock();
  clock.moveOn(HOUR_MS);
  const options = { ...aws.client, maxAttempts: 1 };
  const pause = async () => {};
  const { distributionId, keyValueStoreArn: arn } = aws;
  // A folder stands for the bucket; the requests to CloudFront are the same.
  const edge = withCloudFront(await openFilesystemEdge(workshop.edgeDir), {
    blogHost: workshop.config.blogHost.replace(/:\d+$/, ''),
    defaultHeaders: await headersFile(),
    invalidations: createInvalidations({
      client: new CloudFrontClient(options),
      distributionId,
      sleep: pause,
    }),
    keyValues: createKeyValueStore({ client: new CloudFrontKeyValueStoreClient(options), arn, sleep: pause }),
  });
  builder = await openBuilder(workshop.config, {
    ...{ indexMaker: null, edge, clock, cards: plainCards, log: createLog('silent') },
  });
  blog = await workshop.newBlog('ink');
  await builder.drain();
});

afterEach(async () => {
  expect(aws.problems).toEqual([]);
  await builder.close();
  await workshop.close();
  await aws.close();
});

/** Publishes a post, and resolves to the id of its rebuild. */
async function publish(title: string, tags: string[] = []): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags, status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, blog, post);
  return rebuildId ?? expect.fail('no rebuild');
}

const receipt = async (id: string) =>
  (await findReceipt(workshop.services.db, id)) ?? expect.fail('no receipt');

describe('building a blog behind CloudFront', () => {
  it('a blog with the usual headers has no entry of its own', () => {
    expect([...aws.keyValues.keys()].sort()).toEqual([
      'headers:usual',
      'headers:usual:/pagefind/*',
      'headers:usual:/search/',
    ]);
    for (const value of aws.keyValues.values()) expect(value).toContain('Content-Security-Policy: ');
  });

  it('a publish sends one invalidation, which its receipt reports', async () => {
    for (const tags of [['ink'], []]) {
      const before = aws.invalidations().length;
      const id = await publish('A post', tags);
      await builder.drain();
      expect(aws.invalidations().slice(before)).toMatchObject([{ paths: ['/sites/ink/*'] }]);
      expect(await receipt(id)).toMatchObject({ status: 'live', invalidated: 1 });
    }
  });

  it('a rebuild waits for an invalidation that CloudFront has to postpone', async () => {
    aws.fail('CreateInvalidation', 'TooManyInvalidationsInProgress', 3);
    const id = await publish('First');
    await builder.drain();
    expect((await receipt(id)).status).toBe('live');
    expect((await receipt(id)).error).toBeNull();
  });

  it('a rebuild fails on its receipt while CloudFront refuses, and completes once it no longer does', async () => {
    aws.fail('CreateInvalidation', 'AccessDenied', 1);
    const before = aws.invalidations().length;
    const id = await publish('First');
    await builder.drain();
    expect((await receipt(id)).error).toMatch(/policy in docs\/aws\.md/);
    clock.moveOn(HOUR_MS);
    await builder.drain();
    expect((await receipt(id)).status).toBe('live');
    // The files replaced before the failure are unknown, so all copies are invalidated.
    expect(
      aws
        .invalidations()
        .slice(before)
        .flatMap(({ paths }) => paths),
    ).toEqual(['/sites/ink/*']);
  });

  it('a blog has an entry for headers of its own until they are the usual ones again', async () => {
    const withFooter = async (footerHtml: string) => {
      await workshop.services.blogs.update(workshop.caller, blog.id, { themeConfig: { footerHtml } });
      await builder.drain();
    };
    await withFooter('<script>count()</script>');
    const set = aws.keyValues.get('blog:ink');
    expect(aws.keyValues.get(`headers:${set}`)).toContain("'unsafe-inline' 'unsafe-eval'");
    await withFooter('');
    expect(aws.keyValues.has('blog:ink')).toBe(false);
  });
});
