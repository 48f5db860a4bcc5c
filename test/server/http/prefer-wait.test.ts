import { expect, it } from 'vitest';
import { parsePreferWait } from '../../../server/http/prefer-wait.ts';

it.each([
  ['wait=10', 10],
  ['wait=0', 0],
  ['wait = 10', 10],
  ['WAIT=10', 10],
  ['wait="10"', 10],
  ['respond-async, wait=10', 10],
  ['wait=10, respond-async', 10],
  ['wait=10; foo=bar', 10],
  ['foo; bar=x,wait=7', 7],
  ['wait=3, wait=9', 3],
  ['wait=120', 120],
  ['wait=121', 120],
  ['wait=999999', 120],
])('`Prefer: %s` requests a wait of %i seconds', (prefer, seconds) => {
  expect(parsePreferWait(prefer)).toBe(seconds);
});

it.each([
  undefined,
  '',
  ',',
  'respond-async',
  'wait',
  'wait=',
  'wait=-1',
  'wait=1.5',
  'wait=ten',
  'wait=10s',
  'await=10',
  'x-wait=10',
  'foo; wait=10',
  'foo="wait=10"',
])('`Prefer: %s` requests no wait', (prefer) => {
  expect(parsePreferWait(prefer)).toBeNull();
});
