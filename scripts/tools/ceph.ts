import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DebianTool, isInstalled } from './install-packages.ts';

const run = promisify(execFile);

/** The programs of the server and their Debian packages. */
export const cephTool: DebianTool = {
  programs: ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'monmaptool'],
  packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
};

const MISSING = `there is no S3 server for tests and benchmarks: install Ceph's RADOS Gateway (Debian packages ${cephTool.packages.join(' ')})`;
const START_MS = 120_000;
const CALL_MS = 60_000;
/** Default capacity of all buckets together in bytes of memory. */
const DEFAULT_CAPACITY = 2 * 2 ** 30;

/** Credentials of the server's only user. */
export const credentials = { accessKeyId: 'AKPLATEN', secretAccessKey: 'SKPLATEN' };

/** A real S3 server on loopback with buckets in memory: Ceph's RADOS Gateway. */
export interface Ceph {
  readonly endpoint: string;
  stop(): void;
}

/**
 * Starts a Ceph cluster in a folder of its own, which is emptied first: one monitor, one in-memory object store, one
 * gateway. Only the gateway authenticates its clients. The daemons end with this process, however it ends.
 */
export async function startCeph(folder: string, capacity = DEFAULT_CAPACITY): Promise<Ceph> {
  if (!isInstalled(cephTool.programs)) throw new Error(MISSING);
  const [monitorPort, port] = [await freePort(), await freePort()];
  const id = randomUUID();
  const monitor = `[v2:127.0.0.1:${monitorPort}]`;
  const map = join(folder, 'monmap');
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
  const daemons: ChildProcess[] = [];
  const call = (program: string, ...args: string[]) => run(program, args, { env, timeout: CALL_MS });

  function daemon(program: string, ...args: string[]): void {
    const log = openSync(join(folder, `${program}.out`), 'a');
    const command = ['--pdeathsig', 'KILL', program, ...args, '-f'];
    daemons.push(spawn('setpriv', command, { env, stdio: ['ignore', log, log] }));
  }

  function stop(): void {
    for (const child of daemons) child.kill('SIGKILL');
    clear(folder);
  }

  const endpoint = `http://127.0.0.1:${port}`;
  try {
    clear(folder);
    for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(env.CEPH_CONF, configuration({ folder, id, monitor, port, bytes: capacity }));
    await call('monmaptool', '--create', '--fsid', id, '--addv', 'a', monitor, map);
    await call('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map);
    daemon('ceph-mon', '-i', 'a');
    const store = randomUUID();
    await retryUntilOk(() => call('ceph', '--connect-timeout', '5', 'osd', 'new', store));
    await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store);
    daemon('ceph-osd', '-i', '0');
    await retryUntilOk(async () => {
      const { stdout } = await call('ceph', '--connect-timeout', '5', 'osd', 'stat');
      if (!stdout.includes('1 up')) throw new Error('the store is not up');
    });
    const { accessKeyId, secretAccessKey } = credentials;
    const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
    await call('radosgw-admin', 'user', 'create', '--uid=platen', '--display-name=Platen', ...keys);
    daemon('radosgw', '-n', 'client.rgw');
    await retryUntilOk(() => fetch(endpoint));
  } catch (error) {
    // Otherwise the daemons would keep writing into the folder of the next start.
    stop();
    throw error;
  }
  return { endpoint, stop };
}

/** Retries, because a daemon that is being killed may still write a file. */
const clear = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

/** One replica of everything, in memory. The daemons need no authentication, because they listen on loopback only. */
const configuration = ({
  folder,
  id,
  monitor,
  port,
  bytes,
}: Record<'folder' | 'id' | 'monitor', string> & Record<'port' | 'bytes', number>) => `
[global]
fsid = ${id}
mon host = ${monitor}
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms bind msgr1 = false
ms bind ipv6 = false
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
run dir = ${folder}/run
crash dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/$name.log
pid file =
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[mon]
mon data = ${folder}/mon
mon data avail warn = 1
mon data avail crit = 0
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = ${bytes}
osd class load list = *
osd class default list = *
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function retryUntilOk(attempt: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + START_MS;
  while (true) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(100);
    }
  }
}
