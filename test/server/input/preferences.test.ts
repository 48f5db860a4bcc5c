import { expect, it } from 'vitest';
import {
  parsePreferences,
  preferenceMistakes,
  preferenceRemarks,
} from '../../../server/input/preferences.ts';

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
  expect(parsePreferences(prefer).wait).toBe(seconds);
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
  expect(parsePreferences(prefer).wait).toBeNull();
});

it.each([
  ['handling=strict', 'strict'],
  ['handling=lenient', 'lenient'],
  ['Handling = "STRICT"', 'strict'],
  ['wait=10, handling=strict', 'strict'],
  ['handling=strict; foo=bar, wait=10', 'strict'],
  ['respond-async,handling=strict', 'strict'],
  ['handling=lenient, handling=strict', 'lenient'],
  ['handling=strict, handling=lenient', 'strict'],
  [undefined, null],
  ['', null],
  ['handling', null],
  ['handling=', null],
  ['handling=stricter', null],
  ['x-handling=strict', null],
  ['foo; handling=strict', null],
  ['foo="handling=strict"', null],
])('`Prefer: %s` asks for the handling %s', (prefer, handling) => {
  expect(parsePreferences(prefer).handling).toBe(handling);
});

it.each([
  [
    'handling=stric',
    ['Prefer: `handling=stric` is not honoured: the value of handling must be strict or lenient'],
  ],
  ['wait=ten', ['Prefer: `wait=ten` is not honoured: the value of wait must be a whole number of seconds']],
  ['wait', ['Prefer: `wait` is not honoured: the value of wait must be a whole number of seconds']],
  ['wait=1, wait=ten', []],
  ['strict', ['Prefer: `strict` is not honoured: did you mean `handling=strict`?']],
  ['wait=5, handling-Strict', ['Prefer: `handling-Strict` is not honoured: did you mean `handling=strict`?']],
  ['wait:5', ['Prefer: `wait:5` is not honoured: did you mean `wait=5`?']],
  [
    'handling=strict wait=5',
    ['Prefer: `handling=strict wait=5` is not honoured: separate preferences by commas'],
  ],
  [
    'wait=5 handling=strict, wait=5',
    ['Prefer: `wait=5 handling=strict` is not honoured: separate preferences by commas'],
  ],
  ['wait-for=it, strictly, x-strict', []],
  ['handling=strict, respond-async, foo=bar; wait=ten', []],
  [undefined, []],
])('`Prefer: %s` has the mistakes %j', (prefer, warnings) => {
  expect(preferenceMistakes(prefer).first.map(({ warning }) => warning)).toEqual(warnings);
});

it.each([
  ['wait=121', ['Prefer: `wait=121` is reduced to 120 seconds']],
  ['wait=120', []],
  ['wait=1, wait=121', []],
  [undefined, []],
])('`Prefer: %s` has the remarks %j', (prefer, warnings) => {
  expect(preferenceRemarks(prefer).first.map(({ warning }) => warning)).toEqual(warnings);
});

it('one header can ask for both a wait and a handling', () => {
  expect(parsePreferences('wait=10, handling=strict')).toEqual({ wait: 10, handling: 'strict' });
});
