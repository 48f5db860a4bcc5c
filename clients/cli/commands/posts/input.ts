import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Context } from '../../command-line/context.ts';
import { decode } from '../../folder/source-file.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { onOneLine } from '../../terminal/shown-text.ts';
import { type PostDocument, plainDocument, readDocument } from './document.ts';

interface GivenFields {
  readonly title: string | undefined;
  readonly content: string | undefined;
}

/** The text that a command is about: of a file, of standard input (`-`) or of `--content`. Null if there is none. */
export async function readInput(
  context: Context,
  file: string | undefined,
  { title, content }: GivenFields,
): Promise<PostDocument | null> {
  if (file !== undefined && content !== undefined)
    throw new UsageError('give the text by a file or by --content, not by both');
  if (content !== undefined) return plainDocument(content);
  if (file === undefined) return null;
  const name = file === '-' ? 'standard input' : basename(file);
  const document = readDocument(decodeText(await bytesOf(context, file), name), name, title);
  for (const remark of document.remarks) context.terminal.tell(`${onOneLine(remark)}\n`);
  return document;
}

async function bytesOf({ cwd, terminal }: Context, file: string): Promise<Uint8Array> {
  if (file !== '-') return readFile(resolve(cwd, file)).catch(unreadable(file));
  if (terminal.readInput !== null) return terminal.readInput();
  throw new UsageError('- is what is piped in, and standard input is a terminal');
}

const unreadable =
  (file: string) =>
  ({ code, message }: NodeJS.ErrnoException): never => {
    throw new CommandError(
      code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${code ?? message})`,
    );
  };

export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return decode(bytes);
  } catch (error) {
    throw new CommandError(`${name} ${error instanceof Error ? error.message : 'is no text'}`);
  }
}
