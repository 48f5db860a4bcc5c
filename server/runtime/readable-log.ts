import { levels } from 'pino';

/** What every line has, and what a line about an error has. */
interface LoggedLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [field: string]: unknown;
}

/**
 * A line of the log (JSON) for a person at a terminal: `10:32:07Z info posts rendered again (renewed: 3)`, and below it
 * the stack of an error.
 */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields }: LoggedLine = JSON.parse(json);
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${inLine(value)}`);
  const details = named.length > 0 ? ` (${named.join(', ')})` : '';
  const stack = err === undefined ? '' : `\n${withoutControls(err.stack ?? err.message ?? inLine(err))}`;
  const moment = `${new Date(time).toISOString().slice(11, 19)}Z`;
  return `${moment} ${levels.labels[level] ?? level} ${oneLine(msg)}${details}${stack}\n`;
}

const inLine = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value));

/** A line break would let a client write lines that look like ours. */
const oneLine = (text: string): string => withoutControls(text).replaceAll('\n', '\uFFFD');

/**
 * Names and addresses in messages come from clients, and characters that control or reorder text would act on the
 * terminal.
 */
const withoutControls = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
