import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  invalidationPaths,
  MAX_SINGLE_PATHS,
} from '../../../../generator/edge/cloudfront/invalidation-paths.ts';
import { createInvalidations } from '../../../../generator/edge/cloudfront/invalidations.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../../support/aws-endpoint.ts';

describe('the paths of an invalidation', () => {
  it('the paths of an invalidation are those that the CloudFront function requests, percent-encoded', () => {
    expect(
      invalidationPaths(['sites/blog/index.html', 'sites/blog/tags/日本/index.html', 'media/1/a b.png']),
    ).toEqual([
      '/sites/blog/index.html',
      '/sites/blog/tags/%E6%97%A5%E6%9C%AC/index.html',
      '/media/1/a%20b.png',
    ]);
  });

  it('an invalidation of few files lists each path once', () => {
    const few = Array.from({ length: MAX_SINGLE_PATHS }, (_, n) => `sites/blog/${n}/index.html`);
    expect(invalidationPaths([...few, ...few])).toHaveLength(MAX_SINGLE_PATHS);
    expect(invalidationPaths([...few, 'sites/other/index.html'])).toHaveLength(MAX_SINGLE_PATHS + 1);
  });

  it('an invalidation of many files, or of a whole blog, is one wildcard', () => {
    const many = Array.from({ length: MAX_SINGLE_PATHS + 1 }, (_, n) => `sites/blog/${n}/index.html`);
    expect(invalidationPaths([...many, 'sites/other/index.html'])).toEqual([
      '/sites/blog/*',
      '/sites/other/index.html',
    ]);
    expect(invalidationPaths(['sites/blog/index.html', 'sites/blog/*'])).toEqual(['/sites/blog/*']);
    expect(invalidationPaths(['sites/blog/pagefind/*'])).toEqual(['/sites/blog/pagefind/*']);
  });

  it('an invalidation of all images of a blog is one wildcard', () => {
    const images = Array.from({ length: MAX_SINGLE_PATHS + 1 }, (_, n) => `media/1/${n}.png`);
    expect(invalidationPaths([...images, 'media/2/1.png'])).toEqual(['/media/1/*', '/media/2/1.png']);
  });

  it('an invalidation path has a * only at its end, as a wildcard', () => {
    expect(invalidationPaths(['sites/blog/a*b.txt'])).toEqual(['/sites/blog/a%2Ab.txt']);
  });

  it('an invalidation leaves out paths that no cache holds', () => {
    expect(invalidationPaths(['hosts/www.example.org', 'sites/blog/_headers'])).toEqual([]);
  });
});

describe('sending an invalidation', () => {
  let aws: AwsEndpoint;
  const pauses: number[] = [];
  beforeEach(async () => {
    aws = await startAwsEndpoint();
    pauses.length = 0;
  });
  afterEach(async () => {
    expect(aws.problems).toEqual([]);
    await aws.close();
  });

  const open = (distributionId = aws.distributionId) =>
    createInvalidations({
      client: new CloudFrontClient({ ...aws.client, maxAttempts: 1 }),
      distributionId,
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
      },
    });

  it('an invalidation is sent and reports its number of paths', async () => {
    expect(await open().send(['sites/blog/index.html', 'sites/blog/a&b<c>/index.html'])).toBe(2);
    expect(aws.invalidations().map(({ paths }) => paths)).toEqual([
      ['/sites/blog/index.html', '/sites/blog/a%26b%3Cc%3E/index.html'],
    ]);
    expect(aws.requests[0]?.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/cloudfront\//);
  });

  it('an invalidation without cached paths is not sent', async () => {
    expect(await open().send([])).toBe(0);
    expect(await open().send(['hosts/www.example.org'])).toBe(0);
    expect(aws.operations()).toEqual([]);
  });

  it('an invalidation waits ever longer while too many are in progress, and keeps its reference', async () => {
    aws.fail('CreateInvalidation', 'TooManyInvalidationsInProgress', 5);
    expect(await open().send(['sites/blog/*'])).toBe(1);
    expect(aws.operations()).toHaveLength(6);
    const references = aws.requests.map(
      ({ body }) => body?.children.find(({ name }) => name === 'CallerReference')?.text,
    );
    expect(new Set(references).size).toBe(1);
    expect(pauses).toHaveLength(5);
    for (const [n, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(Math.min(1_000 * 2 ** n, 20_000) * 0.74);
      expect(pause).toBeLessThanOrEqual(Math.min(1_000 * 2 ** n, 20_000) * 1.26);
    }
  });

  it('an invalidation waits when CloudFront throttles it', async () => {
    aws.fail('CreateInvalidation', 'Throttling', 2);
    expect(await open().send(['sites/blog/*'])).toBe(1);
  });

  it('an invalidation is sent once even if the response to the first attempt was lost', async () => {
    aws.fail('CreateInvalidation', 'Throttling', 1, { lost: true });
    await open().send(['sites/blog/*']);
    expect(aws.operations()).toHaveLength(2);
    expect(aws.invalidations()).toHaveLength(1);
  });

  it('an invalidation gives up after a limit and says what it waited for', async () => {
    aws.fail('CreateInvalidation', 'TooManyInvalidationsInProgress', 1_000);
    await expect(open().send(['sites/blog/*'])).rejects.toMatchObject({
      name: 'CloudFrontError',
      code: 'TooManyInvalidationsInProgress',
      message: expect.stringMatching(
        /^CloudFront: invalidating \/sites\/blog\/\* and 0 more: too many invalidations/,
      ),
    });
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(300_000);
  });

  it.each([
    ['AccessDenied', /give them the policy in docs\/aws\.md/],
    ['InvalidArgument', /InvalidArgument, says the test/],
  ])('an invalidation fails at once if waiting cannot help: %s', async (code, message) => {
    aws.fail('CreateInvalidation', code);
    await expect(open().send(['sites/blog/*'])).rejects.toThrow(message);
    expect(aws.operations()).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('an invalidation names the setting if the distribution does not exist', async () => {
    await expect(open('ENOTTHERE').send(['sites/blog/*'])).rejects.toThrow(/set CLOUDFRONT_DISTRIBUTION_ID/);
  });

  it('requests that arrive during an invalidation share the next one, once for each blog', async () => {
    const invalidations = open();
    const pages = Array.from({ length: MAX_SINGLE_PATHS }, (_, n) => `sites/one/${n}/index.html`);
    const counts = await Promise.all([
      invalidations.send(['sites/first/index.html']),
      invalidations.send(pages),
      invalidations.send(['sites/one/another/index.html']),
      invalidations.send(['sites/two/index.html', 'sites/one/0/index.html']),
    ]);
    expect(counts).toEqual([1, MAX_SINGLE_PATHS, 1, 2]);
    expect(aws.invalidations().map(({ paths }) => paths)).toEqual([
      ['/sites/first/index.html'],
      ['/sites/one/*', '/sites/two/index.html'],
    ]);
  });

  it('an invalidation never has more wildcards or paths than a distribution accepts at once', async () => {
    const blogs = Array.from({ length: 40 }, (_, n) => `sites/blog-${n}/*`);
    const images = Array.from({ length: 3_500 }, (_, n) => `media/${n}/1.png`);
    await open().send([...blogs, ...images]);
    const sent = aws.invalidations().map(({ paths }) => paths);
    expect(sent.flat()).toHaveLength(3_540);
    for (const paths of sent) {
      expect(paths.length).toBeLessThanOrEqual(3_000);
      expect(paths.filter((path) => path.endsWith('*')).length).toBeLessThanOrEqual(15);
    }
  });

  it('a failed invalidation fails for all callers that share it, and for no later caller', async () => {
    const invalidations = open();
    const first = invalidations.send(['sites/first/index.html']);
    const others = [invalidations.send(['sites/one/*']), invalidations.send(['sites/two/*'])];
    aws.fail('CreateInvalidation', 'AccessDenied', 2);
    const outcomes = await Promise.allSettled([first, ...others]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await invalidations.send(['sites/one/*'])).toBe(1);
  });
});
