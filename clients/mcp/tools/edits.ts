import { MAX_CONTENT } from './schemas.ts';

/** A passage of a text, and what takes its place. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** Makes the edits one after the other. Throws an error that an agent can act on unless each passage occurs exactly once. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, { find, replace }, index) => {
    const refuse = (problem: string) => new Error(`Nothing was changed: ${problem}.`);
    const [place, ...others] = placesOf(find, edited);
    if (place === undefined) {
      throw refuse(
        `find of edits[${index}] is not in the post: take it from get_post, character by character`,
      );
    }
    if (others.length > 0) {
      const times = others.length + 1;
      throw refuse(`find of edits[${index}] is in the post ${times} times: give more of the text around it`);
    }
    const result = `${edited.slice(0, place)}${replace}${edited.slice(place + find.length)}`;
    if (result.length > MAX_CONTENT) {
      throw refuse(`with edits[${index}], the post would have more than ${MAX_CONTENT} bytes`);
    }
    return result;
  }, text);
}

/**
 * Where a passage is in a text, without overlaps. By Knuth, Morris and Pratt, in linear time: the search that is built
 * in takes minutes for a long passage that fits almost everywhere, and at /mcp both come from strangers.
 */
function placesOf(passage: string, text: string): number[] {
  if (passage.length > text.length) return [];
  const borders = bordersOf(passage);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extended(passage, borders, matched, text.charCodeAt(at));
    if (matched < passage.length) continue;
    places.push(at + 1 - matched);
    matched = 0;
  }
  return places;
}

/** For each beginning of a passage, the length of the longest shorter beginning that it ends with. */
function bordersOf(passage: string): Int32Array {
  const borders = new Int32Array(passage.length);
  for (let at = 1; at < passage.length; at += 1) {
    borders[at] = extended(passage, borders, borders[at - 1] ?? 0, passage.charCodeAt(at));
  }
  return borders;
}

/** How many characters of the passage match after one more character, if as many did before it. */
function extended(passage: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && passage.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
  return passage.charCodeAt(length) === code ? length + 1 : length;
}
