import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { inTransaction } from '../../../server/database/database.ts';
import { recordResult } from '../../../server/journal/idempotency.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
/** Services of another process on the same database. */
let other: Services;

beforeEach(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('twice');
  other = await createServices(workshop.config, { clock: workshop.clock });
});
afterEach(async () => {
  await other.close();
  await workshop.close();
});

const post = {
  title: 'Once',
  content: 'x',
  tags: [],
  status: 'draft',
  meta: { description: null, ogImage: null },
} as const;

test('only one of two processes carries out a request that arrives at both at once', async () => {
  const { accountId } = workshop.caller;
  const request = { accountId, credential: 'c', key: 'k', fingerprint: 'f' };
  const carryOut = ({ idempotency, posts }: Services) =>
    idempotency.run(request, (once) => once(() => posts.create(workshop.caller, blog, post)));
  const outcomes = await Promise.allSettled([carryOut(workshop.services), carryOut(other)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'conflict', message: expect.stringContaining('is in progress') },
  });
  expect(
    (await workshop.services.posts.list(blog, { page: 1, perPage: 10, sort: 'created_at', order: 'desc' }))
      .total,
  ).toBe(1);
  expect(await carryOut(other)).toMatchObject({ wasDone: true, result: { slug: 'once' } });
});

test('the same key is distinct for another account or credential', async () => {
  const { accountId } = workshop.caller;
  const stranger = await workshop.newCaller('b@example.org');
  // All signed-in people share the credential name `session`.
  const names = [accountId, stranger.accountId].flatMap((of) =>
    ['session', 'c'].map((credential) => ({
      accountId: of,
      credential,
      key: 'k',
      fingerprint: `${of} ${credential}`,
    })),
  );
  for (const wasDone of [false, true])
    for (const request of names) {
      const { fingerprint } = request;
      const write = () =>
        inTransaction(workshop.services.db, async (tx) => {
          await recordResult(tx, { fingerprint });
          return { fingerprint };
        });
      const outcome = await workshop.services.idempotency.run(request, (once) => once(write));
      expect(outcome).toEqual({ result: { fingerprint }, wasDone });
    }
});
