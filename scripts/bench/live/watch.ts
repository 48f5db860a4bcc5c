import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, TIMEOUT_MS } from '../support/client.ts';

/** Expected state of an edge file once an operation is live. */
export interface Expectation {
  readonly path: string;
  /** The file must not exist. */
  readonly isGone?: boolean;
  /** Strings that it must contain. */
  readonly contains?: readonly string[];
  /** Strings that it must no longer contain. The file may be gone: with its last post, a list disappears. */
  readonly lacks?: readonly string[];
}

/** A benchmark's view of the files of one blog. */
export interface WatchedEdge {
  /** Time of a file's last write, in milliseconds of the system clock; null if it does not exist. Cheap to call. */
  writtenAt(path: string): number | null;
  /** Text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
  /** Requests a file as a reader does. */
  request(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

const POLL_INTERVAL_MS = 1;
/** File timestamps may lag behind the clock by one kernel tick. */
const TIMESTAMP_LAG_MS = 10;

/** Watches a blog's folder and the host that serves it. `writtenAt` takes a few microseconds. */
export function watchFolder(root: string, client: Client): WatchedEdge {
  const stateOf = (path: string) => statSync(join(root, path), { throwIfNoEntry: false });
  return {
    writtenAt: (path) => stateOf(path)?.ctimeMs ?? null,
    read: async (path) => (stateOf(path) ? readFileSync(join(root, path), 'utf8') : null),
    request: (path) => client.requestPage(`/${path.replace(/(^|\/)index\.html$/, '$1')}`),
  };
}

/**
 * Resolves when every file has been written after `since` (milliseconds of the system clock), or removed if expected.
 * Only metadata is polled, so that the CPUs are left to the server.
 */
export async function untilWritten(
  edge: WatchedEdge,
  expected: readonly Expectation[],
  since: number,
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  let waiting = expected;
  while (true) {
    waiting = waiting.filter((expectation) => !isMet(edge, expectation, since));
    if (waiting.length === 0) return;
    if (performance.now() > end) {
      throw new Error(`never written: ${waiting.map(({ path }) => path).join(', ')}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

function isMet(edge: WatchedEdge, { path, isGone = false, lacks }: Expectation, since: number): boolean {
  const written = edge.writtenAt(path);
  if (written === null) return isGone || lacks !== undefined;
  return !isGone && written >= since - TIMESTAMP_LAG_MS;
}

/** The files that contain any of the texts. */
export async function filesContaining(
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

/** Requests every file as a reader does. Rejects if one is not as expected. */
export async function assertServed(edge: WatchedEdge, expected: readonly Expectation[]): Promise<void> {
  for (const { path, isGone = false, contains = [], lacks } of expected) {
    const { status, text } = await edge.request(path);
    if (status === 404 && (isGone || lacks)) continue;
    if (status !== 200 || isGone) throw new Error(`readers get ${status} for ${path}`);
    const missing = contains.filter((part) => !text.includes(part));
    if (missing.length > 0) throw new Error(`readers do not see ${missing.join(', ')} on ${path}`);
    const left = (lacks ?? []).filter((part) => text.includes(part));
    if (left.length > 0) throw new Error(`readers still see ${left.join(', ')} on ${path}`);
  }
}
