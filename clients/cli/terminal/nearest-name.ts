/** Letters that may be wrong, missing or too many, as long as they are no more than a third of the name. */
const MAX_EDITS = 2;
/** Longest name that is compared. */
const MAX_COMPARED = 40;

/** The known name that was probably meant; null if none is near. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_COMPARED) return null;
  const near = known
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.min(MAX_EDITS, Math.max(given.length, name.length) / 3))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.name ?? null;
}

/** `: did you mean posts?`, or nothing. */
export function meant(given: string, known: readonly string[]): string {
  const name = nearestName(given, known);
  return name === null ? '' : `: did you mean ${name}?`;
}

/** Insertions, deletions and replacements that turn one text into the other. */
function editsBetween(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1),
      );
    }
    last = current;
  }
  return last[to.length] ?? 0;
}
