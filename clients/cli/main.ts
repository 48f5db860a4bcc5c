#!/usr/bin/env node
import { homedir } from 'node:os';
import { createProfileStore } from './profiles/profile-store.ts';
import { settingsFolder } from './profiles/settings-folder.ts';
import { run } from './run.ts';
import { createPrompts } from './terminal/prompts.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A second Ctrl-C after this long means it. Under npx, one Ctrl-C arrives twice. */
const SAME_CTRL_C_MS = 1_000;

const { stdin, stdout, stderr, env: environment, platform } = process;
const controller = new AbortController();
let interruptedAt: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interruptedAt !== undefined && performance.now() - interruptedAt > SAME_CTRL_C_MS) process.exit(130);
    interruptedAt ??= performance.now();
    controller.abort();
  });
}
// Whoever read the output has seen enough, such as `head`.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const hasColours = stdout.isTTY && !environment.NO_COLOR && environment.TERM !== 'dumb';
const terminal: Terminal = {
  print: (text) => void stdout.write(text),
  tell: (text) => void stderr.write(text),
  readInput: stdin.isTTY ? null : readInput,
  columns: stdout.isTTY ? stdout.columns || 80 : null,
  colours: hasColours,
  errorStream: stderr,
  prompts:
    stdin.isTTY && stderr.isTTY
      ? createPrompts({ input: stdin, output: stderr, signal: controller.signal })
      : null,
};

const exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  environment,
  terminal,
  signal: controller.signal,
  profiles: createProfileStore(settingsFolder(environment, platform, homedir()), platform),
});
// Written to its end first. Left to itself, a process that has used fetch ends a tenth of a second later.
stdout.write('', () => stderr.write('', () => process.exit(exitCode)));

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
