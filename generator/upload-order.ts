/**
 * The order in which files reach the edge, so that no link leads to a file that is not there yet: what is new comes
 * before what changes, because existing pages link to new ones, and both come stage by stage, each complete before the
 * next one starts. Removals come after every write.
 */
export const stages = [
  // Response headers and the record of the current host, which apply to all other files: first, whether new or not.
  'headers',
  // Hosts that redirect to the current one.
  'other-hosts',
  'posts',
  // What links to posts, and then what announces them.
  'lists',
  'feeds',
  // Drawn when everything else is live.
  'cards',
  // The search index is built apart. Its entry leads to its scripts, and these to its parts.
  'index-parts',
  'index-scripts',
  'index-entry',
] as const;

export type Stage = (typeof stages)[number];

/** The items in groups, in upload order. */
export function inUploadOrder<T>(
  items: Iterable<T>,
  stageOf: (item: T) => Stage,
  isNew: (item: T) => boolean = () => true,
): T[][] {
  const groups = Array.from({ length: 2 * stages.length }, (): T[] => []);
  for (const item of items) {
    const stage = stageOf(item);
    const isUpdate = stage !== 'headers' && !isNew(item);
    groups[stages.indexOf(stage) + (isUpdate ? stages.length : 0)]?.push(item);
  }
  return groups;
}
