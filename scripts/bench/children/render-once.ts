import type { FirstUse } from '../support/child-reports.ts';

/** A process of its own for the first two posts that it renders: reports to its parent, and ends. */
const { FIRST = '', SECOND = '' } = process.env;
const started = performance.now();
const { renderMarkdown } = await import('../../../generator/markdown/render.ts');
const loaded = performance.now();
renderMarkdown(FIRST);
const rendered = performance.now();
renderMarkdown(SECOND);
const report: FirstUse = {
  load: loaded - started,
  first: rendered - loaded,
  second: performance.now() - rendered,
};
process.send?.(report);
