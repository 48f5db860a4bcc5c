import { expect, it } from 'vitest';
import { createLayoutLinks, MAX_CHARACTERS, MAX_LINKS } from '../../../server/previews/layout-links.ts';

const clockAt = (start: string) => {
  let now = new Date(start);
  return {
    now: () => now.toISOString(),
    pass: (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000);
    },
  };
};

const tried = (accountId: string, layout = '{{ content }}') => ({ accountId, blogId: 'blog', layout });

it('a link to a layout works for an hour', () => {
  const clock = clockAt('2026-11-25T10:00:00.000Z');
  const links = createLayoutLinks(clock);
  const { token, expiresAt } = links.add(tried('ada'));
  expect(expiresAt).toBe('2026-11-25T11:00:00.000Z');
  clock.pass(59);
  expect(links.find(token)).toMatchObject(tried('ada'));
  expect(links.find(`${token}x`)).toBeNull();
  clock.pass(1);
  expect(links.find(token)).toBeNull();
});

it('an account has ten links, and those of others stay', () => {
  const links = createLayoutLinks(clockAt('2026-11-25T10:00:00.000Z'));
  const other = links.add(tried('bea'));
  const own = Array.from({ length: MAX_LINKS }, () => links.add(tried('ada')));
  expect(own.every(({ token }) => links.find(token) !== null)).toBe(true);
  links.add(tried('ada'));
  expect(own.map(({ token }) => links.find(token) !== null)).toEqual([
    false,
    ...Array(MAX_LINKS - 1).fill(true),
  ]);
  expect(links.find(other.token)).not.toBeNull();
});

it('all links together are bounded, and the oldest ends first', () => {
  const links = createLayoutLinks(clockAt('2026-11-25T10:00:00.000Z'));
  const half = 'x'.repeat(MAX_CHARACTERS / 2);
  const [first, second] = [links.add(tried('ada', half)), links.add(tried('bea', half))];
  expect([first, second].map(({ token }) => links.find(token) !== null)).toEqual([true, true]);
  links.add(tried('eve', 'x'));
  expect([first, second].map(({ token }) => links.find(token) !== null)).toEqual([false, true]);
});
