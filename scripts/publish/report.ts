import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import type { FileMessage } from './posts-in-folder.ts';
import type { PublishProgress, PublishSummary } from './publish.ts';

const SHOWN = 5;
const SHOWN_MESSAGES = 20;

type Output = Pick<WriteStream, 'write'> & NodeJS.WritableStream & { readonly isTTY?: boolean };

export interface ProgressDisplay {
  readonly onProgress: (progress: PublishProgress) => void;
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
        bar = new SingleBar({ stream, format });
        bar.start(total, done);
      }
      bar.update(done);
      if (done === total) stop();
    },
    stop,
  };
}

function progressLines(stream: Output): ProgressDisplay['onProgress'] {
  return ({ step, done, total }) => {
    const tenths = Math.floor((done * 10) / total);
    if (tenths === Math.floor(((done - 1) * 10) / total)) return;
    stream.write(`${step}: ${tenths * 10} % (${done} of ${total})\n`);
  };
}

/** Formats the summary for a terminal. */
export function describeSummary(summary: PublishSummary): string {
  const { published, updated, failed, notes, urls, milliseconds } = summary;
  return [
    `${published} published, ${updated} updated, ${failed.length} failed, in ${(milliseconds / 1000).toFixed(1)} s`,
    ...urls.slice(0, SHOWN).map((url) => `  ${url}`),
    ...(urls.length > SHOWN ? [`  and ${urls.length - SHOWN} more`] : []),
    ...section('Notes:', notes),
    ...section('Failed:', failed),
  ].join('\n');
}

function section(heading: string, messages: readonly FileMessage[]): string[] {
  if (messages.length === 0) return [];
  const more = messages.length - SHOWN_MESSAGES;
  return [
    heading,
    ...messages.slice(0, SHOWN_MESSAGES).map(({ file, message }) => `  ${file}: ${message}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
