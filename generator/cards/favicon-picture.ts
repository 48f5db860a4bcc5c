const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

/** The last picture of a favicon.ico (server/image-processing/icons), its largest: a PNG of 48 by 48 pixels. */
export function pictureOf(favicon: Uint8Array): Uint8Array {
  const bytes = new DataView(favicon.buffer, favicon.byteOffset, favicon.byteLength);
  const last = HEADER_BYTES + ENTRY_BYTES * (bytes.getUint16(4, true) - 1);
  const [size, offset] = [bytes.getUint32(last + 8, true), bytes.getUint32(last + 12, true)];
  return favicon.slice(offset, offset + size);
}
