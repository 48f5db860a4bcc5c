import type { Readable } from 'node:stream';
import { generatorOf } from '../folder/generator.ts';
import { isMarkdown } from '../folder/walk.ts';
import type { SourceFiles } from './archive/source-files.ts';
import { looksLikeGhost } from './ghost/ghost-export.ts';
import { ImportError } from './import-error.ts';
import type { SourceKind } from './imported-blog.ts';
import { MEDIUM_POST } from './medium/read-medium.ts';
import { SUBSTACK_TABLE } from './substack/read-substack.ts';

/** Characters at the beginning of a file that tell what it is. */
const HEAD = 4_096;

/** The system that an export is of, by what is in it. Throws an ImportError if it is none that is known. */
export async function detectSource(files: SourceFiles): Promise<SourceKind> {
  const { paths } = files;
  if (paths.some((path) => SUBSTACK_TABLE.test(path))) return 'substack';
  if (paths.some((path) => MEDIUM_POST.test(path))) return 'medium';
  const generator = generatorOf('', paths);
  if (generator === 'hugo' || generator === 'jekyll') return generator;
  if (paths.some((path) => /^(?:_config\.toml|config\.(?:toml|ya?ml))$/.test(path)) && paths.some(isMarkdown))
    return 'hugo';
  const documents = paths.filter(
    (path) => /\.(?:xml|json)$/i.test(path) && !/(?:^|\/)package(?:-lock)?\.json$/.test(path),
  );
  for (const path of documents.slice(0, 20)) {
    const start = await startOf(await files.stream(path));
    if (/^﻿?\s*</.test(start) && /<rss\b|xmlns:wp=/.test(start)) return 'wordpress';
    if (looksLikeGhost(start)) return 'ghost';
  }
  throw new ImportError(unknown(files));
}

async function startOf(stream: Readable): Promise<string> {
  let start = '';
  for await (const chunk of stream) {
    start += Buffer.from(chunk).toString('latin1');
    if (start.length >= HEAD) break;
  }
  return start.slice(0, HEAD);
}

function unknown({ name, paths }: SourceFiles): string {
  if (paths.some(isMarkdown))
    return `${name} is a folder of Markdown, which needs no import: platen deploy takes it as it is. For a site of Hugo or Jekyll, say --from hugo or --from jekyll`;
  return `${name} is no export that is known: Ghost's JSON, WordPress's XML, the zip of Medium or Substack, or the folder of Hugo or Jekyll. Say which with --from`;
}
