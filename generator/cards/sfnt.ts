import { inflateSync } from 'node:zlib';

/** Unpacks a WOFF 1.0 file into the TrueType or OpenType font that it contains. */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const font = Buffer.alloc(woff.readUInt32BE(16));
  woff.copy(font, 0, 4, 8);
  font.writeUInt16BE(count, 4);
  let end = 12 + 16 * count;
  for (let i = 0; i < count; i++) {
    const entry = 44 + 20 * i;
    const offset = woff.readUInt32BE(entry + 4);
    const length = woff.readUInt32BE(entry + 12);
    const stored = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8));
    const table = stored.length < length ? inflateSync(stored) : stored;
    const record = 12 + 16 * i;
    woff.copy(font, record, entry, entry + 4);
    font.writeUInt32BE(woff.readUInt32BE(entry + 16), record + 4);
    font.writeUInt32BE(end, record + 8);
    font.writeUInt32BE(length, record + 12);
    table.copy(font, end);
    end += Math.ceil(length / 4) * 4;
  }
  return font;
}

/** A table of an unpacked font, as a view of the same bytes. */
export function tableOf(font: Buffer, tag: string): Buffer | undefined {
  for (let record = 12; record < 12 + 16 * font.readUInt16BE(4); record += 16) {
    if (font.toString('latin1', record, record + 4) !== tag) continue;
    const offset = font.readUInt32BE(record + 8);
    return font.subarray(offset, offset + font.readUInt32BE(record + 12));
  }
  return undefined;
}
