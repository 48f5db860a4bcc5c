import type { FirstUse } from '../support/child-reports.ts';

/** Child process that renders its first two posts, reports the times to its parent and exits. */
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
