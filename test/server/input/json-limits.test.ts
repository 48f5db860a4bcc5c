import { expect, it } from 'vitest';
import { assertJsonLimits } from '../../../server/input/json-limits.ts';

const judge = (json: string) => () => assertJsonLimits(Buffer.from(json));
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const items = (count: number) => `[${'1,'.repeat(count - 1)}1]`;

it.each([
  ['64 levels', nested(64)],
  ['65 brackets in a string', JSON.stringify([nested(65), '"', '\\"[[', '\\'])],
  ['50,000 fields and items', items(50_000)],
  ['more commas in a string', JSON.stringify({ content: ',:[{'.repeat(50_000) })],
  ['an empty body', ''],
  ['invalid JSON', ']]]"'],
])('the JSON shape check accepts %s', (_, json) => {
  expect(judge(json)).not.toThrow();
});

it.each([
  ['65 levels', nested(65), /must not be nested deeper than 64 levels/],
  ['excess nesting after a string that ends in a backslash', `["\\\\",${nested(65)}]`, /nested/],
  ['50,001 fields and items', items(50_001), /must have at most 50000 fields and items/],
  ['as many empty objects', `[${'{},'.repeat(30_000)}{}]`, /at most 50000/],
])('the JSON shape check refuses %s', (_, json, message) => {
  expect(judge(json)).toThrow(message);
});
