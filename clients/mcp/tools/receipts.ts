import { type Platen, type Receipt, responseOf } from '../../sdk/index.ts';

/** Seconds that a write waits for its rebuild. Most take well below one, and clients give up after sixty. */
export const WAIT_SECONDS = 10;

/** An answer of the API to a write. */
interface Written {
  readonly rebuild_id?: string;
}

/** Says when readers see a write, with its receipt. `where` begins the sentence, such as "Live at https://…". */
export async function receiptText(platen: Platen, written: Written, where: string): Promise<string> {
  const { rebuild_id: id } = written;
  if (id === undefined) return '';
  // A key without posts:read may write, but sees no receipt.
  const receipt = await platen.rebuild(id).catch(() => null);
  if (receipt?.status === 'failed') {
    const why = receipt.error ?? 'the log of the server says why';
    return `Stored, but readers do not see it: the rebuild ${id} failed (${why}). Tell the user.`;
  }
  // Of a write whose wait has ended, the page may be there, and only its preview card still be drawn.
  if (receipt?.status === 'live') return `${where} (receipt ${id}: ${workText(receipt)}).`;
  if (receipt === null && responseOf(written).isLive) return `${where} (rebuild ${id}).`;
  return `Stored. The rebuild ${id} is not finished yet: ${where} in a moment.`;
}

function workText({ files_written, files_removed, duration_ms }: Receipt): string {
  const files = [`${files_written} files written`, ...(files_removed ? [`${files_removed} removed`] : [])];
  const time = duration_ms === null ? '' : ` in ${(duration_ms / 1_000).toFixed(2)} s`;
  return `${files.join(', ')}${time}`;
}
