// Slow: starts a whole server, and calls every operation that writes twice.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../../server/app.ts';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { picture } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

it('every operation that takes an Idempotency-Key answers a retry alike and writes nothing again', async () => {
  const author = await newAuthor(platen);
  const { call, blogId } = author;
  await author.post({ slug: 'subject', status: 'draft' });
  await call('PUT', '/posts/subject', { content: 'Other words.' });
  const [revision] = (await call('GET', '/posts/subject/revisions')).json.data;
  const data = (await picture().png().toBuffer()).toString('base64');
  const requests: Readonly<Record<string, readonly [string, object?]>> = {
    createBlog: ['/blogs', { slug: 'repeated', name: 'Repeated' }],
    createPost: ['/posts?blog=1', { title: 'One', content: 'x', titel: 'One' }],
    createPosts: ['/posts:batch', { posts: [{ title: 'Two', content: 'x' }] }],
    restoreRevision: [`/posts/subject/revisions/${revision.id}/restore`],
    publishPost: ['/posts/subject/publish'],
    unpublishPost: ['/posts/subject/unpublish', { nothing: 'reads this' }],
    schedulePost: ['/posts/subject/schedule', { scheduled_at: '2099-01-01T00:00:00Z' }],
    uploadImage: ['/upload', { data, content_type: 'image/png' }],
    purchasePack: ['/packs/purchase', { pack_type: '100' }],
    setRedirects: [`/blogs/${blogId}/redirects`, { from: '/old', to: '/' }],
    registerDomain: [`/blogs/${blogId}/domain`, { hostname: 'repeated.example' }],
  };
  const repeatable = endpoints(platen.services).filter(({ idempotent }) => idempotent === true);
  expect(Object.keys(requests).sort()).toEqual(repeatable.map(({ id }) => id).sort());

  const again: unknown[] = [];
  const expected: unknown[] = [];
  for (const [id, [path, body]] of Object.entries(requests)) {
    const send = () => call('POST', path, body, { 'Idempotency-Key': id });
    const first = await send();
    expect([200, 201], first.text).toContain(first.status);
    const { status, json, headers } = await send();
    expect(json.warnings?.length, id).toBe({ createPost: 2, unpublishPost: 2 }[id]);
    again.push([id, status, json, headers.get('Idempotency-Replayed')]);
    expected.push([id, first.status, first.json, 'true']);
  }
  expect(again).toEqual(expected);
  expect((await call('GET', '/packs/balance')).json.total_remaining).toBe(100);
  expect((await call('GET', '/blogs')).json.data).toHaveLength(2);
});

it('a retried form may have another boundary but not another image', async () => {
  const { key } = await newAuthor(platen);
  const send = async (width: number) => {
    const form = new FormData();
    const bytes = await picture(width).png().toBuffer();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
    const sent = new Response(form);
    const headers = { 'Content-Type': sent.headers.get('content-type') ?? '', 'Idempotency-Key': 'form' };
    return platen.call('POST', '/upload', undefined, {
      key,
      raw: new Uint8Array(await sent.arrayBuffer()),
      headers,
    });
  };
  const first = await send(64);
  expect(first.status, first.text).toBe(201);
  expect((await send(64)).json).toEqual(first.json);
  expectRefusal(await send(65), 409, /Idempotency-Key was used for another request/);
});
