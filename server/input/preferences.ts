import { quotedName } from '../../generator/shown-name.ts';
import type { Mistakes } from '../wire/mistake.ts';

/** Longest time that a response is held back. */
const WAIT_MAX_SECONDS = 120;

/** What a client prefers (`Prefer`, RFC 7240). Of a preference that is given twice, the first counts. */
export interface Preferences {
  /** Seconds to wait for the outcome, at most `WAIT_MAX_SECONDS`; null if there is no valid `wait`. */
  readonly wait: number | null;
  /** Whether unknown fields are errors; null if there is no valid `handling`, which means `lenient`. */
  readonly handling: 'strict' | 'lenient' | null;
}

/** Node joins several `Prefer` headers by commas, so they are one list here. */
export function parsePreferences(prefer: string | undefined): Preferences {
  const preferences = prefer?.split(',') ?? [];
  const wait = firstMatch(preferences, /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|$)/i);
  const handling = firstMatch(preferences, /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;|$)/i);
  return {
    wait: wait === null ? null : Math.min(Number(wait), WAIT_MAX_SECONDS),
    handling: handling === null ? null : handling.toLowerCase() === 'strict' ? 'strict' : 'lenient',
  };
}

/** What a client prefers by a value that the preference does not have, which counts as if it were not there. */
export function preferenceMistakes(prefer: string | undefined): Mistakes {
  const { wait, handling } = parsePreferences(prefer);
  const first = (prefer?.split(',') ?? []).flatMap((preference) => {
    const name = /^\s*(wait|handling)\s*(?:[=;]|$)/i.exec(preference)?.[1]?.toLowerCase();
    const isWrong = (name === 'wait' && wait === null) || (name === 'handling' && handling === null);
    if (!isWrong) return [];
    const values = name === 'wait' ? 'a whole number of seconds' : 'strict or lenient';
    const message = `${quotedName(preference.trim())} is not honoured: the value of ${name} must be ${values}`;
    return [{ field: 'Prefer', message, warning: `Prefer: ${message}` }];
  });
  return { first, more: 0 };
}

function firstMatch(preferences: readonly string[], pattern: RegExp): string | null {
  for (const preference of preferences) {
    const value = pattern.exec(preference)?.[1];
    if (value !== undefined) return value;
  }
  return null;
}
