import { styleText } from 'node:util';
import type { Prompts } from './prompts.ts';

/** Where a command reads and writes. */
export interface Terminal {
  /** Writes to standard output: what was asked for. */
  readonly print: (text: string) => void;
  /** Writes to standard error: what is said beside it. */
  readonly tell: (text: string) => void;
  /** Reads standard input to its end; null if that is a terminal. */
  readonly readInput: (() => Promise<Uint8Array>) | null;
  /** Columns of the terminal that standard output is; null if it is none, so that programs read it. */
  readonly columns: number | null;
  readonly colours: boolean;
  /** The stream of `tell`, for progress that redraws itself. */
  readonly errorStream: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Null if nobody is there to answer. */
  readonly prompts: Prompts | null;
}

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold' | 'cyan';

export const paint = ({ colours }: Pick<Terminal, 'colours'>, colour: Colour, text: string): string =>
  colours ? styleText(colour, text, { validateStream: false }) : text;
