/** Longest name that edit distances are computed for: their cost grows with the square of the length. */
const MAX_COMPARED = 40;
/** Edits at which names are near, as long as they are no more than a third of the longer name. */
const MAX_EDITS = 2;

/**
 * The known name that `given` was probably meant to be: the same in another style (`accentColor`, `accent-color`), or
 * else the one with the fewest edits, the first of several. Null if none is near.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_COMPARED) return null;
  const wanted = withoutStyle(given);
  const named = known.filter(({ length }) => length <= MAX_COMPARED);
  const same = named.find((name) => withoutStyle(name) === wanted);
  if (same !== undefined || wanted === '') return same ?? null;
  const near = named
    .map((name) => ({ name, edits: editsBetween(wanted, withoutStyle(name)) }))
    .filter(({ name, edits }) => edits <= allowedEdits(wanted, withoutStyle(name)));
  return near.sort((a, b) => a.edits - b.edits)[0]?.name ?? null;
}

/** A name without what naming styles differ in: case and separators. */
export const withoutStyle = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '');

const allowedEdits = (a: string, b: string): number =>
  Math.min(MAX_EDITS, Math.floor(Math.max(a.length, b.length) / 3));

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isEqual = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
