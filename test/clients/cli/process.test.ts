// Slow: packs and installs the command line, and starts it in processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { installPacked, root } from '../../support/packed-client.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { freePort } from '../../support/port.ts';
import { zipOf } from '../../support/zip.ts';
import { type Files, folderOf } from './folder/folder-of.ts';
import { item, wxr } from './imports/wxr.ts';
import { startInTerminal } from './pseudo-terminal.ts';

let platen: TestPlaten;
let installed: string;
let settings: string;
beforeAll(async () => {
  [platen, installed] = await Promise.all([startTestPlaten(), installPacked('cli')]);
  settings = await mkdtemp(join(tmpdir(), 'platen-cli-'));
});
afterAll(() => platen.close());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Null leaves standard input open. */
  readonly input?: string | null;
}

/** Runs the installed command line with only these variables. */
function start(words: readonly string[], { cwd = installed, env = {}, input = '' }: StartOptions = {}) {
  const child = spawn(join(installed, 'node_modules/.bin/platen'), words, {
    cwd,
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: settings, ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  if (input !== null) child.stdin.end(input);
  const ended = once(child, 'close').then(([code]): Ended => ({ code, out, err }));
  return { child, ended, out: () => out };
}
const run = (line: string, options?: StartOptions): Promise<Ended> => start(line.split(' '), options).ended;

/** A blog of the owner, in the variables of a process. */
async function blog(): Promise<{
  env: Record<string, string>;
  slug: string;
  posts: () => Promise<string[]>;
}> {
  const slug = `process-${Math.random().toString(36).slice(2, 10)}`;
  const { id } = (await platen.call('POST', '/blogs', { slug, name: slug })).json;
  return {
    slug,
    env: { PLATEN_API_URL: platen.origin, PLATEN_API_KEY: platen.key },
    async posts() {
      const { json } = await platen.call('GET', '/posts?per_page=100', undefined, {
        headers: { 'X-Blog-Id': id },
      });
      return json.data.map((post: { slug: string }) => post.slug);
    },
  };
}

const many = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}.md`, `# Post ${n}\n\nText ${n}.\n`]));

describe('the installed command line', () => {
  it('shows its version and help, signs in by a pipe, and publishes', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '0.1.0\n', err: '' });
    expect((await run('--help')).out).toContain('Usage: platen <command> [options]');
    const env = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'platen-cli-')) };
    expect(await run(`login --url ${platen.origin}`, { env, input: platen.key })).toMatchObject({
      code: 0,
      err: '',
    });
    const created = await run('posts create - --title Piped --publish', { env, input: 'Some **text**.' });
    expect(created).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Published piped\nlive in \d+ ms: http/),
    });
    const folder = await folderOf(many(3));
    expect((await run(`deploy ${folder} --json`, { env })).out).toContain('"created": 3');
    expect((await run('posts list --all', { env })).out.split('\n').length).toBeGreaterThan(4);
  });

  it('imports a zip with XML, and ends with 130 at Ctrl-C', async () => {
    const zip = zipOf([{ name: 'notes.xml', content: wxr(item({ content: 'One\n\n<b>two</b>' })) }]);
    const cwd = await folderOf({ 'notes.zip': zip });
    expect(await run('import notes.zip', { cwd })).toMatchObject({ code: 0, err: '' });
    expect(await readFile(join(cwd, 'notes-platen/posts/2020-02-03-ink.md'), 'utf8')).toContain(
      'One\n\n**two**\n',
    );

    const host = createServer(() => {});
    onTestFinished(() => void host.close());
    await new Promise<void>((resolve) => {
      host.listen(0, '127.0.0.1', resolve);
    });
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.png`;
    await writeFile(join(cwd, 'slow.xml'), wxr(item({ content: `<img src="${address}">` })));
    const slow = start(['import', 'slow.xml'], { cwd });
    const [connection] = await once(host, 'connection');
    slow.child.kill('SIGINT');
    expect((await slow.ended).code).toBe(130);
    connection.destroy();
    expect(await run('import slow.xml --no-images', { cwd })).toMatchObject({ code: 0 });
  });

  it('says how to get a server where there is none, and never starts that of another project', async () => {
    const cwd = await folderOf({
      'package.json': '{"name": "shop"}',
      'dist/server/main.js': 'console.log("another server")',
      'server/main.js': 'console.log("another server")',
      'a.md': 'A',
    });
    for (const line of ['serve', 'dev .']) {
      const { code, out, err } = await run(line, { cwd });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain('in a checkout of Platen, run npm ci && npm run build');
    }
  });

  it('gives an agent the tools of its profile, over standard input and output', async () => {
    const { env, slug } = await blog();
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'create_post', arguments: { title: 'By an agent', content: 'Text' } },
      },
    ];
    const { child, ended, out } = start(['mcp', '--blog', slug], { env, input: null });
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await expect.poll(out, { interval: 20 }).toContain('"id":2');
    expect((await platen.read(slug, '/by-an-agent/')).status).toBe(200);
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('serves where the server is, and stops with it', async () => {
    const data = await mkdtemp(join(tmpdir(), 'platen-serve-'));
    onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
    const port = String(await freePort());
    const { child, ended, out } = start(['serve', '--port', port, '--data', data], { cwd: root });
    await expect.poll(out, { interval: 50 }).toContain('Starter blog');
    expect((await fetch(`http://localhost:${port}/healthz`)).ok).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow();
  });

  it('ends quietly if nobody reads on', async () => {
    const { env, slug } = await blog();
    const folder = await folderOf(many(40));
    await run(`deploy ${folder} --blog ${slug} --no-wait`, { env });
    const { child, ended } = start(['posts', 'list', '--all', '--blog', slug], { env });
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });
});

describe('a deploy that is cut off', () => {
  it('by Ctrl-C ends with 130, and the next one finishes', async () => {
    const { env, slug, posts } = await blog();
    const folder = await folderOf(many(90));
    const proxy = await startProxy();
    const words = ['deploy', folder, '--blog', slug, '--concurrency', '1'];
    const { child, ended } = start(words, { env: { ...env, PLATEN_API_URL: proxy.origin } });
    await proxy.saw('POST /v1/posts:batch');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, err: expect.stringContaining('platen: interrupted') });
    expect((await posts()).length).toBeLessThan(90);
    expect(await run(`deploy ${folder} --blog ${slug}`, { env })).toMatchObject({ code: 0 });
    expect((await posts()).length).toBe(90);
  });

  it('by the network ends with 6, and the next one finishes', async () => {
    const { env, slug, posts } = await blog();
    const folder = await folderOf(many(60));
    const proxy = await startProxy();
    const words = ['deploy', folder, '--blog', slug, '--concurrency', '1'];
    const { ended } = start(words, { env: { ...env, PLATEN_API_URL: proxy.origin } });
    await proxy.saw('POST /v1/posts:batch');
    proxy.cut();
    const { code, err } = await ended;
    expect(code).toBe(6);
    expect(err).toMatch(
      /^platen: (?:cannot reach the server|the connection broke)[\s\S]*Does the server run\?/m,
    );
    expect(await run(`deploy ${folder} --blog ${slug}`, { env })).toMatchObject({ code: 0 });
    expect((await posts()).length).toBe(60);
  });
});

describe('in a terminal', () => {
  const terminal = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startInTerminal([process.execPath, join(installed, 'node_modules/@platen/cli/main.js'), ...words], {
      cwd: installed,
      env: { XDG_CONFIG_HOME: settings, ...env },
    });

  it('login asks for the address and the key, and shows the key to nobody', async () => {
    const env = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'platen-cli-')) };
    const login = terminal(['login'], env);
    await login.type('Address of the server', `${platen.origin}\r`);
    await login.type(`API key or token for ${platen.origin}`, `${platen.key}\r`);
    expect(await login.ended).toBe(0);
    expect(login.shown()).toMatch(/server +http/);
    expect(login.shown()).not.toContain(platen.key);
    const list = terminal(['blogs', 'list'], env);
    expect(await list.ended).toBe(0);
    expect(list.shown()).toMatch(/^SLUG +NAME +DOMAIN +ID$/m);
  });

  it('a deletion asks, with No as the answer to Return; Ctrl-C is 130, and NO_COLOR has no colours', async () => {
    const { env, slug, posts } = await blog();
    await run(`posts create --title Ink --content Text --blog ${slug}`, { env });
    const words = ['posts', 'delete', 'ink', '--blog', slug];
    const declined = terminal(words, env);
    await declined.type('Delete ink for good', '\r');
    expect(await declined.ended).toBe(0);
    expect(declined.shown()).toContain('Nothing was done.');
    const cancelled = terminal(words, env);
    await cancelled.type('Delete ink for good', '\u0003');
    expect(await cancelled.ended).toBe(130);
    expect(await posts()).toEqual(['ink']);
    const accepted = terminal(words, { ...env, NO_COLOR: '1' });
    await accepted.type('Delete ink for good', 'y');
    expect(await accepted.ended).toBe(0);
    expect(await posts()).toEqual([]);
    const isColoured = ({ raw }: typeof accepted) => raw().includes('\u001b[3');
    expect([declined, accepted].map(isColoured)).toEqual([true, false]);
  });

  it('an editor has the terminal', async () => {
    const { env, slug } = await blog();
    await run(`posts create --title Ink --content Text --blog ${slug} --publish`, { env });
    const editor = join(await folderOf({}), 'editor.sh');
    await writeFile(
      editor,
      'test -t 0 || exit 9\nprintf "edited by hand? "\nread answer\necho "$answer" >> "$1"\n',
    );
    const edit = terminal(['posts', 'edit', 'ink', '--blog', slug], { ...env, EDITOR: `sh ${editor}` });
    await edit.type('edited by hand?', 'By hand.\r');
    expect(await edit.ended).toBe(0);
    expect(edit.shown()).toMatch(/Changed ink\nlive in \d+ ms/);
    expect((await platen.read(slug, '/ink/')).text).toContain('By hand.');
  });
});

/** Passes connections on to the server, until it is cut. */
async function startProxy() {
  const { port } = new URL(platen.origin);
  let seen = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(port), 'localhost');
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => {});
    }
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
    });
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  const address = server.address();
  return {
    origin: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    saw: (request: string) => expect.poll(() => seen, { interval: 5 }).toContain(request),
    cut,
  };
}
