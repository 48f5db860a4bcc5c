import { expect, it } from 'vitest';
import { readableLine } from '../../../server/runtime/readable-log.ts';

const time = Date.UTC(2026, 4, 5, 10, 32, 7);
const line = (fields: object) => readableLine(JSON.stringify({ level: 30, time, ...fields }));

it('a line of the log is a sentence on a terminal', () => {
  expect(line({ msg: 'started' })).toBe('10:32:07Z info started\n');
  expect(line({ level: 40, msg: 'posts rendered again', renewed: 3, blog: 'ink', of: { a: [1] } })).toBe(
    '10:32:07Z warn posts rendered again (renewed: 3, blog: ink, of: {"a":[1]})\n',
  );
});

it('an error has its stack below its line', () => {
  const err = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at x' };
  expect(line({ level: 50, msg: 'page not served', err })).toBe(
    '10:32:07Z error page not served\nError: gone\n    at x\n',
  );
});

it('nothing in a line looks like another line, or reorders it', () => {
  expect(line({ msg: 'a\n10:00:00Z error b', host: 'c\u202e\u2028\nd' })).toBe(
    '10:32:07Z info a\uFFFD10:00:00Z error b (host: c\uFFFD\uFFFD\uFFFDd)\n',
  );
});

it('nothing in a line acts on the terminal', () => {
  expect(line({ msg: 'a\u001b[2Jb', host: '\u009b\u0007' })).toBe(
    '10:32:07Z info a\uFFFD[2Jb (host: \uFFFD\uFFFD)\n',
  );
});
