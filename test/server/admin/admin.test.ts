// Slow: starts a server, and the command line in processes of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServices } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import { adminOn, type Outcome, said } from '../../support/admin.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const entry = fileURLToPath(new URL('../../../scripts/platen-admin.js', import.meta.url));

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

/** Runs the command line in a process of its own, beside the running server, as an operator does. */
const adminAlone = (...args: string[]) => run(entry, args, { PLATEN_DATA_DIR: platen.dataDir });

/** Runs the command line in this process, on services of its own. */
const admin = (...args: string[]) => adminOn(platen)(...args);

async function run(file: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...env } });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

const as = (key: string, method: string, path: string, body?: unknown) =>
  platen.call(method, path, body, { key });

/** An account created by the command line, with a published post on a blog. */
async function accountWithBlog(tier: string) {
  const email = `${uuid()}@example.org`;
  const made = await admin('account', 'create', '--email', email, '--tier', tier, '--json');
  const { account_id, key } = JSON.parse(made.out);
  const slug = `b-${uuid()}`;
  await as(key, 'POST', '/blogs', { slug, name: 'B' });
  const post = { title: 'T', slug: 'post', content: 'x', status: 'published' };
  const headers = { Prefer: 'wait=60' };
  const { headers: applied } = await platen.call('POST', '/posts', post, { key, headers });
  expect(applied.get('preference-applied')).toBe('wait=60');
  return { id: account_id, email, key, slug };
}

describe('platen-admin account create', () => {
  it('account create prints an account and a key that the running server accepts at once', async () => {
    const { code, out, err } = await adminAlone(
      ...['account', 'create', '--email', 'ada@example.org', '--tier', 'creator', '--json'],
    );
    expect([code, err]).toEqual([0, '']);
    const made = JSON.parse(out);
    expect(made).toEqual({
      account_id: expect.any(String),
      key: expect.stringMatching(/^pk_live_[0-9a-f]{48}$/),
    });
    expect((await as(made.key, 'GET', '/account/profile')).json).toMatchObject({
      id: made.account_id,
      email: 'ada@example.org',
      name: 'ada',
      plan: 'creator',
    });
  });

  it('account create prints plain text too, and accepts a name and a subject', async () => {
    const { code, out } = await admin(
      ...[
        'account',
        'create',
        '--email=bob@localhost',
        '--tier=free',
        '--name',
        'Bob B.',
        '--subject',
        'u|1',
      ],
    );
    expect(code).toBe(0);
    const key = /pk_live_\w+/.exec(out)?.[0] ?? '';
    const { json } = await as(key, 'GET', '/account/profile');
    expect(json).toMatchObject({ name: 'Bob B.', email: 'bob@localhost' });
    expect(out).toContain(json.id);
  });

  it('account create refuses a used email or subject', async () => {
    const create = (email: string, subject: string) =>
      admin('account', 'create', '--email', email, '--tier', 'free', '--subject', subject);
    expect((await create('cy@example.org', 'u|cy')).code).toBe(0);
    for (const [email, subject, message] of [
      ['CY@example.org', 'u|other', /^platen-admin: .*email CY@example.org/],
      ['other@example.org', 'u|cy', /^platen-admin: .*u\|cy .* cy@example.org/],
    ] as const) {
      const { code, out, err } = await create(email, subject);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(message);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });
});

describe('platen-admin account new-key', () => {
  it('account new-key prints an additional key, and the other keys still work', async () => {
    const { id, email, key } = await accountWithBlog('starter');
    const { code, out } = await admin('account', 'new-key', email);
    const another = /pk_live_[0-9a-f]{48}/.exec(out)?.[0] ?? expect.fail(out);
    expect([code, another === key]).toEqual([0, false]);
    const made = JSON.parse((await admin('account', 'new-key', id, '--json')).out);
    expect(made.account_id).toBe(id);
    for (const secret of [key, another, made.key]) {
      expect((await as(secret, 'GET', '/account/profile')).json).toMatchObject({ id });
    }
  });

  it('account new-key refuses an unknown account', async () => {
    const { code, out, err } = await admin('account', 'new-key', 'nobody@example.org');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/there is no account nobody@example.org/);
  });
});

describe('platen-admin account list', () => {
  it('account list lists every account, the owner first', async () => {
    const { id, email } = await accountWithBlog('starter');
    const listed = JSON.parse((await admin('account', 'list', '--json')).out);
    expect(listed[0]).toMatchObject({ email: 'owner@localhost', tier: 'enterprise', blogs: 1 });
    expect(listed.at(-1)).toEqual({
      account_id: id,
      email,
      name: expect.any(String),
      tier: 'starter',
      blogs: 1,
      subject: null,
      suspended_at: null,
      created_at: expect.any(String),
    });
    const lines = (await adminAlone('account', 'list')).out.trim().split('\n');
    expect(lines).toHaveLength(listed.length);
    expect(lines.at(-1)).toMatch(new RegExp(`^${id} +starter +1 blog +${email}$`));
  });

  it('account list shows no secret', async () => {
    expect((await admin('account', 'list', '--json')).out).not.toMatch(/pk_live_|hash/);
  });
});

describe('platen-admin account set-tier', () => {
  it('account set-tier changes the account’s limits and rebuilds its blogs', async () => {
    const { id, email, key, slug } = await accountWithBlog('free');
    const page = async () => (await platen.read(slug, '/post/')).text;
    expect(await page()).toContain('noindex');

    const moved = await adminAlone('account', 'set-tier', email.toUpperCase(), 'starter');
    expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/from free to starter; 1 blog is/) });
    expect((await as(key, 'GET', '/account/profile')).json.plan).toBe('starter');
    await expect.poll(page).not.toContain('noindex');

    const again = await admin('account', 'set-tier', id, 'starter');
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/already has the tier starter/) });
  });
});

describe('platen-admin account suspend', () => {
  it('account suspend disables credentials until account reinstate, while readers see every page', async () => {
    const { id, email, key, slug } = await accountWithBlog('starter');
    expect((await adminAlone('account', 'suspend', email)).code).toBe(0);
    for (const [method, path] of [
      ['GET', '/posts'],
      ['POST', '/posts'],
      ['GET', '/account/export'],
    ] as const) {
      const refused = await as(key, method, path);
      expect(refused).toMatchObject({ status: 403, json: { error: 'forbidden' } });
      expect(refused.json.message).toMatch(/suspended/);
    }
    expect((await platen.read(slug, '/post/')).status).toBe(200);
    expect((await admin('account', 'list')).out).toMatch(new RegExp(`${email} +\\(suspended\\)`));

    expect((await adminAlone('account', 'reinstate', email)).code).toBe(0);
    expect((await as(key, 'GET', '/posts')).status).toBe(200);
    const states = [];
    // `resume` is the former name of `reinstate`.
    for (const verb of ['suspend', 'resume', 'suspend', 'reinstate']) {
      states.push(JSON.parse((await admin('account', verb, email, '--json')).out));
    }
    const [suspended, working] = [
      { account_id: id, email, suspended_at: expect.any(String) },
      { account_id: id, email, suspended_at: null },
    ];
    expect(states).toEqual([suspended, working, suspended, working]);
    expect((await admin('account', 'reinstate', email)).out).toBe(`${email} was not suspended\n`);
  });
});

describe('platen-admin account link', () => {
  it('account link gives an account a subject that no other account may have', async () => {
    const [first, second] = [await accountWithBlog('free'), await accountWithBlog('free')];
    expect((await adminAlone('account', 'link', first.email, 'u|linked')).code).toBe(0);
    expect((await admin('account', 'link', first.id, 'u|linked')).code).toBe(0);
    expect(await admin('account', 'link', second.id, 'u|linked')).toMatchObject({
      code: 1,
      err: expect.stringContaining(first.email),
    });
    const listed = JSON.parse((await admin('account', 'list', '--json')).out);
    const subjects = listed.filter(({ subject }: { subject: string }) => subject === 'u|linked');
    expect(subjects).toMatchObject([{ account_id: first.id }]);
  });
});

/** Output of the command line for arguments that it checks before it opens anything. */
const understood = (...args: string[]) => said(args, () => expect.fail('there is nothing to open'));

describe('platen-admin', () => {
  it.each([
    'account create',
    'account new-key',
    'account list',
    'account set-tier',
    'account suspend',
    'account reinstate',
    'account delete',
    'account link',
    'blog take-down',
    'blog restore',
    'post take-down',
    'post restore',
    'edge verify',
    'edge repair',
    'edge copy',
  ])('platen-admin explains %s', async (name) => {
    for (const help of ['--help', '-h']) {
      const { code, out, err } = await understood(...name.split(' '), help);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`Usage: platen-admin ${name}`);
    }
    expect(await understood('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`platen-admin ${name} `),
    });
  });

  it.each([
    [['account'], /no command "account"/],
    [['account', 'destroy'], /no command "account destroy"/],
    [['account', 'create', '--tier', 'free'], /--email is missing/],
    [['account', 'create', '--email', 'nobody', '--tier', 'free'], /--email must be an email/],
    [['account', 'create', '--email', 'x@example.org', '--tier', 'gold'], /--tier must be one of free, /],
    [['account', 'create', '--email', 'x@example.org', '--tier'], /--tier needs a value/],
    [['account', 'create', '--email', 'x@example.org'], /--tier is missing: name one of free, /],
    [['account', 'create', '--colour', 'red'], /there is no option --colour/],
    [['account', 'list', 'everything'], /takes no argument "everything", only options/],
    [['account', 'set-tier', 'x@example.org'], /needs account and tier/],
    [['account', 'set-tier', 'x@example.org', 'gold'], /tier must be one of/],
    [['account', 'suspend'], /needs account/],
    [['account', 'delete', 'x@example.org'], /--yes is missing: a deleted account cannot be restored/],
    [['blog', 'take-down', '--slug', 'x'], /--reason is missing/],
    [['blog', 'take-down', '--reason', 'x'], /--slug is missing/],
    [['blog', 'take-down', '--slug', 'x', '--reason', ' '], /--reason must not be empty/],
    [['blog', 'take-down', '--slug', 'x', '--reason', 'r'.repeat(501)], /--reason must be at most 500/],
    [['post', 'take-down', '--slug', 'x', '--reason', 'x'], /--blog is missing/],
    [['post', 'restore', '--blog', 'x'], /--slug is missing/],
  ])('platen-admin rejects %j and says why', async (args, message) => {
    const { code, out, err } = await understood(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('platen-admin lists the commands that begin with a word', async () => {
    const { code, out } = await understood('account', '--help');
    expect(code).toBe(0);
    expect(out).toContain('platen-admin account set-tier');
    expect(out).not.toContain('platen-admin edge verify');
    expect((await understood('nothing', '--help')).out).toContain('platen-admin edge verify');
  });

  it('platen-admin edge refuses settings with which it would build other pages than the server', async () => {
    const env = { PLATEN_DATA_DIR: platen.dataDir, LOG_LEVEL: 'silent' };
    for (const command of ['verify', 'repair']) {
      const refused = await said(['edge', command], () => createServices(readConfig(env)));
      const { port } = new URL(platen.origin);
      const message = `platen-admin: the server has http://localhost:${port}, this command http://localhost:8080: set PORT=${port}\n`;
      expect(refused).toEqual({ code: 2, out: '', err: message });
    }
    expect((await admin('edge', 'verify', '--quick')).err).toBe('');
  });

  it('platen-admin without arguments lists its commands', async () => {
    const { code, out } = await adminAlone();
    expect(code).toBe(2);
    expect(out).toContain('platen-admin account create');
  });

  it.each([
    ['set-tier', 'nobody@example.org', 'free'],
    ['suspend', 'nobody@example.org'],
    ['reinstate', uuid()],
    ['delete', uuid(), '--yes'],
    ['link', 'nobody@example.org', 'u|nobody'],
  ])('platen-admin finds no account for: %s %s', async (...args) => {
    const alone = args[0] === 'suspend' ? adminAlone : admin;
    const { code, out, err } = await alone('account', ...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`platen-admin: there is no account ${args[1]}\n`);
  });

  it('platen-admin reports a wrong configuration in one sentence', async () => {
    const { code, err } = await run(entry, ['account', 'list'], { PORT: 'eighty' });
    expect(code).toBe(1);
    expect(err).toMatch(/^platen-admin: configuration: PORT: [^\n]+\n$/);
  });

  it('platen-admin does not create a database, which is left to the first start of the server', async () => {
    const folder = join(tmpdir(), `platen-test-${uuid()}`);
    const { code, err } = await run(entry, ['account', 'list'], { PLATEN_DATA_DIR: folder });
    expect(code).toBe(1);
    expect(err).toMatch(/^platen-admin: there is no Platen installation in [^\n]+\n$/);
    expect(existsSync(folder)).toBe(false);
  });

  it('platen-admin says so if Platen has not been built', async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'platen-test-'));
    mkdirSync(join(checkout, 'scripts'));
    const copy = join(checkout, 'scripts', 'platen-admin.mjs');
    copyFileSync(entry, copy);
    const { code, err } = await run(copy, ['account', 'list'], {});
    expect([code, err]).toEqual([1, expect.stringMatching(/^platen-admin: [^\n]*npm run build[^\n]*\n$/)]);
    rmSync(checkout, { recursive: true });
  });
});
