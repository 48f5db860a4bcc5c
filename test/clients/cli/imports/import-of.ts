import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ImportContext, type ImportFlags, importFrom } from '../../../../clients/cli/commands/import.ts';
import type { FolderPost } from '../../../../clients/cli/folder/folder-post.ts';
import { readFolder } from '../../../../clients/cli/folder/read-folder.ts';
import { type Files, folderOf, png } from '../folder/folder-of.ts';

export interface Imported {
  readonly code: number;
  /** What was printed. */
  readonly text: string;
  readonly folder: string;
  /** Files that were written, without hidden ones, sorted. */
  readonly files: readonly string[];
  /** Posts as a deploy reads them, by slug. */
  readonly posts: Readonly<Record<string, FolderPost>>;
  /** What a deploy has to say about the folder. */
  readonly complaints: readonly string[];
  read(file: string): Promise<string>;
}

/** Imports `source`, a file or folder among these, or all of them. */
export async function importOf(
  files: Files,
  source = '.',
  flags: ImportFlags = {},
  context: Partial<ImportContext> = {},
): Promise<Imported> {
  const cwd = await folderOf(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`export/${path}`, content])),
  );
  return importAgain(cwd, join('export', source), flags, context);
}

/** Runs the command in a folder, and reads what it has written. */
export async function importAgain(
  cwd: string,
  source: string,
  flags: ImportFlags = {},
  context: Partial<ImportContext> = {},
): Promise<Imported> {
  let text = '';
  const print = (more: string) => {
    text += more;
  };
  const code = await importFrom({ cwd, print, ...context }, source, { to: 'out', ...flags });
  const folder = join(cwd, 'out');
  return { code, text, ...(await readOutput(folder)) };
}

async function readOutput(folder: string): Promise<Omit<Imported, 'code' | 'text'>> {
  const read = await readFolder(folder).catch(() => null);
  const posts: Record<string, FolderPost> = {};
  const complaints = [...(read?.errors ?? []), ...(read?.remarks ?? [])];
  for (const file of read?.files ?? []) {
    const found = await read?.read(file);
    if (found === undefined) continue;
    posts[file.slug] = found.post;
    complaints.push(...found.remarks);
  }
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !file.startsWith('.'));
  return {
    folder,
    files: files.sort(),
    posts,
    complaints: complaints.map(({ file, message }) => `${file}: ${message}`),
    read: (file) => readFile(join(folder, file), 'utf8'),
  };
}

export interface ImageServer {
  readonly url: string;
  /** Paths that were asked for. */
  readonly requests: readonly string[];
}

/** A server with images: `/loop…` redirects to itself, `/gone…` has none, `/large…` never ends, `/page…` is HTML. */
export async function imageServer(): Promise<ImageServer> {
  const requests: string[] = [];
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    requests.push(path);
    if (path.startsWith('/loop')) res.writeHead(302, { location: path }).end();
    else if (path.startsWith('/moved')) res.writeHead(301, { location: '/a.png' }).end();
    else if (path.startsWith('/gone')) res.writeHead(404).end();
    else if (path.startsWith('/slow')) res.writeHead(200).write('x');
    else if (path.startsWith('/page')) res.end('<html>');
    else if (path.startsWith('/vector')) res.end('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    else if (path.startsWith('/large')) {
      res.writeHead(200);
      const more = () => {
        if (!res.destroyed) res.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    } else res.end(png(path.length));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}
