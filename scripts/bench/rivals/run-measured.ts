import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** How often a running program's memory is looked at. The kernel keeps the peak, so that only the very last is missed. */
const LOOK_EVERY_MS = 20;

export interface Measured {
  /** Seconds from its start to its end. */
  readonly seconds: number;
  /** MiB that it held at most; NaN where the system does not tell. */
  readonly peakMemory: number;
}

/** Runs a program to its end. Rejects where it fails, with what it complained of. */
export async function runMeasured(program: string, args: readonly string[], cwd: string): Promise<Measured> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let peakMemory = Number.NaN;
  const look = setInterval(() => {
    peakMemory = peakMemoryOf(child.pid) ?? peakMemory;
  }, LOOK_EVERY_MS);
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  clearInterval(look);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaint.trim().slice(-500)}`);
  return { seconds: (performance.now() - started) / 1000, peakMemory };
}

/** MiB that a process has held at most until now; null where it has ended, or the system does not tell. */
export function peakMemoryOf(pid: number | 'self' | undefined): number | null {
  const file = `/proc/${pid}/status`;
  try {
    const kibibytes = existsSync(file) && /^VmHWM:\s*(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    return kibibytes ? Number(kibibytes) / 1024 : null;
  } catch {
    return null;
  }
}
