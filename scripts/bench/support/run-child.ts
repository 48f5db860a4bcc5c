import { once } from 'node:events';
import type { z } from 'zod';
import type { Scratch } from './scratch.ts';

/**
 * Runs a benchmark's script (a path of `scripts/bench`, without extension) in a process of its own, with exactly this
 * environment. Resolves to its report, once it has exited. `order` is sent to it first.
 */
export async function runChild<T>(
  scratch: Scratch,
  script: string,
  env: Readonly<Record<string, string>>,
  report: z.ZodType<T>,
  order?: object,
): Promise<T> {
  const child = scratch.start(`scripts/bench/${script}.js`, env);
  let received: unknown;
  child.on('message', (message) => {
    received = message;
  });
  if (order) child.send(order);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} failed`);
  return report.parse(received);
}
