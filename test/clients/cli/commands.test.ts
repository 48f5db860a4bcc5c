import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Scope } from '../../../server/access/scope.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { folderOf, png } from './folder/folder-of.ts';
import { type Cli, createCli } from './run-cli.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

let accounts = 0;

/** A command line that is signed in to an account of its own, with a blog. */
async function signedIn(scopes?: readonly Scope[]): Promise<Cli & { slug: string; key: string }> {
  accounts += 1;
  const { key: first } = await platen.account({ tier: 'enterprise' });
  const slug = `cli-${accounts}`;
  await platen.call('POST', '/blogs', { slug, name: slug }, { key: first });
  const token = { name: 'cli', scopes };
  const key: string = scopes
    ? (await platen.call('POST', '/account/tokens', token, { key: first })).json.key
    : first;
  const cli = createCli();
  const { code } = await cli(`login --url ${platen.origin}`, { input: `${key}\n` });
  expect(code).toBe(0);
  return Object.assign(cli, { slug, key });
}

const LIVE = /^live in \d+ ms: (http\S+)$/m;

describe('login', () => {
  it('checks the key of a pipe, keeps it, and shows who it is', async () => {
    const cli = createCli();
    const { code, out, err } = await cli(`login --url ${platen.origin}/v1/`, { input: `  ${platen.key}\n` });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`server\t${platen.origin}\naccount\towner@localhost\nplan\tenterprise\n`);
    expect(out).not.toContain(platen.key);
    const { profiles } = JSON.parse(await readFile(join(cli.settings, 'profiles.json'), 'utf8'));
    expect(profiles).toEqual({ default: { url: platen.origin, key: platen.key, blog: null } });
    const me = await cli('whoami --json');
    expect(me.json()).toMatchObject({
      url: platen.origin,
      profile: 'default',
      key: 'profile',
      account: { email: 'owner@localhost' },
    });
    expect(me.out).not.toContain(platen.key);
  });

  it('asks at a terminal, and takes the key of the environment elsewhere', async () => {
    const cli = createCli();
    const asked = await cli('login --profile work --blog starter', { answers: [platen.origin, platen.key] });
    expect(asked).toMatchObject({
      code: 0,
      asked: ['Address of the server', `API key or token for ${platen.origin}`],
    });
    const environment = { PLATEN_API_KEY: platen.key, PLATEN_API_URL: platen.origin };
    const taken = await cli('login', { environment });
    expect(taken).toMatchObject({
      code: 0,
      err: expect.stringContaining('it is used in place of the profile'),
    });
    expect((await cli('profiles list')).out).toBe(
      `work\t${platen.origin}\tstarter\t\ndefault\t${platen.origin}\t\tyes\n`,
    );
    expect((await cli('profiles use work')).code).toBe(0);
    expect((await cli('whoami --json')).json()).toMatchObject({ profile: 'work', blog: 'starter' });
    expect((await cli('logout')).out).toBe('Forgot work. The key itself stays valid.\n');
    expect((await cli('whoami --json')).json()).toMatchObject({ profile: 'default' });
    expect((await cli('logout --all --json')).json()).toEqual({ forgotten: ['default'] });
    expect(await cli('whoami')).toMatchObject({ code: 3, err: expect.stringContaining('run platen login') });
  });

  it.each([
    ['a wrong key', 'pk_live_000000000000', {}, 3, 'does not know this key'],
    ['no key', '', {}, 2, 'give the key on standard input, or set PLATEN_API_KEY'],
    ['a file that is no key', 'a b\nc', {}, 2, 'that is no key'],
    [
      'an address of something else',
      'pk_live_000000000000',
      { url: '/docs' },
      1,
      '/docs: there is nothing at /docs/v1',
    ],
  ])(
    'with %s keeps nothing and says why',
    async (_, input, { url = '' }: { url?: string }, code, message) => {
      const cli = createCli();
      const outcome = await cli(`login --url ${platen.origin}${url}`, { input });
      expect(outcome).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
      expect(outcome.err).not.toContain('pk_live_0000');
      expect(await readdir(cli.settings)).toEqual([]);
    },
  );

  it('to no server says that it cannot be reached', async () => {
    const { code, err } = await createCli()('login --url http://localhost:9', {
      input: 'pk_live_000000000000',
    });
    expect(code).toBe(6);
    expect(err).toContain('cannot reach the server');
  });

  it('takes a key with few scopes', async () => {
    const cli = await signedIn(['posts:read']);
    expect(await cli('posts list')).toMatchObject({ code: 0 });
    expect(await cli('posts create --title A --content B')).toMatchObject({
      code: 3,
      err: expect.stringContaining('posts:write'),
    });
    expect((await cli('whoami')).out).toContain('unknown: the key lacks the scope account:read');
  });
});

describe('posts', () => {
  it('are created, read, changed, listed and deleted, each with a receipt', async () => {
    const cli = await signedIn();
    const created = await cli('posts create --title "On ink" --content "Black **ink**." --tag ink --publish');
    expect(created).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Published on-ink\nlive in /),
    });
    const [, url = ''] = LIVE.exec(created.out) ?? [];
    expect(new URL(url).pathname).toBe('/on-ink/');
    expect((await platen.read(cli.slug, '/on-ink/')).text).toContain('<strong>ink</strong>');

    expect((await cli('posts get on-ink')).out).toMatch(
      /^---\ntitle: On ink\nslug: on-ink\n[\s\S]*---\n\nBlack \*\*ink\*\*\.\n$/,
    );
    expect((await cli('posts get on-ink --html')).out).toContain('<strong>ink</strong>');
    const updated = await cli('posts update on-ink --title "On black ink" --slug black-ink --json');
    expect(updated.json()).toMatchObject({
      slug: 'black-ink',
      title: 'On black ink',
      receipt: { status: 'live' },
    });
    expect((await cli('posts list')).out).toMatch(/^black-ink\tOn black ink\tpublished\t\d{4}-\S+Z\tink\n$/);
    expect((await cli('posts list', { columns: 60 })).out).toMatch(/^SLUG {7}TITLE/);
    expect((await cli('posts list --json')).json()).toMatchObject([{ slug: 'black-ink' }]);
    expect((await cli('posts list --status draft')).err).toContain('No posts.');

    expect((await cli('posts unpublish black-ink')).out).toMatch(
      /^black-ink is a draft again\nlive in \d+ ms\n$/,
    );
    expect((await cli('posts schedule black-ink +2h --no-wait')).out).toMatch(
      /^black-ink will be published at \d{4}-/,
    );
    expect((await cli('posts publish black-ink --date 2019-03-14')).out).toMatch(LIVE);

    expect(await cli('posts delete black-ink')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(await cli('posts delete black-ink', { answers: [false] })).toMatchObject({
      code: 0,
      err: 'Nothing was done.\n',
    });
    expect((await cli('posts delete black-ink', { answers: [true] })).out).toMatch(
      /^Deleted black-ink\nlive in /,
    );
    expect(await cli('posts get black-ink')).toMatchObject({ code: 4, out: '' });
  });

  it('are created from files and pipes, as drafts unless these say otherwise', async () => {
    const cli = await signedIn();
    const cwd = await folderOf({
      'draft.md': '# A heading\n\nText',
      'ready.md': '---\ntitle: Ready\nstatus: published\ndate: 2020-02-03\ntags: [a, b]\n---\nText',
      'wrong.md': '---\ntitle: Wrong\ndate: soon\n---\nText',
      'latin.md': Buffer.from('caf\u00e9', 'latin1'),
    });
    expect((await cli('posts create draft.md', { cwd })).out).toContain('Created the draft a-heading.');
    expect((await cli('posts create ready.md --json', { cwd })).json()).toMatchObject({
      slug: 'ready',
      status: 'published',
    });
    expect((await cli('posts get ready --json')).json()).toMatchObject({
      tags: ['a', 'b'],
      published_at: '2020-02-03T00:00:00.000Z',
    });
    expect((await cli('posts create - --title Piped --schedule +1d', { input: '# Kept' })).out).toMatch(
      /^Created piped, to be published at /,
    );
    expect((await cli('posts get piped --json')).json()).toMatchObject({
      content_md: '# Kept',
      status: 'scheduled',
    });
    expect(await cli('posts create wrong.md', { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('platen: wrong.md:3: `date` must be a date'),
    });
    expect(await cli('posts create latin.md', { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('latin.md is not UTF-8'),
    });
    expect(await cli('posts create gone.md', { cwd })).toMatchObject({
      code: 1,
      err: 'platen: there is no file gone.md\n',
    });
    expect(await cli('posts create --title A')).toMatchObject({ code: 2 });
    expect(await cli('posts create --content A')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no title'),
    });
  });

  it('become what a file says: a field that it does not have any more is removed', async () => {
    const cli = await signedIn();
    await cli('posts create --title Ink --content Text --tag a --tag b --description "On ink." --publish');
    const printed = (await cli('posts get ink')).out;
    expect(await cli('posts update ink -', { input: printed })).toMatchObject({
      out: '',
      err: 'ink says that already.\n',
    });
    const input = printed
      .replace(/tags:\n.*\n.*\n/, 'series: Type\nlanguage: de\n')
      .replace('Text', 'More text');
    expect((await cli('posts update ink -', { input })).out).toMatch(LIVE);
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      tags: [],
      series: { name: 'Type', part: 1 },
      language: 'de',
      content_md: 'More text\n',
      meta_description: 'On ink.',
    });
    expect((await cli('posts update ink -', { input: 'Only text' })).code).toBe(0);
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      title: 'Ink',
      series: { name: 'Type' },
      content_md: 'Only text',
    });
    expect(await cli('posts update ink')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing to change'),
    });
  });

  it('have revisions and previews', async () => {
    const cli = await signedIn();
    await cli('posts create --title Ink --content One');
    await cli('posts update ink --content Two');
    const [revision] = (await cli('posts revisions ink --json')).json();
    expect((await cli(`posts revisions ink ${revision.id}`)).out).toContain('\n\nOne\n');
    expect((await cli(`posts restore ink ${revision.id} --yes`)).out).toBe('Restored ink\n');
    expect((await cli('posts get ink')).out).toContain('\n\nOne\n');
    const { out } = await cli('posts preview ink --days 2');
    expect(await (await fetch(out.trim())).text()).toContain('One');
  });

  it('are listed in pages, or all at once', async () => {
    const cli = await signedIn();
    const folder = await folderOf(
      Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`p${n}.md`, `# Post ${n}\n\nText`])),
    );
    expect((await cli('deploy . --no-wait', { cwd: folder })).code).toBe(0);
    const page = await cli('posts list --per-page 10 --page 3', { columns: 80 });
    expect(page.out.trim().split('\n')).toHaveLength(6);
    expect(page.err).toBe('\nPage 3 of 3, 25 in all; --all shows everything\n');
    expect((await cli('posts list', { columns: 80 })).err).toContain('--page 2 shows the next ones');
    const lines = (await cli('posts list --all --json')).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).slug)).toHaveLength(25);
    expect((await cli('posts list --all')).out.trim().split('\n')).toHaveLength(25);
  });
});

describe('posts edit', () => {
  /** An editor that is a program: it replaces `from` by `to` in the file. */
  const editor = (from: string, to: string) =>
    `${process.execPath} ${JSON.stringify(script)} ${JSON.stringify(from)} ${JSON.stringify(to)}`;
  let script: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-editor-'));
    script = join(folder, 'edit.mjs');
    await writeFile(
      script,
      `import { readFileSync, writeFileSync } from 'node:fs';
const [from, to, file] = process.argv.slice(2);
if (from === 'fail') process.exit(3);
writeFileSync(file, readFileSync(file, 'utf8').replace(from, to.replaceAll('|', '\\n')));
`,
    );
  });
  const withEditor = (from: string, to: string) => ({ environment: { EDITOR: editor(from, to) } });

  it('sends what was changed, and nothing else', async () => {
    const cli = await signedIn();
    await cli('posts create --title Ink --content "Black ink." --publish');
    expect((await cli('posts edit ink', withEditor('Black', 'Blue'))).out).toMatch(LIVE);
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      content_md: 'Blue ink.\n',
      title: 'Ink',
    });
    expect((await cli('posts edit ink', withEditor('title: Ink', 'title: Blue|tags: [x]'))).code).toBe(0);
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      title: 'Blue',
      tags: ['x'],
      content_md: 'Blue ink.\n',
    });
    expect(await cli('posts edit ink', withEditor('nothing', ''))).toMatchObject({
      code: 0,
      err: 'Nothing was changed.\n',
    });
    expect(await cli('posts edit ink')).toMatchObject({
      code: 2,
      err: expect.stringContaining('set EDITOR'),
    });
    expect(await cli('posts edit ink', withEditor('fail', ''))).toMatchObject({
      code: 1,
      err: expect.stringContaining('ended with the exit code 3'),
    });
  });

  it('keeps the text in a file if somebody else has changed the post, or the text cannot be sent', async () => {
    const cli = await signedIn();
    await cli('posts create --title Ink --content "Black ink."');
    const meddling = join(folder, `meddle-${accounts}.sh`);
    const other = JSON.stringify({ title: 'Paper' });
    await writeFile(
      meddling,
      `#!/bin/sh
curl -sf -X PUT -H 'Authorization: Bearer ${cli.key}' -H 'Content-Type: application/json' -d '${other}' ${platen.origin}/v1/posts/ink >/dev/null
${editor('Black', 'Blue')} "$1"
`,
    );
    await chmod(meddling, 0o755);
    const refused = await cli('posts edit ink', { environment: { EDITOR: meddling } });
    expect(refused).toMatchObject({ code: 5, out: '' });
    expect(refused.err).toContain('ink was changed in Platen while you edited it, so your text was not sent');
    const [, file = ''] = /Your text is in (\S+):/.exec(refused.err) ?? [];
    expect(await readFile(file, 'utf8')).toContain('Blue ink.');
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      title: 'Paper',
      content_md: 'Black ink.',
    });
    expect((await cli(`posts update ink ${file}`)).code).toBe(0);
    expect((await cli('posts get ink --json')).json()).toMatchObject({
      title: 'Ink',
      content_md: 'Blue ink.\n',
    });

    const wrong = await cli('posts edit ink', withEditor('title: Ink', 'title: ['));
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Your text is in .*ink\.md[\s\S]*the front matter is not valid YAML/),
    });
  });
});

describe('blogs and what belongs to them', () => {
  it('are created, chosen, changed and deleted', async () => {
    const cli = await signedIn();
    const slug = `${cli.slug}-notes`;
    expect((await cli(`blogs create ${slug} --name "Notes on type"`)).out).toMatch(LIVE);
    expect((await cli('blogs list')).out.split('\n')).toHaveLength(3);
    expect((await cli(`blogs use ${slug}`)).code).toBe(0);
    expect((await cli('blogs get')).out).toContain('name\tNotes on type\n');
    await cli('posts create --title Here --content Text');
    expect((await cli('posts list')).out).toContain('here\t');
    expect((await cli(`posts list --blog ${cli.slug}`)).out).toBe('');
    expect((await cli('blogs update --accent-color #0a7ea4 --description "On type."')).out).toMatch(LIVE);
    expect((await cli('blogs get --json')).json()).toMatchObject({
      description: 'On type.',
      settings: { accent_color: '#0a7ea4' },
    });
    expect(await cli('blogs update')).toMatchObject({ code: 2 });
    expect((await cli(`blogs delete ${slug}`, { answers: [true] })).out).toBe(`Deleted the blog ${slug}\n`);
    expect(await cli('posts list')).toMatchObject({ code: 4, err: expect.stringContaining(slug) });
    expect(await cli('blogs use nowhere')).toMatchObject({ code: 4 });
  });

  it('have redirects, a domain and keys', async () => {
    const cli = await signedIn();
    expect((await cli('redirects set /a.html /b/')).out).toMatch(/^\/a\.html -> \/b\/ \(created\)\nlive in /);
    expect((await cli('redirects list --json')).json()).toMatchObject([{ from: '/a.html', to: '/b/' }]);
    expect((await cli('redirects remove /a.html')).code).toBe(0);
    expect((await cli('domains get')).err).toContain('no custom domain');
    const hostname = `blog-${accounts}.example.org`;
    expect((await cli(`domains register ${hostname}`)).out).toContain(`Registered ${hostname} (pending)`);
    expect((await cli('domains get --json')).json()).toMatchObject({ hostname, status: 'pending' });
    expect((await cli('domains remove --yes')).out).toContain(`Removed ${hostname}`);
    const { out, err } = await cli('keys create ci --scope posts:read');
    expect(out).toMatch(/^pk_live_\S+\n$/);
    expect(err).toContain('Created ci (posts:read)');
    const [{ id }] = (await cli('keys list --json')).json();
    expect((await cli(`keys revoke ${id} --yes`)).out).toBe(`Revoked ${id}\n`);
    expect((await cli('keys list')).err).toContain('No keys');
  });

  it('have images', async () => {
    const cli = await signedIn();
    const cwd = await folderOf({
      'a.png': png(),
      'b.txt': 'text',
      'large.png': Buffer.alloc(6 * 1024 * 1024),
    });
    const { out } = await cli('upload a.png', { cwd });
    expect((await fetch(out.trim())).headers.get('content-type')).toBe('image/png');
    const [{ id }] = (await cli('images list --json')).json();
    expect((await cli(`images delete ${id} --yes`)).code).toBe(0);
    expect(await cli('upload b.txt', { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('JPEG, PNG, GIF or WebP'),
    });
    expect(await cli('upload large.png', { cwd })).toMatchObject({
      code: 1,
      err: 'platen: large.png has 6 MB: an image has at most 5 MB\n',
    });
    expect(await cli('upload gone.png', { cwd })).toMatchObject({
      code: 1,
      err: 'platen: there is no file gone.png\n',
    });
  });
});

describe('the account', () => {
  it('has tokens, packs and an export, and can be deleted', async () => {
    const cli = await signedIn();
    const token = await cli(`tokens create ci --scope posts:read --days 3 --blog ${cli.slug} --json`);
    expect(token.json()).toMatchObject({ name: 'ci', scopes: ['posts:read'], blog_id: expect.any(String) });
    expect((await cli(`tokens revoke ${token.json().id} --yes`)).code).toBe(0);
    expect((await cli('tokens create x --scope posts:wriet')).code).toBe(1);
    expect((await cli('packs purchase 100 --yes')).out).toBe(
      'Bought a pack of 100 posts: 100 are left in packs\n',
    );
    expect((await cli('packs balance')).out).toMatch(/\t100\t/);
    expect((await cli('account get')).out).toContain('plan\tenterprise\n');
    expect(JSON.parse((await cli('account export')).out)).toMatchObject({
      blogs: [{ blog: { slug: cli.slug } }],
    });
    expect((await cli('account delete', { answers: [true] })).code).toBe(0);
    expect(await cli('posts list')).toMatchObject({ code: 3 });
  });

  it('finds posts, and shows views', async () => {
    const cli = await signedIn();
    await cli('posts create --title Mezzotint --content "On copper plates." --publish');
    expect((await cli('search copper mezzo')).out).toBe('mezzotint\tMezzotint\tOn copper plates.\n');
    expect((await cli('search nothing')).err).toBe('Nothing found.\n');
    const stranger = createCli();
    expect((await stranger(`discover mezzotint --url ${platen.origin}`)).out).toContain(
      `Mezzotint\t${cli.slug}\thttp://`,
    );
    expect((await cli('analytics --json')).json()).toMatchObject({ total_views: 0 });
    expect((await cli('analytics mezzotint --period 7d')).out).toContain('views\t0\n');
  });

  it('opens in a browser, whose program a variable names', async () => {
    const cli = await signedIn();
    await cli('posts create --title Ink --content Text --publish');
    await cli('posts create --title Draft --content Text');
    const seen = join(await folderOf({}), 'seen');
    const browser = join(await folderOf({ open: `#!/bin/sh\nprintf %s "$1" > '${seen}'\n` }), 'open');
    await chmod(browser, 0o755);
    const { out } = await cli('open ink', { environment: { BROWSER: browser } });
    expect(new URL(out.trim()).pathname).toBe('/ink/');
    await vi.waitFor(async () => expect(await readFile(seen, 'utf8')).toBe(out.trim()));
    expect((await cli('open --docs')).out).toBe(`${platen.origin}/docs/\n`);
    expect(await cli('open draft')).toMatchObject({
      code: 2,
      err: expect.stringContaining('platen posts preview draft --open'),
    });
  });
});

describe('deploy', () => {
  it('shows the plan, asks before it deletes, and has the exit codes of the command line', async () => {
    const cli = await signedIn();
    const cwd = await folderOf({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    expect(await cli('deploy . --dry-run', { cwd })).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 to create'),
    });
    const first = await cli('deploy .', { cwd });
    expect(first.out).toMatch(/2 created, 0 updated, 0 deleted, 0 unchanged, 0 failed, live in \d/);
    const again = await cli('deploy . --json', { cwd });
    expect(again.json()).toMatchObject({ created: 0, unchanged: 2, isLive: true });
    await writeFile(join(cwd, 'b.md'), '---\ndate: soon\n---\nText');
    expect(await cli('deploy .', { cwd })).toMatchObject({
      code: 1,
      out: expect.stringContaining('b.md:2:'),
    });
    const empty = await folderOf({ 'notes.txt': 'a' });
    expect(await cli('deploy .', { cwd: empty })).toMatchObject({
      code: 1,
      err: expect.stringContaining('no Markdown file'),
    });
    expect(await cli('deploy gone', { cwd: empty })).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be read as a folder'),
    });
  });

  it('asks at a terminal, unless --yes says it', async () => {
    const cli = await signedIn();
    const cwd = await folderOf({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    await cli('deploy .', { cwd });
    await rm(join(cwd, 'b.md'));
    const asked = await cli('deploy . --delete-missing', { cwd, answers: [false] });
    expect(asked).toMatchObject({ code: 0, asked: ['Really delete 1 post?'], err: 'Nothing was done.\n' });
    expect((await cli('deploy . --delete-missing --yes', { cwd, answers: [] })).out).toContain('1 deleted');
  });
});

describe('an interruption', () => {
  it('ends a command with 130', async () => {
    const cli = await signedIn();
    const controller = new AbortController();
    controller.abort();
    expect(await cli('posts list', { signal: controller.signal })).toMatchObject({
      code: 130,
      err: 'platen: interrupted\n',
    });
  });

  it('of the wait for readers says that the write is stored', async () => {
    const cli = await signedIn();
    const controller = new AbortController();
    const { fetch: real } = globalThis;
    vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
      if (input.includes('/rebuilds/')) controller.abort();
      return real(input, init);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { code, out, err } = await cli('posts create --title A --content B --publish', {
      signal: controller.signal,
    });
    expect(code).toBe(130);
    expect(out).toBe('Published a\n');
    expect(err).toBe('It is stored, and will be live without this command.\nplaten: interrupted\n');
  });
});

describe('import and export', () => {
  it('bring a blog in, and out again as a folder that differs in nothing', async () => {
    const cli = await signedIn();
    const data = {
      posts: [{ id: 1, title: 'Ink', slug: 'ink', html: '<p>On ink.</p>', status: 'published' }],
    };
    const cwd = await folderOf({ 'notes.json': JSON.stringify({ data }) });
    expect(await cli('import notes.json --from blogger', { cwd })).toMatchObject({ code: 2 });
    expect(await cli('import notes.json --site http://', { cwd })).toMatchObject({ code: 2 });
    expect(await cli('import gone.json', { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('gone.json does not exist'),
    });
    const imported = await cli('import notes.json --to in --deploy', { cwd });
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('ghost: 1 post,') });
    expect(imported.out).toContain('1 created');

    expect(await cli('export out --json', { cwd })).toMatchObject({ code: 0 });
    expect(await readFile(join(cwd, 'out/platen.yaml'), 'utf8')).toContain('markdown: exact');
    expect(await cli('deploy out', { cwd })).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 created, 0 updated, 0 deleted, 1 unchanged'),
    });
    expect(await cli('export in', { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    });
  });
});
