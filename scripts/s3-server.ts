/**
 * A real S3 server that test suites and benchmarks share. Usage: s3-server.js <folder>. A client that connects to the
 * socket in the folder gets a line of JSON (`S3ServerReply`) with the endpoint, and may use the server while it stays
 * connected. The process exits some time after the last client disconnects. A second process for the same folder
 * exits at once.
 */
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { lockDataDir } from '../server/runtime/lock.ts';
import { stopOnSignal } from '../server/runtime/stop-on-signal.ts';
import { credentials, startCeph } from './tools/ceph.ts';

export type S3ServerReply =
  | { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
  | { readonly error: string };

/** Idle time before it exits; longer than the pause between two suites. */
const IDLE_MS = 20_000;

const [folder = ''] = process.argv.slice(2);
const unlock = lockOrExit();
const data = join(folder, 'data');
const socket = join(folder, 'socket');
rmSync(socket, { force: true });

const clients = new Set<Socket>();
let idle = setTimeout(stop, IDLE_MS).unref();
const ceph = startCeph(data);
const reply: Promise<S3ServerReply> = ceph.then(
  ({ endpoint }) => ({ endpoint, ...credentials }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);

const server = createServer((client) => {
  clearTimeout(idle);
  clients.add(client);
  client.on('error', () => {});
  client.once('close', () => {
    clients.delete(client);
    if (clients.size === 0) idle = setTimeout(stop, IDLE_MS);
  });
  client.resume();
  void reply.then((said) => client.write(`${JSON.stringify(said)}\n`));
}).listen(socket);
stopOnSignal(stop);

function lockOrExit(): () => void {
  try {
    return lockDataDir(folder);
  } catch {
    process.exit(0);
  }
}

/** Stops Ceph, then releases the folder's lock and exits. */
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
