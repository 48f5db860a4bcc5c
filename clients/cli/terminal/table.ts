import { onOneLine, shortened, widthOf } from './shown-text.ts';
import { paint, type Terminal } from './terminal.ts';

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null;
  /** Whether its values stand at the right. */
  readonly isNumber?: boolean;
  /** Whether it is never shortened, because people copy it: ids, addresses. */
  readonly isWhole?: boolean;
}

const GAP = '  ';
/** A column is never made narrower than this. */
const MIN_WIDTH = 10;

/**
 * Rows for people, in columns that fit the terminal; for programs, values separated by tabs, complete and without names
 * of columns. Ends in a line break.
 */
export function table<Row>(
  terminal: Pick<Terminal, 'columns' | 'colours'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const cells = rows.map((row) => columns.map(({ value }) => onOneLine(String(value(row) ?? ''))));
  if (terminal.columns === null) return cells.map((line) => `${line.join('\t')}\n`).join('');
  const names = columns.map(({ name }) => name.toUpperCase());
  const widths = fitted(
    names.map((name, at) => Math.max(widthOf(name), ...cells.map((line) => widthOf(line[at] ?? '')))),
    terminal.columns,
    columns.map(({ isWhole = false }) => isWhole),
  );
  const lineOf = (values: readonly string[]) =>
    values
      .map((value, at) => padded(shortened(value, widths[at] ?? 0), widths[at] ?? 0, columns[at]?.isNumber))
      .join(GAP)
      .trimEnd();
  return [paint(terminal, 'dim', lineOf(names)), ...cells.map(lineOf)].map((line) => `${line}\n`).join('');
}

/** Takes what is too much from the widest columns that may be shortened. */
function fitted(wanted: readonly number[], columns: number, isWhole: readonly boolean[]): number[] {
  const widths = [...wanted];
  const room = columns - GAP.length * (widths.length - 1);
  const shortenable = () => Math.max(0, ...widths.filter((_, at) => !isWhole[at]));
  for (let tooMuch = widths.reduce((a, b) => a + b, 0) - room; tooMuch > 0; tooMuch -= 1) {
    const widest = shortenable();
    if (widest <= MIN_WIDTH) break;
    widths[widths.findIndex((width, at) => width === widest && !isWhole[at])] = widest - 1;
  }
  return widths;
}

function padded(text: string, width: number, isNumber = false): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isNumber ? space + text : text + space;
}

/** A thing with its fields, one a line. Fields without a value are left out. */
export function fieldLines(
  terminal: Pick<Terminal, 'columns' | 'colours'>,
  fields: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const shown = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (terminal.columns === null)
    return shown.map(([name, value]) => `${name}\t${onOneLine(String(value))}\n`).join('');
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  return shown
    .map(
      ([name, value]) => `${paint(terminal, 'dim', padded(name, width))}${GAP}${onOneLine(String(value))}\n`,
    )
    .join('');
}
