import { type Platen, type Receipt, responseOf } from '../../sdk/index.ts';

/** Seconds that a write waits for its rebuild. Most take well below one, and clients give up after sixty. */
export const WAIT_SECONDS = 10;

/** An answer of the API to a write. */
interface Written {
  readonly rebuild_id?: string;
}

/** What readers see of a write. */
export interface View {
  /** Once its rebuild has finished, after "it is": such as "live at https://…". */
  readonly after: string;
  /** Until then, and if the rebuild fails, after "readers": such as "still see it". */
  readonly before: string;
}

/** Says what readers see of a write, with its receipt. Empty if the write changes nothing for them. */
export async function receiptText(
  platen: Platen,
  written: Written,
  { before, after }: View,
): Promise<string> {
  const { rebuild_id: id } = written;
  if (id === undefined) return '';
  // A key without posts:read may write, but sees no receipt.
  const receipt = await platen.rebuild(id).catch(() => null);
  if (receipt?.status === 'failed') {
    const why = receipt.error ?? 'the log of the server says why';
    return `But readers ${before}: the rebuild ${id} failed (${why}). Tell the user.`;
  }
  // The wait may have ended with the page live, and only its preview card missing.
  if (receipt?.status === 'live') return `${capitalised(after)} (receipt ${id}: ${workText(receipt)}).`;
  if (receipt === null && responseOf(written).isLive) return `${capitalised(after)} (rebuild ${id}).`;
  return `Readers ${before} until the rebuild ${id} has finished; then it is ${after}.`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function workText({ files_written, files_removed, duration_ms }: Receipt): string {
  const files = [`${files_written} files written`, ...(files_removed ? [`${files_removed} removed`] : [])];
  const time = duration_ms === null ? '' : ` in ${(duration_ms / 1_000).toFixed(2)} s`;
  return `${files.join(', ')}${time}`;
}
