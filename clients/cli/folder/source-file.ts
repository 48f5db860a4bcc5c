import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** The API's limit for the Markdown of a post, in bytes of UTF-8. */
export const MAX_CONTENT_BYTES = 1_048_576;
/** A file also has front matter, and markup that takes less space in Platen. */
const MAX_FILE_BYTES = 2 * MAX_CONTENT_BYTES;

/** A file that is no text that could be a post. The message is the end of a sentence that begins with its name. */
export class UnreadableError extends Error {
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Reads a text file. Throws an UnreadableError, without reading it if it is too large. */
export async function readSource(folder: string, file: string): Promise<string> {
  const handle = await open(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableError(`cannot be read (${error.code ?? error.message})`);
  });
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES)
      throw new UnreadableError(`has ${sizeOf(size)}: a post has at most 1 MB of Markdown`);
    return decode(await handle.readFile());
  } finally {
    await handle.close();
  }
}

export const sizeOf = (bytes: number): string =>
  bytes >= 10 * 1_048_576 ? `${Math.round(bytes / 1_048_576)} MB` : `${(bytes / 1_048_576).toFixed(1)} MB`;

/** Decodes UTF-8 and removes a byte order mark. */
export function decode(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnreadableError('is not UTF-8 text: save it in UTF-8', lineOfFault(bytes));
  }
}

/** The first line that is not UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end));
    } catch {
      break;
    }
    start = end + 1;
  }
  return line;
}
