import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import type { Progress } from '../upkeep/progress.ts';

type Output = Pick<WriteStream, 'write'> & NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Without a known total, a line is written after this many items. */
const LINE_EVERY = 10_000;

/** Shows progress on a stream: a bar on a terminal, otherwise a line after each tenth. */
export const createProgress = (stream: Output): Progress =>
  stream.isTTY ? barProgress(stream) : lineProgress(stream);

function barProgress(stream: Output): Progress {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(what, total) {
      end();
      const length = total === undefined ? '{value}' : '[{bar}] {value}/{total}';
      bar = new SingleBar({ stream, format: `${what.padEnd(10)} ${length} {duration_formatted}` });
      bar.start(total ?? 0, 0);
    },
    advance: () => bar?.increment(),
    print(text) {
      end();
      stream.write(`${text}\n`);
    },
    end,
  };
}

function lineProgress(stream: Output): Progress {
  let what = '';
  let total: number | undefined;
  let done = 0;
  return {
    begin(counted, of) {
      [what, total, done] = [counted, of, 0];
    },
    advance() {
      done += 1;
      if (total === undefined) {
        if (done % LINE_EVERY === 0) stream.write(`${what}: ${done}\n`);
        return;
      }
      const tenths = Math.floor((done * 10) / total);
      if (tenths > Math.floor(((done - 1) * 10) / total)) {
        stream.write(`${what}: ${tenths * 10} % (${done} of ${total})\n`);
      }
    },
    print: (text) => void stream.write(`${text}\n`),
    end() {},
  };
}
