import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

/** Runs the commands as a person would who copies them into a terminal, or does what they say where there is no curl. */
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

/** Starts one on a terminal, and resolves to what it has printed there when it is stopped after its start. */
async function onTerminal(): Promise<string> {
  const child = startChild(folder, { PORT: String(port) }, { terminal: true });
  children.push(child);
  await child.started;
  child.process.kill('SIGTERM');
  await child.exited;
  return child.stdout();
}

describe('a first start in an empty folder', () => {
  it('prints where everything is, the key included, and commands that publish a post as they stand', async () => {
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

  it('keeps everything for the next, which says nothing of a key that has been used', async () => {
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

  it('leaves no key in a log, and none that others can read', async () => {
    const child = start({ LOG_LEVEL: 'debug' });
    await child.started;
    expect(child.stdout() + child.stderr()).not.toMatch(keyPattern);
    expect(keyInFile()).toMatch(keyPattern);
    expect(modeOf('first-key')).toBe(0o600);
  });

  it('names the file so that a shell finds it, wherever it is, and listens where it is told to', async () => {
    const child = start({ PLATEN_DATA_DIR: join(folder, "Ada's data"), PLATEN_LISTEN: '127.0.0.1' });
    await child.started;
    expect(JSON.parse(await paste(commandsIn(child.stdout())))).toMatchObject({ slug: 'hello-world' });
    await expect(fetch(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow();
  });

  it('keeps a key that nobody has used for the next start, also after a kill', async () => {
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

  it('shows the key on a terminal, once, and keeps it nowhere', async () => {
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

  it('shows a key on a terminal that has been made without one', async () => {
    const first = start();
    await first.started;
    const key = keyInFile();
    await stop(first);
    expect(await onTerminal()).toContain(key);
    expect(existsSync(keyFile())).toBe(false);
  });

  it('keeps to itself what is in its folder', async () => {
    await start().started;
    const files = ['', 'platen.db', 'platen.db-wal', 'platen.db-shm', 'lock', 'first-key'];
    expect(files.map((name) => [name, modeOf(name).toString(8)])).toEqual([
      ['', '700'],
      ...files.slice(1).map((name) => [name, '600']),
    ]);
  });

  it('closes a folder that was open to others, but for the way to the edge', async () => {
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
    // A web server of another user may read what is published.
    expect(modeOf('edge').toString(8)).toBe('755');
    expect(modeOf('edge/sites/starter/index.html').toString(8)).toBe('644');
  });

  it('takes the operator’s key, and never prints it', async () => {
    const key = `pk_live_${'k'.repeat(48)}`;
    const child = start({ PLATEN_API_KEY: key, LOG_LEVEL: 'debug' });
    await child.started;
    expect((await getPosts(key)).status).toBe(200);
    expect(await stop(child)).toBe(0);
    expect(child.stdout() + child.stderr()).not.toContain(key);
    expect(existsSync(keyFile())).toBe(false);
  });
});

describe('a start that cannot be', () => {
  /** One line for a person: no stack, no second message. */
  const expectSentence = (child: Child, pattern: RegExp) => {
    expect(child.stderr().trimEnd().split('\n')).toEqual([expect.stringMatching(pattern)]);
    expect(child.stdout()).toBe('');
  };

  it.each([
    ['PORT', 'eighty'],
    ['PLATEN_LISTEN', 'example.org'],
    ['PLATEN_API_KEY', 'secret'],
  ])('says that %s is at fault where it is "%s"', async (name, value) => {
    const child = start({ [name]: value });
    expect(await child.exited).toBe(1);
    expectSentence(child, new RegExp(`^platen: .*${name}`));
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('says that its folder is another’s, and leaves the other alone', async () => {
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
  ])('says so where something else lies in the place of %s, and prints no key', async (name, pattern) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', name), 'something else');
    const child = start();
    expect(await child.exited).toBe(1);
    expectSentence(child, pattern);
  });

  it('says that its port is in use', async () => {
    const other = createServer().listen(port);
    await once(other, 'listening');
    const child = start();
    expect(await child.exited).toBe(1);
    expectSentence(child, new RegExp(`^platen: .*${port}`));
    await new Promise((resolve) => other.close(resolve));
  });

  it('says that it cannot listen at an address', async () => {
    const child = start({ PLATEN_LISTEN: '192.0.2.1' });
    expect(await child.exited).toBe(1);
    expectSentence(child, /^platen: PLATEN_LISTEN: .*192\.0\.2\.1/);
  });

  it('does not keep the owner’s key to itself: the next start says where it is', async () => {
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

describe('an end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s is an orderly one: exit code 0, and nothing to say',
    async (signal) => {
      const child = start({ LOG_LEVEL: 'warn' });
      await child.started;
      expect(await stop(child, signal)).toBe(0);
      expect(child.stderr()).toBe('');
    },
  );

  it('by SIGTERM reaches the server also through the shell in which npm start runs it', async () => {
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

  it('is not held up by a connection on which nothing was asked, as browsers open them ahead', async () => {
    const child = start();
    await child.started;
    const idle = connect(port, 'localhost').on('error', () => {});
    await once(idle, 'connect');
    await sleep(100);
    // After a minute, Node itself gives up on such a connection.
    const ended = await Promise.race([stop(child), sleep(50_000, 'still running', { ref: false })]);
    idle.destroy();
    expect(ended).toBe(0);
  });
});
