// Slow: renders hundreds of batches in a process of its own to measure its memory.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HtmlView } from '../../../generator/page.ts';
import { createHtmlRenderer } from '../../../generator/theme/eleventy.ts';
import { listView, notFoundView, postView, redirectView, summary } from '../render/views.ts';

const impossible = postView({ slug: 'undated', publishedAt: 'never' });

const anyView: fc.Arbitrary<HtmlView> = fc.oneof(
  fc.record({ title: fc.string(), html: fc.string(), lang: fc.constantFrom(null, 'ar', 'ja') }).map(postView),
  fc.string().map((title) => listView({ posts: [{ ...summary, title }] })),
  fc.constantFrom<HtmlView>(redirectView, notFoundView),
);

test('rendering makes one document for each view, in order', async () => {
  const views = Array.from({ length: 40 }, (_, index) => postView({ title: `Post number ${index}.` }));
  const pages = await createHtmlRenderer().render(views);
  expect(pages).toHaveLength(40);
  for (const [index, page] of pages.entries()) expect(page).toContain(`<title>Post number ${index}. · `);
});

test('rendering no views makes no documents', async () => {
  expect(await createHtmlRenderer().render([])).toEqual([]);
});

test('a view has the same bytes however views are batched and whatever came before', async () => {
  const renderer = createHtmlRenderer();
  const property = fc.asyncProperty(fc.array(anyView, { maxLength: 8 }), async (views) => {
    const together = await renderer.render(views);
    const alone = [];
    for (const view of views) alone.push(...(await renderer.render([view])));
    expect(together).toEqual(alone);
    expect(await createHtmlRenderer().render([...views].reverse())).toEqual(alone.reverse());
  });
  await fc.assert(property, { numRuns: 25 });
});

test('overlapping calls are rendered one after the other', async () => {
  const renderer = createHtmlRenderer();
  const calls = Array.from({ length: 12 }, (_, index) => [
    postView({ title: `First of ${index}` }),
    postView({ title: `Second of ${index}` }),
  ]);
  const results = await Promise.all(calls.map((views) => renderer.render(views)));
  for (const [index, [first, second]] of results.entries()) {
    expect(first).toContain(`First of ${index} · `);
    expect(second).toContain(`Second of ${index} · `);
  }
});

test('an error names the page that cannot be rendered, and the next call works', async () => {
  const renderer = createHtmlRenderer();
  const [before] = await renderer.render([postView()]);
  const failing = renderer.render([postView(), impossible, listView()]);
  const following = renderer.render([postView()]);
  await expect(failing).rejects.toThrow(/the post page "undated" of the blog "ink": Invalid time value/);
  expect(await following).toEqual([before]);
});

test('text that looks like a template or a placeholder is unchanged', async () => {
  const html =
    '<p>/*__EleventyBundle:get:css:default:EleventyBundle__*/ {{ page.url }} {% raw %} {x}</p><style></style>';
  const [page] = await createHtmlRenderer().render([
    postView({ html, title: '---\ntags: x\n---\n{{ title }}' }),
  ]);
  expect(page).toContain(html);
  expect(page).toContain('{{ title }}');
});

test('rendering reads, writes and prints nothing, warns of nothing and does not leak memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-render-'));
  const files: Record<string, string> = {
    'eleventy.config.js': 'throw new Error("read");',
    '.eleventy.js': 'throw new Error("read");',
    'package.json': '{ not json',
    '.gitignore': '*',
    'post.md': '# A template of somebody else\n',
    'page.view': 'A template of somebody else',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const renderer = createRequire(import.meta.url).resolve('#dist/generator/theme/eleventy.js');
  const script = `
    const { createHtmlRenderer } = await import(${JSON.stringify(pathToFileURL(renderer).href)});
    const warnings = [];
    process.on('warning', (warning) => warnings.push(String(warning)));
    const renderer = createHtmlRenderer();
    const views = ${JSON.stringify([postView(), listView(), redirectView, notFoundView])};
    const failing = ${JSON.stringify([impossible])};
    const heapAfter = async (times) => {
      for (let call = 0; call < times; call++) {
        if ((await renderer.render(views)).length !== 4) throw new Error('lost a page');
        if (call % 20 === 0) await renderer.render(failing).catch(() => {});
      }
      global.gc();
      return process.memoryUsage().heapUsed;
    };
    const warm = await heapAfter(100);
    const later = await heapAfter(400);
    process.stdout.write(JSON.stringify({ warnings, grown: later - warm }));
  `;
  try {
    const args = ['--expose-gc', '--input-type=module', '--eval', script];
    const output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    const { warnings, grown } = JSON.parse(output);
    expect(warnings).toEqual([]);
    expect(grown).toBeLessThan(2_000_000);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
