import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarkdownPool, type MarkdownPool } from '../../../generator/markdown/pool.ts';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';
import { bearable, unbearable } from './hostile-sources.ts';

/** Milliseconds: thirty times what the slowest takes of a processor of its own. What is not linear takes minutes. */
const PATIENCE = 60_000;

let pool: MarkdownPool;
beforeAll(() => {
  pool = createMarkdownPool({ threads: 2, timeoutMs: PATIENCE });
});
afterAll(() => pool.close());

const render = (source: string) => pool.render(source, { owner: 'somebody' });

describe('as much as there may be of one thing', () => {
  it.concurrent.each(bearable)('is rendered in time: %s', async (_, source) => {
    const { html, text } = await render(source);
    expect(html.length).toBeLessThanOrEqual(8 << 20);
    expect(text.length).toBeLessThanOrEqual(html.length);
  });
});

describe('more than that', () => {
  it.concurrent.each(unbearable)('is refused, and the author is told why: %s', async (_, source, what) => {
    const refusal = await render(source).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MarkdownRefused);
    expect(String(refusal)).toContain(`The post has too many ${what}`);
    expect(String(refusal)).toMatch(/: [\d,]+, [\d,]+ are allowed\.$/);
  });
});

describe('the hungriest', () => {
  const measure = `
    const { renderMarkdown } = await import(${JSON.stringify(distUrl('render.js'))});
    const { text } = await import('node:stream/consumers');
    renderMarkdown(await text(process.stdin));
    console.log(process.resourceUsage().maxRSS / 1024);`;
  const memoryOf = (source: string) =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', measure], { input: source }));

  it.each(['"&"', '"\\""', '"*a _b "', '"- [ ] a\\n"'])('takes less than 600 MiB: %s', (name) => {
    const source = bearable.find(([one]) => one === name)?.[1] ?? '';
    expect(source).not.toBe('');
    expect(memoryOf(source)).toBeLessThan(600);
  });
});

function distUrl(file: string): string {
  return `file://${createRequire(import.meta.url).resolve(`#dist/generator/markdown/${file}`)}`;
}
