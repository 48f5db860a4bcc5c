import { expect, test } from 'vitest';
import { formatDay, formatMonth, formatYear } from '../../generator/dates.ts';

test('a day is in the calendar of its language', () => {
  expect(formatDay('2026-11-01T23:59:59.999Z', 'de')).toBe('1. November 2026');
  expect(formatDay('2026-11-01T00:00:00.000Z', 'fa')).toBe('۱۰ آبان ۱۴۰۵');
  expect(formatDay('2026-11-01T00:00:00.000Z', 'th')).toBe('1 พฤศจิกายน 2569');
});

// The lists of posts are by Gregorian months, which begin within those of other calendars.
test('a month and a year are Gregorian, whose years may be counted otherwise', () => {
  expect(formatMonth('2026-11', 'de')).toBe('November 2026');
  expect(formatMonth('2026-11', 'fa')).toBe('نوامبر ۲۰۲۶');
  expect(formatMonth('2026-11', 'th')).toBe('พฤศจิกายน 2569');
  expect(formatYear('2026', 'fa')).toBe('۲۰۲۶');
  expect(formatYear('2026', 'th')).toBe('พ.ศ. 2569');
  expect(formatYear('2026', 'ja')).toBe('2026年');
});

test('dates in an unknown language are English on every machine', () => {
  expect(formatMonth('2026-11', 'qq')).toBe('November 2026');
});
