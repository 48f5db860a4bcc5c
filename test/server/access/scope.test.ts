import { expect, it } from 'vitest';
import { grants, scopes } from '../../../server/access/scope.ts';

it('the scopes are those of the interface', () => {
  const listed =
    '* posts:read posts:write blogs:read blogs:write analytics:read search:read account:read account:write ' +
    'packs:read packs:write domains:read domains:write media:write media:read';
  expect([...scopes].sort()).toEqual(expect.arrayContaining(listed.split(' ').sort()));
});

it('a scope grants only itself, except `*`, which grants everything', () => {
  for (const held of scopes) {
    const granted = scopes.filter((needed) => grants([held], needed));
    expect(granted).toEqual(held === '*' ? [...scopes] : [held]);
  }
});

it('several scopes grant each of them, and none grants nothing', () => {
  expect(grants(['posts:read', 'blogs:write'], 'blogs:write')).toBe(true);
  expect(grants(['posts:read', 'blogs:write'], 'blogs:read')).toBe(false);
  expect(scopes.some((needed) => grants([], needed))).toBe(false);
});
