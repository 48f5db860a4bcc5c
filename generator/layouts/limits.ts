/** What one page may ask of a layout. They are counted and not timed, so that a page is the same on every machine. */

/** Tags, outputs and pieces of text that are carried out. */
export const MAX_STEPS = 10_000;

/** Characters and entries that are made on the way, the page's own included. */
export const MAX_MADE = 1_000_000;

/** Characters of the page's frame, `content` not counted. */
export const MAX_FRAME = 262_144;

/** Characters of a layout: as many as the interface lets in bytes. */
export const MAX_SOURCE = 65_536;
