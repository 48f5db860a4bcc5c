/** Rows of a table in CSV (RFC 4180), by the names in its first row. A cell in quotes may have line breaks. */
export function parseCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = rowsOf(text);
  return rows
    .filter((row) => row.length > 1 || row[0] !== '')
    .map((row) => Object.fromEntries(names.map((name, column) => [name.trim(), row[column] ?? ''])));
}

const CELL = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/y;

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    CELL.lastIndex = at;
    const [whole, quoted, bare, end] = CELL.exec(text) ?? [];
    if (whole === undefined) {
      // A quote that is never closed, or followed by text: the line is taken as it is.
      const next = text.indexOf('\n', at);
      const stop = next === -1 ? text.length : next;
      rows.push([...row, text.slice(at, stop)]);
      row = [];
      at = stop + 1;
      continue;
    }
    row.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    at += whole.length;
    if (end === ',' && at < text.length) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
