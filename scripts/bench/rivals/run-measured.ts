import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Poll interval for the memory peak. The kernel keeps the peak, so only growth after the last poll is missed. */
const POLL_INTERVAL_MS = 20;

export interface Measured {
  /** Seconds from start to exit. */
  readonly seconds: number;
  /** Peak memory in MiB; NaN if the system does not report it. */
  readonly peakMemory: number;
}

/** Runs a program to its end. Rejects with its error output if it fails. */
export async function runMeasured(program: string, args: readonly string[], cwd: string): Promise<Measured> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let peakMemory = Number.NaN;
  const poll = setInterval(() => {
    peakMemory = peakMemoryOf(child.pid) ?? peakMemory;
  }, POLL_INTERVAL_MS);
  const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  clearInterval(poll);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errorOutput.trim().slice(-500)}`);
  return { seconds: (performance.now() - started) / 1000, peakMemory };
}

/** Peak memory of a process so far in MiB; null if it has ended or the system does not report it. */
export function peakMemoryOf(pid: number | 'self' | undefined): number | null {
  const file = `/proc/${pid}/status`;
  try {
    const kibibytes = existsSync(file) && /^VmHWM:\s*(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    return kibibytes ? Number(kibibytes) / 1024 : null;
  } catch {
    return null;
  }
}
