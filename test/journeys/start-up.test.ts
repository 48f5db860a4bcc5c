// Slow: starts a server process for nearly every test, some of them through npm or a terminal.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { freePort } from '../support/port.ts';

let folder: string;
let port: number;
let children: Child[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-start-'));
  port = await freePort();
  children = [];
});
afterEach(async () => {
  for (const { process } of children) process.kill('SIGKILL');
  await Promise.all(children.map(({ exited }) => exited));
  rmSync(folder, { recursive: true });
});

const modeOf = (name: string) => statSync(join(folder, 'data', name)).mode & 0o7777;

function start(env: Readonly<Record<string, string>> = {}): Child {
  const child = startChild(folder, { PORT: String(port), ...env });
  children.push(child);
  return child;
}

async function stop(child: Child, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  child.process.kill(signal);
  return child.exited;
}

const keyPattern = /pk_live_[0-9A-Za-z_-]{32,}/;
const keyFile = () => join(folder, 'data', 'first-key');
const keyInFile = () => readFileSync(keyFile(), 'utf8').trim();
const commandsIn = (text: string) =>
  /export PLATEN_API_KEY.*?'$/ms.exec(text)?.[0] ?? expect.fail('no command to copy');

/** Runs the commands as a person would who pastes them into a terminal. Without curl, sends the same requests. */
async function paste(commands: string): Promise<string> {
  if (spawnSync('curl', ['--version']).status === 0) {
    return execFileSync('sh', ['-c', commands], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }
  const expanded = execFileSync('sh', ['-c', `${commands.split('\n')[0]}; echo "$PLATEN_API_KEY"`], {
    encoding: 'utf8',
  });
  const headers = [...commands.matchAll(/-H ['"]([^:]*): ([^'"]*)['"]/g)].map(([, name = '', value = '']) => [
    name,
    value.replace('$PLATEN_API_KEY', expanded.trim()),
  ]);
  const [, url = ''] = /-X POST (\S+)/.exec(commands) ?? [];
  const [, body = ''] = /-d '([^']*)'/.exec(commands) ?? [];
  return (await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body })).text();
}

const getPosts = (key: string) =>
  fetch(`http://localhost:${port}/v1/posts`, { headers: { Authorization: `Bearer ${key}` } });

const isHealthy = () =>
  fetch(`http://localhost:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts a server on a terminal, stops it after its start, and resolves to its output. */
async function onTerminal(): Promise<string> {
  const child = startChild(folder, { PORT: String(port) }, { terminal: true });
  children.push(child);
  await child.started;
  child.process.kill('SIGTERM');
  await child.exited;
  return child.stdout();
}

describe('a first start in an empty folder', () => {
  it('a first start prints all addresses, the key and commands that publish a post unchanged', async () => {
    const child = start();
    await child.started;
    expect(child.stdout()).toContain(`http://localhost:${port}/v1\n`);
    expect(child.stdout()).toContain(`http://starter.localhost:${port}/\n`);
    expect(child.stdout()).toContain(`API key       in the file ${keyFile()}`);
    const created = JSON.parse(await paste(commandsIn(child.stdout())));
    expect(created).toMatchObject({ slug: 'hello-world', status: 'published' });
    const headers = { Authorization: `Bearer ${keyInFile()}` };
    const post = await fetch(`http://localhost:${port}/v1/posts/hello-world`, { headers });
    expect(await post.json()).toMatchObject({ title: 'Hello, world', url: created.url });
    // The command waits until the post is live.
    expect(existsSync(join(folder, 'data/edge/sites/starter/hello-world/index.html'))).toBe(true);
  });

  it('the second start keeps everything and prints no key once the key has been used', async () => {
    const first = start();
    await first.started;
    const key = keyInFile();
    await paste(commandsIn(first.stdout()));
    expect(await stop(first)).toBe(0);
    const second = start();
    await second.started;
    expect(second.stdout()).not.toContain('API key');
    expect(existsSync(keyFile())).toBe(false);
    const posts = JSON.parse(await (await getPosts(key)).text());
    expect(posts.data.map(({ slug }: { slug: string }) => slug)).toEqual([
      'hello-world',
      'welcome-to-platen',
    ]);
  });

  it('a first start writes no key to a log, and a key file that only its user can read', async () => {
    const child = start({ LOG_LEVEL: 'debug', PLATEN_PUBLIC_ULR: 'x' });
    await child.started;
    expect(child.stderr()).toContain('PLATEN_PUBLIC_ULR is not a setting: did you mean PLATEN_PUBLIC_URL?');
    expect(child.stdout() + child.stderr()).not.toMatch(keyPattern);
    expect(keyInFile()).toMatch(keyPattern);
    expect(modeOf('first-key')).toBe(0o600);
  });

  it('a first start prints a path to the key that works in a shell, and listens on the configured address', async () => {
    const child = start({ PLATEN_DATA_DIR: join(folder, "Ada's data"), PLATEN_LISTEN: '127.0.0.1' });
    await child.started;
    expect(JSON.parse(await paste(commandsIn(child.stdout())))).toMatchObject({ slug: 'hello-world' });
    await expect(fetch(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow();
  });

  it('a start keeps an unused key for the next start, after a kill too', async () => {
    const first = start();
    await first.started;
    const key = keyInFile();
    await stop(first, 'SIGKILL');
    const second = start();
    await second.started;
    expect(second.stdout()).toContain(`API key       in the file ${keyFile()}`);
    expect(keyInFile()).toBe(key);
    expect((await getPosts(key)).status).toBe(200);
  });

  it('a first start on a terminal shows the key once and stores it nowhere', async () => {
    const printed = (await onTerminal()).replaceAll('\r', '');
    const [key = ''] = keyPattern.exec(printed) ?? [];
    expect(printed).toContain(`API key       ${key}   (shown this once: keep it)`);
    expect(existsSync(keyFile())).toBe(false);
    expect(await onTerminal()).not.toContain('API key');
    const child = start();
    await child.started;
    expect(child.stdout()).not.toContain('API key');
    expect(JSON.parse(await paste(commandsIn(printed)))).toMatchObject({ slug: 'hello-world' });
  });

  it('a start on a terminal shows a key that an earlier start without a terminal created', async () => {
    const first = start();
    await first.started;
    const key = keyInFile();
    await stop(first);
    expect(await onTerminal()).toContain(key);
    expect(existsSync(keyFile())).toBe(false);
  });

  it('a first start makes its folder readable for its user only', async () => {
    await start().started;
    const files = ['', 'platen.db', 'platen.db-wal', 'platen.db-shm', 'lock', 'first-key'];
    expect(files.map((name) => [name, modeOf(name).toString(8)])).toEqual([
      ['', '700'],
      ...files.slice(1).map((name) => [name, '600']),
    ]);
  });

  it('a start closes an open data folder to other users, except for the path to the edge', async () => {
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), 0o777);
    const first = start();
    await first.started;
    await stop(first);
    chmodSync(join(folder, 'data'), 0o755);
    for (const name of ['platen.db', 'lock']) chmodSync(join(folder, 'data', name), 0o644);
    await start().started;
    expect(modeOf('').toString(8)).toBe('711');
    for (const name of ['platen.db', 'platen.db-wal', 'lock']) expect(modeOf(name)).toBe(0o600);
    // A web server that runs as another user may read the published files.
    expect(modeOf('edge').toString(8)).toBe('755');
    expect(modeOf('edge/sites/starter/index.html').toString(8)).toBe('644');
  });

  it('a first start takes the operator’s key and never prints it', async () => {
    const key = `pk_live_${'k'.repeat(48)}`;
    const child = start({ PLATEN_API_KEY: key, LOG_LEVEL: 'debug' });
    await child.started;
    expect((await getPosts(key)).status).toBe(200);
    expect(await stop(child)).toBe(0);
    expect(child.stdout() + child.stderr()).not.toContain(key);
    expect(existsSync(keyFile())).toBe(false);
  });
});

describe('a start that fails', () => {
  /** Expects one sentence for a person: no stack trace, no second message. */
  const expectSentence = (child: Child, pattern: RegExp) => {
    expect(child.stderr().trimEnd().split('\n')).toEqual([expect.stringMatching(pattern)]);
    expect(child.stdout()).toBe('');
  };

  it.each([
    ['PORT', 'eighty'],
    ['PLATEN_LISTEN', 'example.org'],
    ['PLATEN_API_KEY', 'secret'],
  ])('a start names %s as the fault if its value is "%s"', async (name, value) => {
    const child = start({ [name]: value });
    expect(await child.exited).toBe(1);
    expectSentence(child, new RegExp(`^platen: .*${name}`));
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('a start refuses a data folder that another server uses, and does not disturb that server', async () => {
    const first = start();
    await first.started;
    const second = start({ PORT: String(await freePort()) });
    expect(await second.exited).toBe(1);
    expectSentence(second, /another Platen is running on .*\/data/);
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);
    expect(await stop(first)).toBe(0);
  });

  it.each([
    ['edge', /blogs cannot be published to the folder .*\/data\/edge/],
    ['platen.db', /the database .*\/data\/platen\.db cannot be opened/],
  ])('a start says so if something else is in the place of %s, and prints no key', async (name, pattern) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', name), 'something else');
    const child = start();
    expect(await child.exited).toBe(1);
    expectSentence(child, pattern);
  });

  it('a start says that its port is in use', async () => {
    const other = createServer().listen(port);
    await once(other, 'listening');
    const child = start();
    expect(await child.exited).toBe(1);
    expectSentence(child, new RegExp(`^platen: .*${port}`));
    await new Promise((resolve) => other.close(resolve));
  });

  it('a start says that it cannot listen on an address', async () => {
    const child = start({ PLATEN_LISTEN: '192.0.2.1' });
    expect(await child.exited).toBe(1);
    expectSentence(child, /^platen: PLATEN_LISTEN: .*192\.0\.2\.1/);
  });

  it('the start after a failed first start still tells where the owner’s key is', async () => {
    const other = createServer().listen(port);
    await once(other, 'listening');
    await start().exited;
    await new Promise((resolve) => other.close(resolve));
    const second = start();
    await second.started;
    expect(second.stdout()).toContain(keyFile());
    expect((await getPosts(keyInFile())).status).toBe(200);
  });
});

describe('the end of a server', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'a server stopped by %s exits with code 0 and prints nothing',
    async (signal) => {
      const child = start({ LOG_LEVEL: 'warn' });
      await child.started;
      expect(await stop(child, signal)).toBe(0);
      expect(child.stderr()).toBe('');
    },
  );

  it('a server that gets the SIGINT of one Ctrl-C twice, as under npm, still stops in order', async () => {
    const child = start({ LOG_LEVEL: 'warn' });
    await child.started;
    expect(existsSync(join(folder, 'data', 'running'))).toBe(true);
    child.process.kill('SIGINT');
    await sleep(20);
    expect(await stop(child, 'SIGINT')).toBe(0);
    expect(child.stderr()).toBe('');
    expect(existsSync(join(folder, 'data', 'running'))).toBe(false);
  });

  it.each(['while it publishes', 'when it is ready'])(
    'the demo removes its data if it is ended %s',
    async (when) => {
      const entry = fileURLToPath(new URL('../../dist/scripts/demo.js', import.meta.url));
      const env = { PATH: process.env.PATH, PORT: String(port), TMPDIR: folder };
      const demo = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(demo, 'exit');
      const output = text(demo.stderr);
      if (when === 'when it is ready') await once(demo.stdout, 'data');
      else await vi.waitUntil(isHealthy, { timeout: 60_000, interval: 50 });
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^platen-demo-/)]);
      demo.kill('SIGINT');
      await sleep(20);
      demo.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      expect(await output).not.toContain('demo: ');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('SIGTERM to npm start reaches the server through the shell between them', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const command = String(scripts.start).replace('npm run --silent build && ', '');
    const env = { PATH: process.env.PATH, PORT: String(port), PLATEN_DATA_DIR: join(folder, 'data') };
    const shell = spawn('sh', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(shell.stdout, 'data');
    await fetch(`http://localhost:${port}/healthz`);
    shell.kill('SIGTERM');
    expect(await once(shell, 'exit')).toEqual([0, null]);
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow();
  });

  it('an idle connection, as browsers open in advance, does not delay the end of a server', async () => {
    const child = start();
    await child.started;
    const idle = connect(port, 'localhost').on('error', () => {});
    await once(idle, 'connect');
    await sleep(100);
    // Node itself closes such a connection after a minute.
    const ended = await Promise.race([stop(child), sleep(50_000, 'still running', { ref: false })]);
    idle.destroy();
    expect(ended).toBe(0);
  });
});
