/** Limits of a layout on one page. They count steps and not time, so that a page is the same on every machine. */

/** Tags, outputs and pieces of text that are rendered. */
export const MAX_STEPS = 10_000;

/** Characters and list entries produced while rendering, the output included. */
export const MAX_OUTPUT_UNITS = 1_000_000;

/** Characters of the page's frame, without `content`. */
export const MAX_FRAME = 262_144;

/** Characters of a layout's source. The interface allows the same number of bytes. */
export const MAX_SOURCE = 65_536;
