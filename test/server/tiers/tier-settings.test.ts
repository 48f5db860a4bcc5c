import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { defaultTiers, tierNames } from '../../../server/tiers/tier.ts';

const tiers = (settings: unknown) => readConfig({ PLATEN_TIERS: JSON.stringify(settings) }).tiers;

describe('the operator’s tiers', () => {
  it('the operator’s tiers default to those of the interface', () => {
    expect(readConfig({}).tiers).toEqual(defaultTiers);
    expect(tiers({})).toEqual(defaultTiers);
    expect(tiers({ free: {} })).toEqual(defaultTiers);
  });

  it('the operator’s tiers differ only in what is set', () => {
    expect(tiers({ free: { posts: 20, requestsPerHour: 100 }, scale: { blogs: 'unlimited' } })).toEqual({
      ...defaultTiers,
      free: { ...defaultTiers.free, posts: { per: 'account', posts: 20 }, requestsPerHour: 100 },
      scale: { ...defaultTiers.scale, blogs: Number.POSITIVE_INFINITY },
    });
  });

  it('a tier may include a petabyte of images', () => {
    expect(tiers({ free: { mediaBytes: 1024 ** 5 } }).free.mediaBytes).toBe(1024 ** 5);
    expect(tiers({ free: { mediaBytes: 'unlimited' } }).free.mediaBytes).toBe(Number.POSITIVE_INFINITY);
  });

  it('every field of every tier can be set', () => {
    for (const name of tierNames) {
      const { name: _, posts: __, ...row } = defaultTiers[name];
      const changed = Object.fromEntries(
        Object.entries(row).map(([field, value]) => [field, typeof value === 'boolean' ? !value : 7]),
      );
      expect(tiers({ [name]: { ...changed, posts: 'unlimited' } })[name]).toEqual({
        ...changed,
        name,
        posts: { per: defaultTiers[name].posts.per, posts: Number.POSITIVE_INFINITY },
      });
    }
  });

  it.each([
    ['invalid JSON', '{free}', /must be JSON such as/],
    ['a list', '[]', /PLATEN_TIERS: must be a JSON object such as/],
    ['null', 'null', /PLATEN_TIERS/],
    ['an unknown tier', '{"gold": {}}', /has unknown plans: gold; known are free, starter/],
    ['an unknown field', '{"free": {"postss": 1}}', /has unknown settings: postss; known are posts/],
    ['another plan name', '{"free": {"name": "gratis"}}', /name/],
    ['a negative limit', '{"free": {"posts": -1}}', /free\.posts: must be a whole number/],
    ['a fractional number of posts', '{"free": {"posts": 1.5}}', /free\.posts: must be a whole number/],
    ['a limit as text', '{"free": {"blogs": "many"}}', /free\.blogs: .*"unlimited"/],
    ['no requests', '{"free": {"requestsPerHour": 0}}', /free\.requestsPerHour: /],
    ['unlimited requests', '{"free": {"requestsPerHour": "unlimited"}}', /free\.requestsPerHour: /],
    ['a number for a feature', '{"free": {"indexable": 1}}', /free\.indexable: must be true or false/],
    [
      'more bytes than JavaScript counts exactly',
      '{"free": {"mediaBytes": 1125899906842625}}',
      /free\.mediaBytes: .*"unlimited"/,
    ],
    ['null for a tier', '{"free": null}', /free/],
    ['a key named __proto__', '{"__proto__": {"posts": 1}}', /__proto__/],
  ])('wrong settings of a tier are refused by name: %s', (_name, text, message) => {
    expect(() => readConfig({ PLATEN_TIERS: text })).toThrow(/^configuration: PLATEN_TIERS/);
    expect(() => readConfig({ PLATEN_TIERS: text })).toThrow(message);
  });
});
