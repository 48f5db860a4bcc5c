import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, PATIENCE_MS } from '../client.ts';

/** What a file of the edge must be when an operation is live. */
export interface Expectation {
  readonly path: string;
  /** That it is not there at all. */
  readonly gone?: boolean;
  /** What its text must hold. */
  readonly has?: readonly string[];
  /** What its text must not hold any more. With the last post of a list its pages may go, too. */
  readonly hasNot?: readonly string[];
}

const LOOK_EVERY_MS = 1;
/** File systems tell moments by the tick of the kernel's clock, which may lag so far behind. */
const TICK_MS = 10;

/**
 * Resolves when every file has been written since `since` (milliseconds of the system's clock), or has gone where it is
 * to go. Files are looked at without reading them, which takes a few microseconds each, so that the server has the
 * processors to itself.
 */
export async function untilWritten(
  root: string,
  expected: readonly Expectation[],
  since: number,
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let waiting = expected;
  while (true) {
    waiting = waiting.filter((expectation) => !isMet(root, expectation, since));
    if (waiting.length === 0) return;
    if (performance.now() > end) {
      throw new Error(`never written: ${waiting.map(({ path }) => path).join(', ')}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function isMet(root: string, { path, gone = false, hasNot }: Expectation, since: number): boolean {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return gone || hasNot !== undefined;
  return !gone && found.ctimeMs >= since - TICK_MS;
}

/** Whether a file of the edge mentions any of the texts. */
export function mentions(root: string, path: string, texts: readonly string[]): boolean {
  if (statSync(join(root, path), { throwIfNoEntry: false }) === undefined) return false;
  const content = readFileSync(join(root, path), 'utf8');
  return texts.some((text) => content.includes(text));
}

/** Asks for every file as a reader does. Rejects where one is not as expected. */
export async function assertSeen(client: Client, expected: readonly Expectation[]): Promise<void> {
  for (const { path, gone = false, has = [], hasNot } of expected) {
    const { status, text } = await client.ask(`/${path.replace(/(^|\/)index\.html$/, '$1')}`);
    if (status === 404 && (gone || hasNot)) continue;
    if (status !== 200 || gone) throw new Error(`readers get ${status} for ${path}`);
    const missing = has.filter((part) => !text.includes(part));
    if (missing.length > 0) throw new Error(`readers do not see ${missing.join(', ')} on ${path}`);
    const left = (hasNot ?? []).filter((part) => text.includes(part));
    if (left.length > 0) throw new Error(`readers still see ${left.join(', ')} on ${path}`);
  }
}
