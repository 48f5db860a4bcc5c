import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

function start(env: Readonly<Record<string, string>> = {}): Child {
  const child = startChild(folder, { PORT: String(port), ...env });
  children.push(child);
  return child;
}

async function stop(child: Child, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  child.process.kill(signal);
  return child.exited;
}

const keyIn = (text: string) => /pk_live_[0-9A-Za-z_-]{32,}/.exec(text)?.[0];
const commandIn = (text: string) =>
  /curl -X POST.*?'$/ms.exec(text)?.[0] ?? expect.fail('no command to copy');

/** Runs the command as a person would who copies it into a terminal, or does what it says where there is no curl. */
async function paste(command: string): Promise<string> {
  if (spawnSync('curl', ['--version']).status === 0) {
    return execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }
  const headers = [...command.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const [, url = ''] = /-X POST (\S+)/.exec(command) ?? [];
  const [, body = ''] = /-d '([^']*)'/.exec(command) ?? [];
  return (await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body })).text();
}

describe('a first start in an empty folder', () => {
  it('prints where everything is, a key, and a command that publishes a post as it stands', async () => {
    const child = start();
    await child.started;
    expect(child.stdout()).toContain(`http://localhost:${port}/v1\n`);
    expect(child.stdout()).toContain(`http://starter.localhost:${port}/\n`);
    const created = JSON.parse(await paste(commandIn(child.stdout())));
    expect(created).toMatchObject({ slug: 'hello-world', status: 'published' });
    const headers = { Authorization: `Bearer ${keyIn(child.stdout())}` };
    const post = await fetch(`http://localhost:${port}/v1/posts/hello-world`, { headers });
    expect(await post.json()).toMatchObject({ title: 'Hello, world', url: created.url });
    // The command waits until the post is live.
    expect(existsSync(join(folder, 'data/edge/sites/starter/hello-world/index.html'))).toBe(true);
  });

  it('keeps everything for the next, which prints no key', async () => {
    const first = start();
    await first.started;
    const key = keyIn(first.stdout()) ?? expect.fail('no key');
    await paste(commandIn(first.stdout()));
    expect(await stop(first)).toBe(0);
    const second = start();
    await second.started;
    expect(keyIn(second.stdout() + second.stderr())).toBeUndefined();
    const headers = { Authorization: `Bearer ${key}` };
    const posts = JSON.parse(await (await fetch(`http://localhost:${port}/v1/posts`, { headers })).text());
    expect(posts.data.map(({ slug }: { slug: string }) => slug)).toEqual([
      'hello-world',
      'welcome-to-platen',
    ]);
  });

  it('takes the operator’s key, and never prints it', async () => {
    const key = `pk_live_${'k'.repeat(48)}`;
    const child = start({ PLATEN_API_KEY: key, LOG_LEVEL: 'debug' });
    await child.started;
    const answer = await fetch(`http://localhost:${port}/v1/posts`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    expect(await stop(child)).toBe(0);
    expect(child.stdout() + child.stderr()).not.toContain(key);
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

  it('does not keep the owner’s key to itself: the next start prints one', async () => {
    const other = createServer().listen(port);
    await once(other, 'listening');
    await start().exited;
    await new Promise((resolve) => other.close(resolve));
    const second = start();
    await second.started;
    const headers = { Authorization: `Bearer ${keyIn(second.stdout()) ?? expect.fail('there is no key')}` };
    expect((await fetch(`http://localhost:${port}/v1/posts`, { headers })).status).toBe(200);
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
