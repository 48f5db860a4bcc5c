// Slow: starts a process for each benchmark script.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', '..', 'scripts', 'bench');
const commands = readdirSync(folder).filter(
  (name) => name.endsWith('.ts') && readFileSync(join(folder, name), 'utf8').includes('const usage = '),
);

describe('the benchmark scripts', () => {
  it.each(commands)('--help of %s explains its use and measures nothing', async (name) => {
    const script = createRequire(import.meta.url).resolve(
      `#dist/scripts/bench/${name.replace('.ts', '.js')}`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--help']);
    expect(stdout).toMatch(/--\w+/);
    expect(stdout).not.toMatch(/^\|/m);
  });

  it('a benchmark refuses an unknown option', async () => {
    const script = createRequire(import.meta.url).resolve('#dist/scripts/bench/burst.js');
    const failed = promisify(execFile)(process.execPath, [script, '--postss', '3']);
    await expect(failed).rejects.toMatchObject({ code: 1 });
  });
});
