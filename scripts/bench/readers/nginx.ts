import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianProgram } from '../rivals/debian.ts';
import { freePort } from '../support/server.ts';

const START_MS = 5_000;

export interface NginxOptions {
  /** Empty folder for nginx's own files. */
  readonly folder: string;
  /** Folder to serve. For `<file>.gz` next to a file, see nginx's `gzip_static`. */
  readonly root: string;
  /** Sent with every file. */
  readonly headers: Readonly<Record<string, string>>;
  readonly workers: number;
}

/** Starts an nginx that serves a folder and ends with the benchmark; resolves to its port. */
export async function startNginx(options: NginxOptions): Promise<number> {
  const port = await freePort();
  const { folder } = options;
  mkdirSync(join(folder, 'temporary'));
  // nginx workers may run as another user, who cannot read the benchmark's folder.
  const root = join(folder, 'root');
  cpSync(options.root, root, { recursive: true });
  writeFileSync(join(folder, 'nginx.conf'), configuration({ ...options, root }, port));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')];
  const nginx = spawn(debianProgram(['nginx-light'], 'nginx'), args, { stdio: 'ignore' });
  // The benchmark must not wait for nginx. SIGTERM, not SIGKILL, so that the workers end, too.
  nginx.unref();
  process.once('exit', () => nginx.kill());
  const end = performance.now() + START_MS;
  while (!(await answers(port))) {
    if (nginx.exitCode !== null) throw new Error('nginx has ended');
    if (performance.now() > end) throw new Error('nginx does not answer');
    await sleep(50);
  }
  return port;
}

const configuration = ({ folder, root, headers, workers }: NginxOptions, port: number): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes ${workers};
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  gzip_static on;
  gzip_vary on;
  types { text/html html; }
  charset utf-8;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temporary/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    ${Object.entries(headers)
      .map(([name, value]) => `add_header ${name} "${value}";`)
      .join('\n    ')}
  }
}
`;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ port, path: '/' }, (response) => {
      response.resume();
      resolve(true);
    });
    asked.on('error', () => resolve(false)).end();
  });
