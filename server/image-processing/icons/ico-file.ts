const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const BITS_PER_PIXEL = 32;

/** An ICO file of squares in PNG format, each less than 256 pixels wide. */
export function icoFile(images: readonly { readonly width: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + images.length * ENTRY_BYTES);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { width, png }] of images.entries()) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    head.writeUInt8(width, entry);
    head.writeUInt8(width, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(BITS_PER_PIXEL, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}
