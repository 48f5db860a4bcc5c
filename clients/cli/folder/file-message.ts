/** A message about one file of a folder, for its author. */
export interface FileMessage {
  /** Path relative to the folder, separated by `/`. */
  readonly file: string;
  /** Counted from 1; undefined if the message is about the whole file. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** A message within a file that is being read. */
export type LineMessage = Omit<FileMessage, 'file'>;

/** `posts/ink.md:4` */
export const placeOf = ({ file, line }: FileMessage): string =>
  line === undefined ? file : `${file}:${line}`;

/** The number of the line at an offset of a text, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
