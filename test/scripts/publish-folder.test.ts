// Slow: starts the publish-folder command in a process of its own for each test.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeService, KEY } from './fake-service.ts';

let service: FakeService;
let api: string;
let folder: string;
beforeEach(async () => {
  service = new FakeService();
  api = await service.listen();
  folder = await mkdtemp(join(tmpdir(), 'platen-command-'));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

describe('the publish-folder command', () => {
  const script = fileURLToPath(new URL('../../dist/scripts/publish-folder.js', import.meta.url));
  const run = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const variables = { PATH: process.env.PATH, ...env };
      const child = execFile(process.execPath, [script, ...args], { env: variables }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  it('publish-folder prints a summary and the first addresses', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two' });
    const { code, stdout, stderr } = await run([folder], { PLATEN_PUBLIC_URL: api, PLATEN_API_KEY: KEY });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2 published, 0 updated, 0 failed, in \d+\.\d s\n {2}http:\/\/blog\.example\/a\/\n/,
    );
    expect(stderr).toContain('publishing: 100 % (2 of 2)');
  });

  it('publish-folder exits with 1 if a file failed', async () => {
    await write({ 'a.md': '---\ntitle: a: b\n---\n', 'b.md': 'Two' });
    const { code, stdout } = await run([folder, '--api', api, '--key', KEY]);
    expect(code).toBe(1);
    expect(stdout).toContain('1 published, 0 updated, 1 failed');
    expect(stdout).toContain('  a.md: front matter is not valid YAML');
  });

  it.each([
    [[], 'give one folder'],
    [['x'], 'give a key'],
    [['x', '--key', KEY, '--concurrency', '0'], '--concurrency'],
    [['x', '--key', KEY, '--api', 'localhost:8080'], '--api'],
    [['x', '--verbose'], '--verbose'],
  ])('publish-folder explains its use if the arguments are wrong: %j', async (args, reason) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('publish-folder.js <folder>');
  });

  it.each([
    ['missing', 'ENOENT'],
    ['a.md', 'ENOTDIR'],
  ])('publish-folder says which folder cannot be read: %s', async (name, code) => {
    await write({ 'a.md': 'One' });
    const path = join(folder, name);
    const { code: ended, stderr } = await run([path, '--api', api, '--key', KEY]);
    expect(ended).toBe(1);
    expect(stderr).toBe(`${path} cannot be read as a folder (${code})\n`);
  });

  it('publish-folder does not print the key', async () => {
    await write({ 'a.md': 'One' });
    const wrong = `pk_live_${'b'.repeat(48)}`;
    const { code, stdout, stderr } = await run([folder, '--api', api, '--key', wrong]);
    expect(code).toBe(1);
    expect(stderr).toContain('the key was rejected');
    expect(stdout + stderr).not.toContain(wrong);
  });
});
