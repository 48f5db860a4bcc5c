import { expect, it } from 'vitest';
import { modifiedAt } from '../../../server/lists/modified-at.ts';

const [old, written, later, nextDay] = [
  '2019-03-05T00:00:00.000Z',
  '2026-05-05T10:00:00.000Z',
  '2026-05-06T09:59:59.999Z',
  '2026-05-06T10:00:00.000Z',
];

it.each([
  ['was published as it was written', written, written, written, written],
  ['was changed an hour after its publication', written, written, later, later],
  ['is older than its row', written, old, written, old],
  ['is older than its row, and changed within a day', written, old, later, old],
  ['is older than its row, and changed a day later', written, old, nextDay, nextDay],
  ['is scheduled, and shown in a preview', written, nextDay, written, nextDay],
])('a post that %s has its modification time', (_what, createdAt, publishedAt, updatedAt, expected) => {
  expect(modifiedAt({ createdAt, publishedAt, updatedAt })).toBe(expected);
});
