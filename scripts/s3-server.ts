/**
 * A real S3 server for tests and benchmarks, shared by all that want one. Usage: s3-server.js <folder>. Whoever
 * connects to the socket in the folder is told where the server is, in a line of JSON (`S3ServerReply`), and has it as
 * long as the connection lasts. It ends a while after the last one did. A second one for the same folder ends at once.
 */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { lockDataDir } from '../server/runtime/lock.ts';
import { credentials, startCeph } from './s3-server/ceph.ts';

export type S3ServerReply =
  | { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly error: string };

/** Between two suites that want it. */
const IDLE_MS = 20_000;

const [folder = ''] = process.argv.slice(2);
const unlock = lockOrExit();
const data = join(folder, 'data');
const socket = join(folder, 'socket');
rmSync(socket, { force: true });

const users = new Set<Socket>();
let idle = setTimeout(stop, IDLE_MS).unref();
const ceph = startCeph(data);
const reply: Promise<S3ServerReply> = ceph.then(
  ({ endpoint }) => ({ endpoint, ...credentials }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);

const server = createServer((user) => {
  clearTimeout(idle);
  users.add(user);
  user.on('error', () => {});
  user.once('close', () => {
    users.delete(user);
    if (users.size === 0) idle = setTimeout(stop, IDLE_MS);
  });
  user.resume();
  void reply.then((said) => user.write(`${JSON.stringify(said)}\n`));
}).listen(socket);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

function lockOrExit(): () => void {
  try {
    return lockDataDir(folder);
  } catch {
    process.exit(0);
  }
}

/** The folder is ours until all is gone. */
function stop(): void {
  server.close();
  void ceph
    .then((started) => started.stop())
    .catch(() => {})
    .then(() => {
      unlock();
      process.exit(0);
    });
}
