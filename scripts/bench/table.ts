import { arch, availableParallelism, cpus, platform } from 'node:os';

/** Lines of aligned columns, headings first; what stands in a column stands at its right edge. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = lines.map((line) =>
    line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('   '),
  );
  return aligned.join('\n');
}

/** Milliseconds, megabytes and the like, with as many digits as mean something. */
export const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

/** How many times the first of its column a value is. */
export const ratio = (value: number, first: number): string => `${(value / first).toFixed(2)}x`;

export const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${platform()} ${arch()}, Node ${process.version}`;
