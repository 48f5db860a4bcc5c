import { setImmediate } from 'node:timers/promises';
import { positionOf } from './position.ts';
import { MAX_CONTENT } from './schemas.ts';

/** A passage of a text, and what takes its place. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
}

/**
 * Makes the edits one after the other. Other work of the process runs between them. Rejects with an error that an agent
 * can act on unless each passage occurs exactly once, and if the signal aborts.
 */
export async function withEdits(
  text: string,
  edits: readonly Edit[],
  signal?: AbortSignal | undefined,
): Promise<string> {
  let edited = text;
  for (const [index, edit] of edits.entries()) {
    if (index > 0) await setImmediate(undefined, { signal });
    edited = withEdit(edited, edit, `edits[${index}]`);
  }
  return edited;
}

function withEdit(text: string, { find, replace }: Edit, name: string): string {
  const refuse = (problem: string) => new Error(`Nothing was changed: ${problem}.`);
  const place = positionOf(find, text, 0);
  if (place === -1) {
    throw refuse(`find of ${name} is not in the post: take it from get_post, character by character`);
  }
  const end = place + find.length;
  if (positionOf(find, text, end) !== -1) {
    throw refuse(`find of ${name} is in the post more than once: give more of the text around it`);
  }
  if (text.length - find.length + replace.length > MAX_CONTENT) {
    throw refuse(`with ${name}, the post would have more than ${MAX_CONTENT} bytes`);
  }
  return `${text.slice(0, place)}${replace}${text.slice(end)}`;
}
