import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import express from 'express';
import { createBlogHosts } from '../../server/edge/blog-hosts.ts';
import { createHostRouter } from '../../server/edge/host-router.ts';
import { closeServer, createHttpServer, listen } from '../../server/http/server.ts';

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As received, compressed or not. */
  readonly body: Buffer;
}

/** The blogs' hosts on a folder of a test's own, without an API. The blog `blog` is at `blog.localhost`. */
export interface EdgeServer {
  readonly dir: string;
  readonly port: number;
  /** Logged errors. */
  readonly failures: unknown[];
  /** Puts a file on the edge at once, as the builder does. */
  put(path: string, content: string | Uint8Array): void;
  /** Rejects if the connection ends before the response does. */
  read(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<EdgeAnswer>;
  close(): Promise<void>;
}

/** Status of a substitute for the API, which handles requests to no blog. */
const API_STATUS = 418;

export async function startEdgeServer(): Promise<EdgeServer> {
  const dir = mkdtempSync(join(tmpdir(), 'platen-edge-'));
  const failures: unknown[] = [];
  const headers = '/*\n  X-Plain: yes\n';
  const blogHosts = createBlogHosts({
    edgeDir: dir,
    blogHost: 'localhost',
    headers,
    publicUrl: 'http://localhost',
    log: { error: (failure: unknown) => failures.push(failure) },
  });
  const hosts = createHostRouter({ apiHosts: [], blogHosts, headers });
  const api = express().use((_req, res) => void res.writeHead(API_STATUS).end());
  const server = createHttpServer(hosts, api);
  const port = await listen(server, 0);
  return {
    dir,
    port,
    failures,
    put(path, content) {
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(join(dir, 'unfinished'), content);
      renameSync(join(dir, 'unfinished'), file);
    },
    read: (path, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        const options = { port, path, method, agent: false, headers: { host: 'blog.localhost', ...headers } };
        request(options, (res) => {
          const chunks: Buffer[] = [];
          res
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', reject)
            .on('end', () => {
              const given = Object.entries(res.headers).map(([name, value]) => [name, value?.toString()]);
              const status = res.statusCode ?? 0;
              resolve({ status, headers: Object.fromEntries(given), body: Buffer.concat(chunks) });
            });
        })
          .on('error', reject)
          .end();
      }),
    async close() {
      await closeServer(server);
      rmSync(dir, { recursive: true });
    },
  };
}
