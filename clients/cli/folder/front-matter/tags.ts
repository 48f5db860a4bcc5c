/** The interface's limits. */
const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 50;

/** Tags without repetitions, within the limits, and what that changed. */
export function clampTags(all: readonly string[]): { tags: string[]; notes: string[] } {
  const notes: string[] = [];
  const shortened = all.map((tag) => {
    const short = truncateTag(tag);
    if (short !== tag) notes.push(`has a tag that was shortened to ${MAX_TAG_LENGTH} characters: ${short}`);
    return short;
  });
  const tags = shortened.filter(
    (tag, index) => shortened.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === index,
  );
  if (tags.length > MAX_TAGS) notes.push(`has ${tags.length} tags: only the first ${MAX_TAGS} were kept`);
  return { tags: tags.slice(0, MAX_TAGS), notes };
}

/** Shortens a tag at a grapheme boundary, so that accents and emoji stay whole. */
function truncateTag(tag: string): string {
  if (tag.length <= MAX_TAG_LENGTH) return tag;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(tag)) {
    if (short.length + segment.length > MAX_TAG_LENGTH) break;
    short += segment;
  }
  return short.trim();
}
