// Slow: streams 400 MB.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { SourceFiles } from '../../../../clients/cli/imports/archive/source-files.ts';
import { createImportReport } from '../../../../clients/cli/imports/import-report.ts';
import { readWordpress } from '../../../../clients/cli/imports/wordpress/read-wordpress.ts';
import { item, wxrEnd, wxrStart } from './wxr.ts';

const MIB = 1_048_576;
const POSTS = 200;

/** An export of 200 MB: posts with comments, revisions of them, and one post of 100 MB. It is read twice. */
function* large(): Generator<Buffer> {
  yield Buffer.from(wxrStart);
  const words = Buffer.from('Some words about ink and paper. '.repeat(2_000));
  const revision = Buffer.from(
    item({ id: 1, type: 'revision', status: 'inherit', content: words.toString() }),
  );
  for (let n = 0; n < POSTS; n += 1) {
    yield Buffer.from(item({ id: n, name: `post-${n}`, content: `Text ${n}`, comments: 200 }));
    for (let copy = 0; copy < 7; copy += 1) yield revision;
  }
  const [before = '', after = ''] = item({ id: 9_999, name: 'huge', content: 'HERE' }).split('HERE');
  yield Buffer.from(before);
  for (let size = 0; size < 100 * MIB; size += words.length) yield words;
  yield Buffer.from(after);
  yield Buffer.from(item({ id: 10_000, name: 'last' }));
  yield Buffer.from(wxrEnd);
}

it('an export of WordPress of any size is read in bounded memory', async () => {
  let read = 0;
  let chunksRead = 0;
  let peak = 0;
  const measure = () => {
    const { heapUsed, external } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + external);
  };
  const files: SourceFiles = {
    ...{ name: 'a.xml', folder: null, paths: ['a.xml'], has: () => true, close: () => {} },
    async stream() {
      const chunks = large();
      return Readable.from(
        (function* () {
          for (const chunk of chunks) {
            read += chunk.length;
            chunksRead += 1;
            if (chunksRead % 20 === 0) measure();
            yield chunk;
          }
        })(),
      );
    },
    bytes: async () => Buffer.alloc(0),
    text: async () => '',
    placeOf: (path, line) => `${path}:${line}`,
  };
  measure();
  const start = peak;
  const report = createImportReport();
  const source = await readWordpress(files, report);
  const slugs: string[] = [];
  let longest = 0;
  for await (const { slug, body } of source.posts()) {
    slugs.push(slug);
    measure();
    longest = Math.max(longest, 'html' in body ? body.html.length : 0);
  }
  expect(read).toBeGreaterThan(380 * MIB);
  expect(slugs).toHaveLength(POSTS + 2);
  expect(slugs.at(-1)).toBe('last');
  expect(report.counts.get('comments')).toBe(POSTS * 200);
  // A text is cut at 16 MB, which is refused later for its length.
  expect(longest).toBeLessThan(32 * MIB);
  expect(peak - start).toBeLessThan(200 * MIB);
});
