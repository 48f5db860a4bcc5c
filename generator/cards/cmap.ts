/**
 * The code points for which a font has a glyph (OpenType `cmap`, formats 4 and 12). Reads the last Unicode subtable, as
 * satori does.
 */
export function readCmap(cmap: Buffer): ReadonlySet<number> {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + 8 * i));
  const subtable = offsets
    .map((offset) => cmap.subarray(offset))
    .findLast((table) => [4, 12].includes(table.readUInt16BE(0)));
  if (subtable === undefined) throw new Error('The font has no Unicode character map');
  return new Set(subtable.readUInt16BE(0) === 12 ? readGroups(subtable) : readSegments(subtable));
}

function* readGroups(table: Buffer): Generator<number> {
  for (let i = 0; i < table.readUInt32BE(12); i++) {
    const group = 16 + 12 * i;
    yield* range(table.readUInt32BE(group), table.readUInt32BE(group + 4));
  }
}

function* readSegments(table: Buffer): Generator<number> {
  const size = table.readUInt16BE(6);
  for (let end = 14; end < 14 + size; end += 2) {
    const start = end + size + 2;
    const delta = start + size;
    const rangeOffset = delta + size;
    const first = table.readUInt16BE(start);
    for (const code of range(first, table.readUInt16BE(end))) {
      const offset = table.readUInt16BE(rangeOffset);
      const glyph = offset === 0 ? code : table.readUInt16BE(rangeOffset + offset + 2 * (code - first));
      const mapped = offset !== 0 && glyph === 0 ? 0 : (glyph + table.readUInt16BE(delta)) & 0xffff;
      if (mapped !== 0 && code !== 0xffff) yield code;
    }
  }
}

function* range(first: number, last: number): Generator<number> {
  for (let code = first; code <= last; code++) yield code;
}
