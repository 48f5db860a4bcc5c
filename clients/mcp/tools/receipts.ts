import { type Platen, responseOf } from '../../sdk/index.ts';

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
  if (!responseOf(written).isLive) {
    return `Stored. The rebuild ${id} is not finished yet: ${where} in a moment.`;
  }
  try {
    const { files_written, files_removed, duration_ms } = await platen.rebuild(id);
    const files = [`${files_written} files written`, ...(files_removed ? [`${files_removed} removed`] : [])];
    const time = duration_ms === null ? '' : ` in ${(duration_ms / 1_000).toFixed(2)} s`;
    return `${where} (receipt ${id}: ${files.join(', ')}${time}).`;
  } catch {
    // A key without posts:read may write, but sees no receipt.
    return `${where} (rebuild ${id}).`;
  }
}
