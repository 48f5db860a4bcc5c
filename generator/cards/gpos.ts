/**
 * Negates a font's vertical offsets (OpenType `GPOS`) in place: in mark and cursive anchors, and in single adjustments.
 * Satori 0.63 adds these offsets instead of subtracting them, which would draw an Arabic letter's dots inside it.
 */
export function negateVerticalOffsets(gpos: Buffer): void {
  const positions = new Set<number>();
  const lookups = gpos.readUInt16BE(8);
  for (const lookup of offsets(gpos, lookups, lookups)) {
    for (const subtable of offsets(gpos, lookup + 4, lookup)) {
      const type = gpos.readUInt16BE(lookup);
      for (const position of type === 9 ? extension(gpos, subtable) : verticals(gpos, type, subtable)) {
        positions.add(position);
      }
    }
  }
  // Subtables may share anchors: each is negated once.
  for (const position of positions) gpos.writeInt16BE(-gpos.readInt16BE(position), position);
}

/** Byte positions of a subtable's vertical offsets. */
function verticals(gpos: Buffer, type: number, subtable: number): Iterable<number> {
  if (type === 1) return single(gpos, subtable);
  if (type === 3) return anchors(gpos, subtable + 4, subtable, 2);
  if (type === 4 || type === 5 || type === 6) return attachment(gpos, type, subtable);
  return [];
}

function extension(gpos: Buffer, subtable: number): Iterable<number> {
  return verticals(gpos, gpos.readUInt16BE(subtable + 2), subtable + gpos.readUInt32BE(subtable + 4));
}

function* single(gpos: Buffer, subtable: number): Generator<number> {
  const format = gpos.readUInt16BE(subtable + 4);
  if ((format & 2) === 0) return;
  const [first, count] =
    gpos.readUInt16BE(subtable) === 1 ? [subtable + 6, 1] : [subtable + 8, gpos.readUInt16BE(subtable + 6)];
  const size = 2 * [...format.toString(2)].filter((bit) => bit === '1').length;
  for (let i = 0; i < count; i++) yield first + i * size + 2 * (format & 1);
}

/** Attachment of marks to bases (4), ligatures (5) and marks (6): an anchor per mark, and one per class and base. */
function* attachment(gpos: Buffer, type: number, subtable: number): Generator<number> {
  const classes = gpos.readUInt16BE(subtable + 6);
  const marks = subtable + gpos.readUInt16BE(subtable + 8);
  const bases = subtable + gpos.readUInt16BE(subtable + 10);
  for (let i = 0; i < gpos.readUInt16BE(marks); i++) {
    yield marks + gpos.readUInt16BE(marks + 4 + 4 * i) + 4;
  }
  if (type !== 5) yield* anchors(gpos, bases, bases, classes);
  else for (const ligature of offsets(gpos, bases, bases)) yield* anchors(gpos, ligature, ligature, classes);
}

/** The anchors of a table that begins with its row count; a cell may be empty. */
function* anchors(gpos: Buffer, table: number, base: number, columns: number): Generator<number> {
  for (let i = 0; i < gpos.readUInt16BE(table) * columns; i++) {
    const anchor = gpos.readUInt16BE(table + 2 + 2 * i);
    if (anchor !== 0) yield base + anchor + 4;
  }
}

function* offsets(gpos: Buffer, table: number, base: number): Generator<number> {
  for (let i = 0; i < gpos.readUInt16BE(table); i++) yield base + gpos.readUInt16BE(table + 2 + 2 * i);
}
