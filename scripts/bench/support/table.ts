import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** A Markdown table with padded cells; columns of numbers are right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const isText = headings.map((_, column) => rows.every((row) => !/^[\d.,]+x?$|^–$/.test(row[column] ?? '')));
  const aligned = ([...cells]: readonly string[]) =>
    cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isText[column] ? cell.padEnd(width) : cell.padStart(width);
    });
  const rule = widths.map((width, column) =>
    isText[column] ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [aligned(headings), rule, ...rows.map(aligned)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Formats a measurement with a sensible number of digits; a dash for NaN. */
export const figure = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

/** Formats `value / first` as `1.23x`; a dash if it is not finite. */
export const ratio = (value: number, first: number): string =>
  Number.isFinite(value / first) ? `${(value / first).toFixed(2)}x` : '–';

export const machine = (): string =>
  `${new Date().toISOString().slice(0, 10)}, ` +
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
  `${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}, Node ${process.version}, ` +
  `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`;
