import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

// Slow: starts a server, and waits for its builder and for rebuilds.

let platen: TestPlaten;
beforeEach(async () => {
  platen = await startTestPlaten();
});
afterEach(() => platen.close());

async function ready() {
  const response = await fetch(`${platen.origin}/readyz`);
  // biome-ignore lint/suspicious/noExplicitAny: the test compares it as it is
  const json: any = await response.json();
  return { status: response.status, json };
}

it('a server that answers and builds is ready', async () => {
  expect(await ready()).toEqual({
    status: 200,
    json: {
      status: 'ready',
      database: 'ok',
      builder: 'ok',
      attention: { blogs_set_aside: 0, removals_overdue: 0, blogs: [] },
    },
  });
});

it('a server is ready and names the blogs that need an operator', async () => {
  const { db } = platen.services;
  await db
    .insertInto('suspect_blogs')
    .values([
      { blog_id: 'killer', builder_deaths: 9, last_death_at: '2026-01-02T00:00:00.000Z' },
      { blog_id: 'suspect', builder_deaths: 8, last_death_at: '2026-01-02T00:00:00.000Z' },
    ])
    .execute();
  const queuedLongAgo = '2025-12-31T00:00:00.000Z';
  const removal = { status: 'failed', queued_at: queuedLongAgo, attempts: 9, due_at: '9999' };
  await db
    .insertInto('rebuilds')
    .values([
      { ...removal, id: 'old', blog_id: 'deleted', removes_since: '2026-01-01T00:00:00.000Z' },
      { ...removal, id: 'new', blog_id: 'just-deleted', removes_since: new Date().toISOString() },
    ])
    .execute();
  const { status, json } = await ready();
  expect([status, json.status, json.attention]).toEqual([
    200,
    'ready',
    {
      blogs_set_aside: 1,
      removals_overdue: 1,
      blogs: [
        { blog_id: 'killer', why: 'set aside: builders died at it', since: '2026-01-02T00:00:00.000Z' },
        {
          blog_id: 'deleted',
          why: 'what was deleted is still on the edge',
          since: '2026-01-01T00:00:00.000Z',
        },
      ],
    },
  ]);
});

it('a server is not ready if blogs are not built or the database does not answer', async () => {
  platen.services.readiness.setBuildingProbe(() => false);
  expect(await ready()).toMatchObject({
    status: 503,
    json: { status: 'not ready', database: 'ok', builder: 'is being started' },
  });
  platen.services.readiness.setBuildingProbe(() => true);
  vi.spyOn(platen.services.readiness, 'attention').mockRejectedValue(new Error('disk I/O error'));
  expect(await ready()).toEqual({
    status: 503,
    json: { status: 'not ready', database: 'does not answer', builder: 'ok' },
  });
});
