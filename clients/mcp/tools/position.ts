/** So few characters are found quickly by the search that is built in, whatever the text. */
const HEAD = 64;
/** More places than this begin like a long passage only in a text that repeats itself. */
const MAX_TRIES = 16;

/**
 * Where a passage first is in a text, from a position on; -1 if it is not. In linear time: the search that is built in
 * takes minutes for a long passage that fits almost everywhere, and at /mcp both come from strangers.
 */
export function positionOf(passage: string, text: string, from: number): number {
  if (passage.length > text.length - from) return -1;
  const head = passage.slice(0, HEAD);
  let next = from;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const at = text.indexOf(head, next);
    if (at === -1 || text.startsWith(passage, at)) return at;
    next = at + 1;
  }
  return linearPositionOf(passage, text, next);
}

/** By Knuth, Morris and Pratt, who look at no character of the text twice. */
function linearPositionOf(passage: string, text: string, from: number): number {
  const borders = bordersOf(passage);
  // One loop without calls: a function for each character makes it several times slower.
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && passage.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (passage.charCodeAt(matched) === code) matched += 1;
    if (matched === passage.length) return at + 1 - matched;
  }
  return -1;
}

/** For each beginning of a passage, the length of the longest shorter beginning that it ends with. */
function bordersOf(passage: string): Int32Array {
  const borders = new Int32Array(passage.length);
  let length = 0;
  for (let at = 1; at < passage.length; at += 1) {
    const code = passage.charCodeAt(at);
    while (length > 0 && passage.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (passage.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
