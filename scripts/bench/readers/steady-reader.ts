import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A reader that requests pages sequentially over one connection, with a short pause between them. */
export interface SteadyReader {
  /** Reads until `until` settles; resolves to the response times in milliseconds, measured to the last byte. */
  read(until: Promise<unknown>): Promise<number[]>;
}

const PAUSE_MS = 2;

export function createSteadyReader(options: {
  port: number;
  host: string;
  paths: readonly string[];
}): SteadyReader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { host: options.host, 'accept-encoding': 'br' };

  const readPage = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const asked = request({ port: options.port, path, agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
        response.on('error', reject).on('end', resolve).resume();
      });
      asked.on('error', reject).end();
    });

  return {
    async read(until) {
      const times: number[] = [];
      let isDone = false;
      const ending = until.finally(() => {
        isDone = true;
      });
      for (let n = 0; !isDone; n += 1) {
        const sent = performance.now();
        await readPage(options.paths[n % options.paths.length] ?? '/');
        times.push(performance.now() - sent);
        await sleep(PAUSE_MS);
      }
      await ending;
      return times;
    },
  };
}
