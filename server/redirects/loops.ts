import { setImmediate } from 'node:timers/promises';
import { addressOf } from '../../generator/addresses.ts';
import { DomainError } from '../runtime/errors.ts';
import { fileOfTarget } from './address-rules.ts';
import type { RedirectInput } from './redirect.ts';

/** Redirects followed to find a loop. Browsers give up after twenty. */
const MAX_HOPS = 20;

/** Redirects of a loop that its refusal names. */
const MAX_NAMED = 3;

/** Redirects that are looked up and parsed at once. Then the event loop runs other requests. */
const PATHS_PER_STEP = 250;

/** Looks up the targets of the redirects at these paths. A path without one has no entry. */
export type FindTargets = (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Throws `conflict` if a redirect would lead back to itself, at once or by way of others: those of the same request,
 * and of what `findTargets` finds. All are followed together, hop by hop, and each redirect on the way is read once.
 * Lets the event loop run in between, so that a thousand long chains hold nobody up.
 */
export async function assertNoLoops(
  inputs: readonly RedirectInput[],
  findTargets: FindTargets,
  origins: ReadonlySet<string>,
): Promise<void> {
  const given = new Map(inputs.map((input) => [input.path, input]));
  /** The file that the redirect at a path leads to; null if it leads elsewhere, or there is none. */
  const next = new Map<string, string | null>();

  async function lookUp(paths: ReadonlySet<string>): Promise<void> {
    const unknown = [...paths].filter((path) => !next.has(path));
    for (let from = 0; from < unknown.length; from += PATHS_PER_STEP) {
      const some = unknown.slice(from, from + PATHS_PER_STEP);
      const stored = await findTargets(some.filter((path) => !given.has(path)));
      for (const path of some) {
        const target = given.get(path)?.target ?? stored.get(path);
        next.set(path, target === undefined ? null : fileOfTarget(target, origins));
      }
      await setImmediate();
    }
  }

  let followed = inputs.map((input) => ({ input, at: input.path }));
  for (let hop = 0; hop < MAX_HOPS && followed.length > 0; hop++) {
    await lookUp(new Set(followed.map(({ at }) => at)));
    followed = followed.flatMap(({ input, at }) => {
      const file = next.get(at) ?? null;
      if (file === input.path) throw loop(input, next, given);
      return file === null ? [] : [{ input, at: file }];
    });
  }
}

/** The refusal of a redirect that leads back to itself, with the redirects by way of which it does. */
function loop(
  { field, path }: RedirectInput,
  next: ReadonlyMap<string, string | null>,
  given: ReadonlyMap<string, RedirectInput>,
): DomainError {
  const way: string[] = [];
  for (let at = next.get(path); at && at !== path; at = next.get(at)) {
    const sent = given.get(at);
    way.push(sent ? `${sent.field} (${addressOf(at)})` : `the redirect at ${addressOf(at)}`);
  }
  const named = way.slice(0, MAX_NAMED).join(', then ');
  const more = way.length > MAX_NAMED ? ` and ${way.length - MAX_NAMED} more` : '';
  const loop = way.length === 0 ? 'leads to itself' : `leads back to itself by way of ${named}${more}`;
  return new DomainError('conflict', `${field}: ${addressOf(path)} ${loop}`);
}
