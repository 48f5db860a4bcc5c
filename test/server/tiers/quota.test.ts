import { describe, expect, it } from 'vitest';
import {
  assertMayCreateBlog,
  assertMayCreatePost,
  assertMayPublish,
  assertMayStoreImage,
  quotaMonth,
} from '../../../server/tiers/quota.ts';
import { defaultTiers, type TierName, tierNames } from '../../../server/tiers/tier.ts';

const UPGRADE = 'https://example.org/billing';
const refusal = (message: RegExp) =>
  expect.objectContaining({
    code: 'forbidden',
    message: expect.stringMatching(message),
    extras: { upgradeUrl: UPGRADE },
  });

describe('the plans', () => {
  it.each<[TierName, object]>([
    ['free', { posts: { per: 'account', posts: 10 }, blogs: 1, requestsPerHour: 60, indexable: false }],
    ['starter', { posts: { per: 'month', posts: 15 }, blogs: 1, requestsPerHour: 300, indexable: true }],
    ['creator', { posts: { per: 'month', posts: 50 }, blogs: 3, requestsPerHour: 1_000, indexable: true }],
    [
      'scale',
      { posts: { per: 'month', posts: Infinity }, blogs: 5, requestsPerHour: 10_000, indexable: true },
    ],
    [
      'enterprise',
      {
        posts: { per: 'month', posts: Infinity },
        blogs: Infinity,
        requestsPerHour: 1_000_000,
        indexable: true,
      },
    ],
  ])('%s includes what the interface lists', (name, includes) => {
    expect(defaultTiers[name]).toMatchObject({ name, ...includes });
  });

  it('a feature is included from the plan that the interface lists', () => {
    const features = (name: TierName) =>
      Object.entries(defaultTiers[name]).flatMap(([key, value]) => (value === true ? [key] : []));
    const free = ['badge'];
    const fromStarter = ['indexable', 'customDomain', 'analytics', 'packs', 'customCss', 'adCode'];
    const starter = [...free, ...fromStarter];
    const creator = [...fromStarter, 'scheduling', 'headerHtml', 'footerHtml', 'llmsTxt'];
    const scale = [...creator, 'batch', 'layout'];
    const plans: Readonly<Record<TierName, readonly string[]>> = {
      free,
      starter,
      creator,
      scale,
      enterprise: scale,
    };
    for (const name of tierNames)
      expect([name, ...features(name).sort()]).toEqual([name, ...plans[name].toSorted()]);
  });

  it.each<[TierName, number, RegExp]>([
    ['free', 10, /free plan includes 10 posts in total/],
    ['starter', 15, /starter plan includes 15 posts a month/],
    ['creator', 50, /creator plan includes 50 posts a month/],
  ])('%s allows %i posts and no more', (name, posts, message) => {
    const tier = defaultTiers[name];
    expect(() => assertMayCreatePost(tier, posts - 1, UPGRADE)).not.toThrow();
    expect(() => assertMayCreatePost(tier, posts, UPGRADE)).toThrow(refusal(message));
    expect(() => assertMayPublish(tier, posts, UPGRADE)).not.toThrow();
    expect(() => assertMayPublish(tier, posts + 1, UPGRADE)).toThrow(refusal(message));
  });

  it.each<[TierName, number, RegExp]>([
    ['free', 1, /free plan includes 1 blog$/],
    ['starter', 1, /starter plan includes 1 blog$/],
    ['creator', 3, /creator plan includes 3 blogs$/],
    ['scale', 5, /scale plan includes 5 blogs$/],
  ])('%s allows %i blogs and no more', (name, blogs, message) => {
    expect(() => assertMayCreateBlog(defaultTiers[name], blogs - 1, UPGRADE)).not.toThrow();
    expect(() => assertMayCreateBlog(defaultTiers[name], blogs, UPGRADE)).toThrow(refusal(message));
  });

  it.each<TierName>(['scale', 'enterprise'])('%s has no limit of posts', (name) => {
    expect(() => assertMayCreatePost(defaultTiers[name], 1e9, UPGRADE)).not.toThrow();
    expect(() => assertMayPublish(defaultTiers[name], 1e9, UPGRADE)).not.toThrow();
  });

  it.each<[TierName, number, RegExp]>([
    ['free', 52_428_800, /free plan includes 50 MB of images, of which 0 bytes are left: delete/],
    ['starter', 1_073_741_824, /starter plan includes 1 GB/],
    ['creator', 5_368_709_120, /creator plan includes 5 GB/],
    ['scale', 26_843_545_600, /scale plan includes 25 GB/],
  ])('%s includes %i bytes of images and no more', (name, bytes, message) => {
    const tier = defaultTiers[name];
    expect(() => assertMayStoreImage(tier, 0, bytes, UPGRADE)).not.toThrow();
    expect(() => assertMayStoreImage(tier, bytes - 1, 1, UPGRADE)).not.toThrow();
    expect(() => assertMayStoreImage(tier, 0, bytes + 1, UPGRADE)).toThrow(refusal(/left/));
    expect(() => assertMayStoreImage(tier, bytes, 1, UPGRADE)).toThrow(refusal(message));
    // The state after a downgrade.
    expect(() => assertMayStoreImage(tier, 2 * bytes, 1, UPGRADE)).toThrow(refusal(message));
  });

  it.each([
    [1, '1 bytes'],
    [1_023, '1023 bytes'],
    [1_024, '1 KB'],
    [1_048_575, '1023.9 KB'],
    [2_000_000, '1.9 MB'],
  ])('the remaining storage is never more than there is or negative: %i', (room, text) => {
    const tier = defaultTiers.free;
    expect(() => assertMayStoreImage(tier, tier.mediaBytes - room, room + 1, UPGRADE)).toThrow(
      refusal(new RegExp(`of which ${text} are left`)),
    );
  });

  it('enterprise has no limit of image storage', () => {
    expect(() => assertMayStoreImage(defaultTiers.enterprise, 1e15, 1e9, UPGRADE)).not.toThrow();
  });

  it('enterprise has no limit of blogs', () => {
    expect(() => assertMayCreateBlog(defaultTiers.enterprise, 1e9, UPGRADE)).not.toThrow();
  });
});

it('a quota month is a calendar month in UTC', () => {
  expect(quotaMonth('2026-11-30T23:59:59.999Z')).toBe('2026-11');
  expect(quotaMonth('2026-12-01T00:00:00.000Z')).toBe('2026-12');
});
