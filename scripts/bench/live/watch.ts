import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, PATIENCE_MS } from '../support/client.ts';

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

/** The files of one blog, as a benchmark looks at them. */
export interface WatchedEdge {
  /** When a file was written last, in milliseconds of the system's clock; null where it is not there. Next to no work. */
  writtenAt(path: string): number | null;
  /** A file's text; null where it is not there. */
  read(path: string): Promise<string | null>;
  /** A file as a reader gets it. */
  ask(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

const LOOK_EVERY_MS = 1;
/** File systems tell moments by the tick of the kernel's clock, which may lag so far behind. */
const TICK_MS = 10;

/** A blog's folder, and the host that serves it. To look at a file without reading it takes a few microseconds. */
export function watchFolder(root: string, client: Client): WatchedEdge {
  const stateOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false });
  return {
    writtenAt: (path) => stateOf(path)?.ctimeMs ?? null,
    read: async (path) => (stateOf(path) ? readFileSync(join(root, path), 'utf8') : null),
    ask: (path) => client.ask(`/${path.replace(/(^|\/)index\.html$/, '$1')}`),
  };
}

/**
 * Resolves when every file has been written since `since` (milliseconds of the system's clock), or has gone where it is
 * to go. Files are looked at without reading them, so that the server has the processors to itself.
 */
export async function untilWritten(
  edge: WatchedEdge,
  expected: readonly Expectation[],
  since: number,
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let waiting = expected;
  while (true) {
    waiting = waiting.filter((expectation) => !isMet(edge, expectation, since));
    if (waiting.length === 0) return;
    if (performance.now() > end) {
      throw new Error(`never written: ${waiting.map(({ path }) => path).join(', ')}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function isMet(edge: WatchedEdge, { path, gone = false, hasNot }: Expectation, since: number): boolean {
  const written = edge.writtenAt(path);
  if (written === null) return gone || hasNot !== undefined;
  return !gone && written >= since - TICK_MS;
}

/** Those of the files that mention any of the texts. */
export async function mentioning(
  edge: WatchedEdge,
  paths: readonly string[],
  texts: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const content = await edge.read(path);
    if (content !== null && texts.some((text) => content.includes(text))) found.push(path);
  }
  return found;
}

/** Asks for every file as a reader does. Rejects where one is not as expected. */
export async function assertSeen(edge: WatchedEdge, expected: readonly Expectation[]): Promise<void> {
  for (const { path, gone = false, has = [], hasNot } of expected) {
    const { status, text } = await edge.ask(path);
    if (status === 404 && (gone || hasNot)) continue;
    if (status !== 200 || gone) throw new Error(`readers get ${status} for ${path}`);
    const missing = has.filter((part) => !text.includes(part));
    if (missing.length > 0) throw new Error(`readers do not see ${missing.join(', ')} on ${path}`);
    const left = (hasNot ?? []).filter((part) => text.includes(part));
    if (left.length > 0) throw new Error(`readers still see ${left.join(', ')} on ${path}`);
  }
}
