import { parseArgs } from 'node:util';
import { type Scratch, withScratch } from './scratch.ts';
import { machine } from './table.ts';

export interface Options {
  /** Values of `--sizes`, for example numbers of posts. */
  readonly sizes: readonly number[];
  /** Number of measurements at each size. */
  readonly samples: number;
  /** Value of another option of the benchmark. */
  text(name: string): string;
  number(name: string): number;
}

/** The options of a benchmark with their default values. */
export type Defaults = Readonly<Record<string, string>> & { readonly samples: string };

/** Runs a benchmark as a command: parses its options, runs `measure`, prints its report and the machine. */
export async function runBenchmark(
  usage: string,
  defaults: Defaults,
  measure: (scratch: Scratch, options: Options) => Promise<string>,
): Promise<void> {
  try {
    const given = Object.entries(defaults).map(
      ([name, value]) => [name, { type: 'string', default: value }] as const,
    );
    const parsed = parseArgs({
      options: { ...Object.fromEntries(given), help: { type: 'boolean', short: 'h', default: false } },
    });
    const values: Readonly<Record<string, unknown>> = parsed.values;
    if (values.help) return console.log(usage);
    const text = (name: string) => String(values[name] ?? '');
    const sizes = defaults.sizes === undefined ? [] : text('sizes').split(',').map(wholeNumber);
    const options = {
      sizes,
      samples: wholeNumber(text('samples')),
      text,
      number: (name: string) => wholeNumber(text(name)),
    };
    await withScratch(async (scratch) => {
      console.log(`${(await measure(scratch, options)).trim()}\n\n${machine()}\n`);
    });
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`"${text}" is not a number from 1 to 999999 (see --help)`);
  return Number(text);
}
