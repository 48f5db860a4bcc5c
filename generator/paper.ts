import type { BlogSettings } from './site.ts';

/** The theme's colours in light mode (templates/styles/page.css), for files that have no style sheet. */
export const PAPER = '#fdfcf9';
const RUBRIC = '#ad2f1b';

/** The blog's accent colour. */
export const accentOf = ({ accentColor }: BlogSettings): string => accentColor ?? RUBRIC;
