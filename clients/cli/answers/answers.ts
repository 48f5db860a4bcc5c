import { ForbiddenError, type Platen, type Receipt, responseOf } from '../../sdk/index.ts';
import type { Context } from '../command-line/context.ts';
import { unless } from '../command-line/flags.ts';
import { onOneLine, withLines } from '../terminal/shown-text.ts';
import { fieldLines } from '../terminal/table.ts';
import { paint } from '../terminal/terminal.ts';

type Output = Pick<Context, 'terminal' | 'common'>;

export const printJson = ({ terminal }: Pick<Context, 'terminal'>, value: unknown): void =>
  terminal.print(`${JSON.stringify(value, null, 2)}\n`);

/** Shows an answer: with `--json` as it is, otherwise these fields of it. */
export function showFields(
  { terminal, common }: Output,
  answer: object,
  fields: Readonly<Record<string, string | number | null | undefined>>,
): void {
  if (common.json) printJson({ terminal }, answer);
  else terminal.print(fieldLines(terminal, fields));
}

/** Says what was done; with `--json` prints the answer. */
export function showDone(
  { terminal, common }: Output,
  answer: { readonly warnings?: readonly string[] },
  done: string,
): void {
  if (common.json) printJson({ terminal }, answer);
  else {
    terminal.print(`${onOneLine(done)}\n`);
    for (const warning of answer.warnings ?? []) terminal.tell(`warning: ${onOneLine(warning)}\n`);
  }
}

/** The option of every command whose write readers see. */
export const waitFlags = { wait: unless('do not wait until readers see it') };

interface Write {
  readonly answer: { readonly rebuild_id?: string; readonly warnings?: string[] };
  /** What was done, as a sentence without a full stop. */
  readonly done: string;
  /** Where readers see it. */
  readonly url?: string | undefined;
}

/**
 * Says what a write has done, waits until readers see it, and says how long that took. With `--json` prints the answer
 * with the receipt of its rebuild; null if nobody waited, or there was nothing to wait for.
 */
export async function showWrite(
  context: Pick<Context, 'terminal' | 'common' | 'signal'>,
  platen: Platen,
  { wait }: { readonly wait: boolean },
  { answer, done, url }: Write,
): Promise<void> {
  const { terminal, common, signal } = context;
  if (!common.json) showDone(context, answer, done);
  const receipt = wait ? await receiptOf(context, platen, answer, signal) : null;
  if (common.json) return printJson(context, { ...answer, receipt });
  if (receipt !== null) terminal.print(`${liveLine(terminal, receipt, url)}\n`);
}

async function receiptOf(
  { terminal, common }: Output,
  platen: Platen,
  answer: Write['answer'],
  signal: AbortSignal,
): Promise<Receipt | null> {
  try {
    return await platen.waitUntilLive(answer, { signal });
  } catch (error) {
    // The write is done all the same, and a failure would say that it is not.
    if (error instanceof ForbiddenError) {
      terminal.tell('Whether it is live is not known: this key lacks the scope posts:read.\n');
      return null;
    }
    if (signal.aborted && !common.json)
      terminal.tell('It is stored, and will be live without this command.\n');
    throw error;
  }
}

function liveLine(
  terminal: Context['terminal'],
  { queued_at, live_at }: Receipt,
  url: string | undefined,
): string {
  const milliseconds = Date.parse(live_at ?? '') - Date.parse(queued_at);
  const time = milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
  const place = url === undefined ? '' : `: ${withLines(url)}`;
  return `${paint(terminal, 'green', 'live')} in ${time}${place}`;
}

/** Version of an answer, for `ifMatch`. */
export const versionOf = (answer: object): string | undefined => responseOf(answer).etag;
