import type { WriteStream } from 'node:tty';
import { SingleBar } from 'cli-progress';
import type { Progress } from '../upkeep/progress.ts';

type Output = Pick<WriteStream, 'write'> & NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Without a known total, a line is written after this many items. */
const MANY = 10_000;

/** Shows progress on a stream: a bar on a terminal, otherwise a line after each tenth. */
export const progressOn = (stream: Output): Progress => (stream.isTTY ? bars(stream) : lines(stream));

function bars(stream: Output): Progress {
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
    say(text) {
      end();
      stream.write(`${text}\n`);
    },
    end,
  };
}

function lines(stream: Output): Progress {
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
        if (done % MANY === 0) stream.write(`${what}: ${done}\n`);
        return;
      }
      const tenths = Math.floor((done * 10) / total);
      if (tenths > Math.floor(((done - 1) * 10) / total)) {
        stream.write(`${what}: ${tenths * 10} % (${done} of ${total})\n`);
      }
    },
    say: (text) => void stream.write(`${text}\n`),
    end() {},
  };
}
