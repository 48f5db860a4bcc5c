import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianProgram } from '../rivals/debian.ts';

/** Connections of the closed loop. */
const CONNECTIONS = 64;

export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Requests per second, measured with one wrk thread. Rejects if any response is an error. */
export async function requestsPerSecond({ port, path, headers, seconds }: LoadOptions): Promise<number> {
  const wrk = debianProgram(['wrk'], 'wrk');
  const { stdout } = await promisify(execFile)(wrk, [
    ...['--threads', '1', '--connections', String(CONNECTIONS), '--duration', `${seconds}s`],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    `http://127.0.0.1:${port}${path}`,
  ]);
  const rate = Number(/^Requests\/sec:\s+([\d.]+)/m.exec(stdout)?.[1]);
  const failures = /^\s*(?:Non-2xx|Socket errors).*$/m.exec(stdout)?.[0];
  if (failures || !(rate > 0)) throw new Error(`wrk: ${failures ?? stdout}`);
  return rate;
}
