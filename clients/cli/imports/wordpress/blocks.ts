/** Blocks of the editor that have no content of their own: WordPress makes it when a page is shown. */
const DYNAMIC = /<!-- wp:([a-z][\w/-]*)(?: (\{.*?\}))? \/-->/g;

/** Dynamic blocks whose loss nobody notices. */
const EMPTY = new Set(['more', 'nextpage', 'separator', 'spacer', 'post-title', 'paragraph']);

/** Sentences about the blocks of a text that Platen cannot show, each kind once. */
export function findBlocks(html: string): string[] {
  const names = new Set<string>();
  for (const [, name = ''] of html.matchAll(DYNAMIC)) if (!EMPTY.has(name)) names.add(name);
  const told = [...names].map((name) =>
    name === 'block'
      ? 'a reusable block is left out: copy it from WordPress'
      : `the block ${name} is left out: WordPress makes its content when a page is shown`,
  );
  if (/<!-- wp:gallery/.test(html)) told.push('a gallery became single images');
  return told;
}
