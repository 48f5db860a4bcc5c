// Slow: renders every post of the corpus.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkSourceLimits } from '../../../generator/markdown/limits.ts';
import { parseToHtml } from '../../../generator/markdown/parse.ts';
import { corpusDir } from '../../support/corpus.ts';

const posts = join(corpusDir() ?? '', 'posts');
const files = readdirSync(posts, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);

it('no real post comes near a limit of Markdown', () => {
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    const source = readFileSync(join(posts, file), 'utf8');
    expect(() => parseToHtml(source), file).not.toThrow();
    expect(() => checkSourceLimits(`${source}\n\n`.repeat(3)), file).not.toThrow();
  }
});
