import { expect, it } from 'vitest';
import { z } from 'zod';
import { boundedArray, boundedRecord } from '../../../clients/mcp/validation/bounded.ts';
import { validatorOf } from '../../../clients/mcp/validation/validator.ts';

const issuesOf = async (schema: z.ZodType, value: unknown) =>
  (await validatorOf(schema['~standard'])(value)).issues;

it('a list that is too long, or a record, is refused before its items are looked at', async () => {
  let looked = 0;
  const item = z.string().refine(() => {
    looked += 1;
    return true;
  });
  const list = boundedArray(z.array(item), 3);
  const record = boundedRecord(z.record(z.string(), item), 3);
  const entries = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [i, 'ink']));
  expect(await issuesOf(list, Array(4).fill('ink'))).toEqual([
    { message: 'must have at most 3 items', path: [] },
  ]);
  expect(await issuesOf(record, entries(4))).toEqual([{ message: 'must have at most 3 entries', path: [] }]);
  expect(looked).toBe(0);
  expect(await issuesOf(list, Array(3).fill('ink'))).toBeUndefined();
  expect(await issuesOf(record, entries(3))).toBeUndefined();
  expect(looked).toBe(6);
});

it('a list with a bound has the JSON Schema that it has without it', () => {
  const json = (list: z.ZodType) => z.toJSONSchema(z.strictObject({ list }), { io: 'input' });
  const array = z.array(z.string()).min(1);
  expect(json(boundedArray(array, 3))).toEqual(json(array.max(3)));
  expect(json(boundedArray(array, 3).optional())).toEqual(json(array.max(3).optional()));
});

it('of many issues, ten are said, and how many more there are', async () => {
  const list = z.object({ list: z.array(z.string()) });
  expect(await issuesOf(list, { list: Array(10).fill(1) })).toHaveLength(10);
  const issues = await issuesOf(list, { list: Array(12).fill(1) });
  expect(issues).toHaveLength(11);
  expect(issues?.[0]?.path).toEqual(['list', '0']);
  expect(issues?.at(-1)).toEqual({ message: 'and 2 more' });
});

it('names are shortened, and do not become too many', async () => {
  const long = 'x'.repeat(1_000_000);
  const schema = z.strictObject({ record: z.record(z.string(), z.string()).optional() });
  for (const wrong of [{ [long]: 1 }, { record: { [long]: 1 } }])
    expect(JSON.stringify(await issuesOf(schema, wrong)).length).toBeLessThan(500);
  const fields = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`field-${i}`, 1]));
  expect(await issuesOf(z.looseObject({}), fields(200))).toBeUndefined();
  expect(await issuesOf(z.looseObject({}), fields(201))).toEqual([{ message: 'more than 200 fields' }]);
});
