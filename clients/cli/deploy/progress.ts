import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import type { DeployProgress } from './plan/prepare.ts';

type Output = Pick<WriteStream, 'write'> & NodeJS.WritableStream & { readonly isTTY?: boolean };

export interface ProgressDisplay {
  readonly onProgress: (progress: DeployProgress) => void;
  /** Removes the bar, which otherwise keeps the process alive. Call it also if the work fails. */
  readonly stop: () => void;
}

/** Shows progress on a stream: a bar on a terminal, otherwise a line for each tenth. */
export function progressDisplay(stream: Output): ProgressDisplay {
  return stream.isTTY ? progressBar(stream) : { onProgress: progressLines(stream), stop: () => {} };
}

function progressBar(stream: Output): ProgressDisplay {
  let bar: SingleBar | undefined;
  function stop(): void {
    bar?.stop();
    bar = undefined;
  }
  return {
    onProgress({ step, done, total }) {
      if (bar === undefined) {
        const format = `${step.padEnd(10)} [{bar}] {value}/{total} {duration_formatted}`;
        bar = new SingleBar({ stream, format, clearOnComplete: true });
        bar.start(total, done);
      }
      bar.update(done);
      if (done === total) stop();
    },
    stop,
  };
}

/** Steps shorter than this need no lines. */
const MIN_SHOWN = 50;

function progressLines(stream: Output): ProgressDisplay['onProgress'] {
  return ({ step, done, total }) => {
    const tenths = Math.floor((done * 10) / total);
    if (total < MIN_SHOWN || step === 'reading' || tenths === Math.floor(((done - 1) * 10) / total)) return;
    stream.write(`${step}: ${tenths * 10} % (${done} of ${total})\n`);
  };
}
