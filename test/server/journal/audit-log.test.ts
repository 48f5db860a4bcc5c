// Slow: starts a server, and calls every operation and many commands.
import { userInfo } from 'node:os';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../server/app.ts';
import { insertAuditEntry } from '../../../server/journal/audit-log-store.ts';
import { adminOn } from '../../support/admin.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { picture } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

interface Logged {
  readonly actor: string;
  readonly actor_id: string | null;
  readonly action: string;
  readonly account_id: string | null;
  readonly blog_id: string | null;
  readonly subject: string | null;
}

async function admin(...args: string[]) {
  const { code, out, err } = await adminOn(platen)(...args);
  expect([code, err]).toEqual([0, '']);
  return out;
}

/** Audit log of an account, oldest entry first. */
const log = async (accountId: string): Promise<Logged[]> =>
  JSON.parse(await admin('audit', '--account', accountId, '--json')).reverse();

const actions = async ({ accountId }: Author) =>
  (await log(accountId)).map(({ action, subject }) => (subject ? `${action} ${subject}` : action));

/** Operations that write nothing, whatever their method. */
const WRITES_NOTHING = ['renderMarkdown', 'previewLayout'];

describe('the audit log of API keys', () => {
  it('every operation that writes is logged with its target', async () => {
    const author = await newAuthor(platen, 'enterprise');
    const { call, blogId, blogSlug, accountId } = author;
    const done = async (method: string, path: string, body?: unknown) => {
      const { status, json, text } = await call(method, path, body);
      expect([200, 201], text).toContain(status);
      return json;
    };
    await done('POST', '/posts', { title: 'One', content: 'x' });
    await done('POST', '/posts:batch', { posts: [{ title: 'Two', content: 'x' }] });
    await done('PUT', '/posts/one', { title: 'First' });
    const [revision] = (await done('GET', '/posts/one/revisions')).data;
    await done('POST', `/posts/one/revisions/${revision.id}/restore`);
    await done('POST', '/posts/one/preview', {});
    await done('POST', '/posts/one/publish');
    await done('POST', '/posts/one/unpublish');
    await done('POST', '/posts/one/schedule', { scheduled_at: '2099-01-01T00:00:00Z' });
    await done('DELETE', '/posts/one');
    const data = (await picture().png().toBuffer()).toString('base64');
    await done('POST', '/upload', { data, content_type: 'image/png', filename: 'a.png' });
    const [image] = (await done('GET', '/media')).data;
    await done('DELETE', `/media/${image.id}`);
    await done('PUT', `/blogs/${blogId}`, { name: 'Renamed' });
    const redirects = `/blogs/${blogId}/redirects`;
    await done('POST', redirects, { from: '/old', to: '/' });
    await done('DELETE', `${redirects}?from=/old`);
    const { data: set } = await done('POST', redirects, { from: '/old', to: '/' });
    await done('DELETE', `${redirects}/${set[0].id}`);
    const key = await done('POST', `/blogs/${blogId}/api-keys`, { name: 'Robot' });
    await done('DELETE', `/blogs/${blogId}/api-keys/${key.id}`);
    const token = await done('POST', '/account/tokens', { name: 'Token' });
    await done('DELETE', `/account/tokens/${token.id}`);
    await done('POST', `/blogs/${blogId}/domain`, { hostname: 'www.ink.example' });
    await done('DELETE', `/blogs/${blogId}/domain`);
    await done('POST', '/packs/purchase', { pack_type: '100' });
    await done('DELETE', `/blogs/${blogId}`);
    await done('POST', '/account/delete');

    const acts = await platen.services.auditLog.list({ account: accountId, limit: 100 });
    expect(acts.reverse().map(({ action, subject: { name } }) => [action, name])).toEqual([
      ['createBlog', blogSlug],
      ['createPost', 'one'],
      ['createPosts', 'two'],
      ['updatePost', 'one'],
      ['restoreRevision', 'one'],
      ['createPreview', 'one'],
      ['publishPost', 'one'],
      ['unpublishPost', 'one'],
      ['schedulePost', 'one'],
      ['deletePost', 'one'],
      ['uploadImage', null],
      ['deleteImage', null],
      ['updateBlog', blogSlug],
      ['setRedirects', blogSlug],
      ['removeRedirectAt', blogSlug],
      ['setRedirects', blogSlug],
      ['removeRedirect', blogSlug],
      ['createApiKey', 'Robot'],
      ['revokeApiKey', null],
      ['createToken', 'Token'],
      ['revokeToken', null],
      ['registerDomain', 'www.ink.example'],
      ['removeDomain', 'www.ink.example'],
      ['purchasePack', '100'],
      ['deleteBlog', blogSlug],
      ['deleteAccount', null],
    ]);
    expect(new Set(acts.map(({ actor: { kind, id } }) => `${kind} ${id}`)).size).toBe(1);
    const writing = endpoints(platen.services).filter(
      ({ method, id }) => method !== 'get' && !WRITES_NOTHING.includes(id),
    );
    expect([...new Set(acts.map(({ action }) => action))].sort()).toEqual(writing.map(({ id }) => id).sort());
  });

  it('an entry names the key, the account and the blog', async () => {
    const author = await newAuthor(platen);
    const { json } = await author.call('GET', '/account/tokens');
    await author.post({ slug: 'named' });
    expect((await log(author.accountId)).at(-1)).toMatchObject({
      actor: 'key',
      actor_id: json.data[0].id,
      action: 'createPost',
      account_id: author.accountId,
      blog_id: author.blogId,
      subject: 'named',
    });
  });

  it('refusals, retries and requests that change nothing are not logged', async () => {
    const author = await newAuthor(platen);
    const once = { 'Idempotency-Key': 'k' };
    for (const _ of [1, 2]) await author.post({ slug: 'a' }, once);
    expect((await author.call('POST', '/posts', { title: 'A', content: 'x', slug: 'a' })).status).toBe(409);
    expect((await author.call('PUT', '/posts/a', {})).status).toBe(200);
    expect((await author.call('POST', '/posts/a/publish')).status).toBe(200);
    expect((await author.call('DELETE', '/posts/none')).status).toBe(404);
    expect(await actions(author)).toEqual([`createBlog ${author.blogSlug}`, 'createPost a']);
  });

  it('the audit log holds no secret', async () => {
    const author = await newAuthor(platen, 'creator');
    const { json: token } = await author.call('POST', '/account/tokens', { name: 'T' });
    await author.post({ slug: 'a' });
    const { json: preview } = await author.call('POST', '/posts/a/preview', {});
    const rows = JSON.stringify(await platen.services.db.selectFrom('audit_log').selectAll().execute());
    for (const secret of [author.key, token.key, new URL(preview.url).pathname.split('/').at(-1)])
      expect(rows).not.toContain(secret);
  });
});

describe('the audit log of operators', () => {
  it('an operator’s act is logged with the machine’s user name and its target', async () => {
    const author = await newAuthor(platen, 'creator');
    const { accountId, blogSlug } = author;
    await author.post({ slug: 'bad' });
    const before = (await log(accountId)).length;
    for (const args of [
      ['account', 'new-key', accountId],
      ['account', 'set-tier', accountId, 'scale'],
      ['account', 'link', accountId, `user-${accountId}`],
      ['account', 'suspend', accountId],
      ['account', 'resume', accountId],
      ['blog', 'take-down', '--slug', blogSlug, '--reason', 'R'],
      ['blog', 'restore', '--slug', blogSlug],
      ['post', 'take-down', '--blog', blogSlug, '--slug', 'bad', '--reason', 'R'],
      ['post', 'restore', '--blog', blogSlug, '--slug', 'bad'],
    ])
      await admin(...args);
    const done = (await log(accountId)).slice(before);
    expect(done.map(({ action, subject }) => [action, subject])).toEqual([
      ['account new-key', null],
      ['account set-tier', 'scale'],
      ['account link', null],
      ['account suspend', null],
      ['account reinstate', null],
      ['blog take-down', blogSlug],
      ['blog restore', blogSlug],
      ['post take-down', 'bad'],
      ['post restore', 'bad'],
    ]);
    for (const { actor, actor_id } of done)
      expect([actor, actor_id]).toEqual(['operator', userInfo().username]);
  });

  it('creating an account and repairing the edge are logged', async () => {
    const made = await admin('account', 'create', '--email', 'made@example.org', '--tier', 'free', '--json');
    expect(await log(JSON.parse(made).account_id)).toMatchObject([
      { actor: 'operator', action: 'account create', subject: 'free' },
    ]);
    const { blogSlug } = await newAuthor(platen);
    const newest = async () => (await platen.services.auditLog.list({ limit: 1 }))[0];
    await admin('edge', 'repair', '--blog', blogSlug, '--quick', '--dry-run');
    expect(await newest()).toMatchObject({ action: 'createBlog' });
    await admin('edge', 'repair', '--blog', blogSlug, '--quick');
    expect(await newest()).toMatchObject({ action: 'edge repair', subject: { name: blogSlug } });
  });

  it('acts on a deleted account are logged', async () => {
    const { accountId } = await newAuthor(platen);
    await admin('account', 'delete', accountId, '--yes');
    const [last] = await platen.services.auditLog.list({ account: accountId, limit: 1 });
    expect(last).toMatchObject({ action: 'account delete', actor: { kind: 'operator' } });
  });
});

describe('platen-admin audit', () => {
  it('platen-admin audit prints one line for each act, newest first, with a limit and for one blog on request', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'a' });
    await author.post({ slug: 'b' });
    const lines = (await admin('audit', '--blog', author.blogSlug, '--limit', '2')).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^2\S+Z {2}key [0-9a-f-]{36} {2}createPost .* b$/),
      expect.stringMatching(/createPost .* a$/),
    ]);
    const all = await admin('audit', '--blog', author.blogId);
    expect(all.match(/create\w+/g)).toEqual(['createPost', 'createPost', 'createBlog']);
  });

  it.each([
    [['--limit', '0'], 2, /--limit must be a whole number from 1 to 10000/],
    [['--limit', 'many'], 2, /--limit must be a whole number from 1 to 10000/],
    [['--blog', 'none'], 1, /there is no blog with the slug none/],
    [['--account', 'none'], 1, /there is no account none/],
  ])('platen-admin audit refuses %j', async (args, code, message) => {
    const refused = await adminOn(platen)('audit', ...args);
    expect([refused.code, refused.out]).toEqual([code, '']);
    expect(refused.err).toMatch(message);
  });
});

it('acts are deleted after 90 days', async () => {
  const { db, auditLog, clock } = platen.services;
  const daysAgo = (days: number) => new Date(Date.parse(clock.now()) - days * 86_400_000).toISOString();
  const old = uuid();
  const subject = { accountId: old, blogId: null, id: null, name: null };
  const actor = { kind: 'operator', id: 'ada' } as const;
  for (const [action, days] of [
    ['kept', 89],
    ['forgotten', 91],
  ] as const)
    await insertAuditEntry(db, { at: daysAgo(days), actor, action, subject });
  await auditLog.prune();
  const left = await auditLog.list({ account: old, limit: 10 });
  expect(left.map(({ action }) => action)).toEqual(['kept']);
});
