import { parseArgs } from 'node:util';
import { type Scratch, withScratch } from './scratch.ts';
import { machine } from './table.ts';

export interface Options {
  /** Posts that the blogs have, or words that the posts have. */
  readonly sizes: readonly number[];
  /** How often everything is measured at each size. */
  readonly samples: number;
}

/** Runs a benchmark as a command: reads its options, measures, prints what `measure` reports and the machine. */
export async function runBenchmark(
  usage: string,
  defaults: { readonly sizes: string; readonly samples: string },
  measure: (scratch: Scratch, options: Options) => Promise<string>,
): Promise<void> {
  try {
    const { values } = parseArgs({
      options: {
        sizes: { type: 'string', default: defaults.sizes },
        samples: { type: 'string', default: defaults.samples },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return console.log(usage);
    const sizes = values.sizes.split(',').map(wholeNumber);
    const samples = wholeNumber(values.samples);
    await withScratch(async (scratch) => {
      console.log(`${await measure(scratch, { sizes, samples })}\n${machine()}\n`);
    });
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`"${text}" is no number from 1 to 999999 (see --help)`);
  return Number(text);
}
