// Slow: renders sources of a mebibyte that reach each limit, several at once, and some in a process of their own to
// measure memory.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarkdownPool, type MarkdownPool } from '../../../generator/markdown/pool.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';
import { bearable, unbearable } from './hostile-sources.ts';

/** Milliseconds: thirty times the CPU time of the slowest source. Non-linear work would take minutes. */
const PATIENCE = 60_000;

let pool: MarkdownPool;
beforeAll(() => {
  pool = createMarkdownPool({ threads: 2, timeoutMs: PATIENCE });
});
afterAll(() => pool.close());

const render = (source: string) => pool.render(source, { owner: 'somebody' });

describe('a source at a limit of Markdown', () => {
  it.concurrent.each(bearable)('a source at a limit is rendered in time: %s', async (_, source) => {
    const { html, text } = await render(source);
    expect(html.length).toBeLessThanOrEqual(8 << 20);
    expect(text.length).toBeLessThanOrEqual(html.length);
  });
});

describe('a source beyond a limit of Markdown', () => {
  it.concurrent.each(unbearable)(
    'a source beyond a limit is refused with the reason: %s',
    async (_, source, what) => {
      const refusal = await render(source).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(MarkdownRefused);
      expect(String(refusal)).toContain(`The post has too many ${what}`);
      expect(String(refusal)).toMatch(/: [\d,]+, [\d,]+ are allowed\.$/);
    },
  );
});

describe('the sources that need the most memory', () => {
  const measure = `
    const { renderMarkdown } = await import(${JSON.stringify(distUrl('render.js'))});
    const { text } = await import('node:stream/consumers');
    renderMarkdown(await text(process.stdin));
    console.log(process.resourceUsage().maxRSS / 1024);`;
  const memoryOf = (source: string) =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', measure], { input: source }));

  it.each(['"&"', '"\\""', '"*a _b "', '"- [ ] a\\n"'])(
    'rendering this source takes less than 600 MiB: %s',
    (name) => {
      const source = bearable.find(([one]) => one === name)?.[1] ?? '';
      expect(source).not.toBe('');
      expect(memoryOf(source)).toBeLessThan(600);
    },
  );
});

function distUrl(file: string): string {
  return `file://${createRequire(import.meta.url).resolve(`#dist/generator/markdown/${file}`)}`;
}
