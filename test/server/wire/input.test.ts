import { expect, it } from 'vitest';
import { z } from 'zod';
import { tryParse } from '../../../server/input/parse-input.ts';
import { pageQuery } from '../../../server/wire/pagination.ts';
import { timestampInput } from '../../../server/wire/text.ts';

it.each([
  ['2019-02-30T10:00:00Z', 'is no date and time that exists'],
  ['2019-02-28T25:00+01:00', 'is no date and time that exists'],
  ['2019-13-01T10:00:00.000Z', 'is no date and time that exists'],
  ['2019-02-28', 'is a date alone: add a time and a zone, such as 2019-02-28T09:00:00Z'],
  ['2019-02-28T10:00:00', 'has no time zone: add one, such as 2019-02-28T10:00:00Z'],
  ['yesterday', 'must be a date and time with a time zone (ISO 8601), such as 2026-05-01T09:00:00Z'],
  [5, 'must be a date and time with a time zone (ISO 8601), such as 2026-05-01T09:00:00Z'],
  [undefined, 'is missing'],
])('a date that is wrong says why: %s', (date, message) => {
  expect(tryParse(z.object({ date: timestampInput }), { date }, 'it').problems).toEqual([
    { field: 'date', message },
  ]);
});

it.each([
  ['0', 'must be a whole number, 1 or more'],
  ['-1', 'must be a whole number, 1 or more'],
  ['1000000000', 'must be 999999999 or less'],
])('a number of a page that is wrong says why: %s', (perPage, message) => {
  const query = z.object(pageQuery(100));
  expect(tryParse(query, { per_page: perPage }, 'it').problems).toEqual([{ field: 'per_page', message }]);
  expect(query.parse({ per_page: '999999999' })).toMatchObject({ per_page: 100 });
});
