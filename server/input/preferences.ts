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

const WAIT = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|$)/i;

/** Node joins several `Prefer` headers by commas, so they are one list here. */
export function parsePreferences(prefer: string | undefined): Preferences {
  const preferences = prefer?.split(',') ?? [];
  const wait = firstMatch(preferences, WAIT);
  const handling = firstMatch(preferences, /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;|$)/i);
  return {
    wait: wait === null ? null : Math.min(Number(wait), WAIT_MAX_SECONDS),
    handling: handling === null ? null : handling.toLowerCase() === 'strict' ? 'strict' : 'lenient',
  };
}

/**
 * Preferences that count as if they were not there: with a value that they do not have, not separated by a comma, or
 * written so that they are none.
 */
export function preferenceMistakes(prefer: string | undefined): Mistakes {
  const preferences = parsePreferences(prefer);
  const first = (prefer?.split(',') ?? []).flatMap((each) => {
    const preference = each.trim();
    const reason = reasonOfMistake(preference, preferences);
    return reason === null ? [] : [mistakeOf(`${quotedName(preference)} is not honoured: ${reason}`)];
  });
  return { first, more: 0 };
}

/** Two preferences without a comma between them: `handling=strict wait=5`. */
const unseparated = /^(?:wait|handling)\s*=\s*[^\s;]+\s+(?:wait|handling)\s*=/i;

function reasonOfMistake(preference: string, { wait, handling }: Preferences): string | null {
  if (unseparated.test(preference)) return 'separate preferences by commas';
  const name = /^(wait|handling)\s*(?:[=;]|$)/i.exec(preference)?.[1]?.toLowerCase();
  if (name === 'wait') return wait === null ? 'the value of wait must be a whole number of seconds' : null;
  if (name === 'handling')
    return handling === null ? 'the value of handling must be strict or lenient' : null;
  const value = /^(?:handling[-_:\s]*)?(strict|lenient)$/i.exec(preference)?.[1];
  if (value !== undefined) return `did you mean \`handling=${value.toLowerCase()}\`?`;
  const seconds = /^wait[-_:\s]*(\d{1,6})$/i.exec(preference)?.[1];
  return seconds === undefined ? null : `did you mean \`wait=${seconds}\`?`;
}

/** What a client should know about its preferences, and strict requests are not refused for. */
export function preferenceRemarks(prefer: string | undefined): Mistakes {
  const seconds = firstMatch(prefer?.split(',') ?? [], WAIT);
  const isReduced = seconds !== null && Number(seconds) > WAIT_MAX_SECONDS;
  const message = `\`wait=${seconds}\` is reduced to ${WAIT_MAX_SECONDS} seconds`;
  return { first: isReduced ? [mistakeOf(message)] : [], more: 0 };
}

const mistakeOf = (message: string) => ({ field: 'Prefer', message, warning: `Prefer: ${message}` });

function firstMatch(preferences: readonly string[], pattern: RegExp): string | null {
  for (const preference of preferences) {
    const value = pattern.exec(preference)?.[1];
    if (value !== undefined) return value;
  }
  return null;
}
