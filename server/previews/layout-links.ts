import { randomBytes } from 'node:crypto';
import { hashSecret } from '../access/credential.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** Links of an account at most: a new one ends its oldest. */
export const MAX_LINKS = 10;
/** Characters of all layouts together. */
export const MAX_CHARACTERS = 32 * 1024 * 1024;

/** A layout that is not stored, to be seen on the pages of a blog. */
export interface TriedLayout {
  readonly accountId: string;
  readonly blogId: string;
  readonly layout: string;
}

export interface LayoutLink extends TriedLayout {
  readonly expiresAt: string;
}

/**
 * Links to layouts that their owners try, for an hour. They are only in memory, so a restart ends them: a layout is
 * tried again with one request.
 */
export interface LayoutLinks {
  /** Returns the link's token, which cannot be guessed. */
  add(tried: TriedLayout): { token: string; expiresAt: string };
  find(token: string): LayoutLink | null;
}

export function createLayoutLinks(clock: Clock): LayoutLinks {
  /** By the hash of the token, oldest first. */
  const links = new Map<string, LayoutLink>();
  let characters = 0;

  function remove(hash: string, { layout }: LayoutLink): void {
    links.delete(hash);
    characters -= layout.length;
  }

  function makeRoom(accountId: string): void {
    const now = clock.now();
    const all = [...links];
    const own = all.filter(([, link]) => link.accountId === accountId);
    const superseded = new Set(own.slice(0, -MAX_LINKS).map(([hash]) => hash));
    for (const [hash, link] of all) {
      if (link.expiresAt <= now || superseded.has(hash) || characters > MAX_CHARACTERS) remove(hash, link);
    }
  }

  return {
    add(tried) {
      const token = randomBytes(24).toString('base64url');
      const expiresAt = addMilliseconds(clock.now(), HOUR_MS);
      links.set(hashSecret(token), { ...tried, expiresAt });
      characters += tried.layout.length;
      makeRoom(tried.accountId);
      return { token, expiresAt };
    },
    find(token) {
      const link = links.get(hashSecret(token));
      return link !== undefined && link.expiresAt > clock.now() ? link : null;
    },
  };
}
