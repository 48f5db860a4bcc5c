import { join, resolve } from 'node:path';
import { Platen, PlatenError } from '../../sdk/index.ts';
import { describePlan, planCounts } from '../deploy/describe.ts';
import { prepareDeploy } from '../deploy/plan/prepare.ts';
import { createStateInMemory } from '../deploy/plan/state.ts';
import { runDeploy } from '../deploy/send/run.ts';
import { type ReloadProxy, startReloadProxy } from '../dev/reload-proxy.ts';
import { HOW_TO_GET_A_SERVER } from '../dev/server-entry.ts';
import { PreviewError, type ServerProcess, startServer } from '../dev/server-process.ts';
import { watchFolder } from '../dev/watch-folder.ts';
import { placeOf } from '../folder/file-message.ts';
import { FolderError, listFiles } from '../folder/walk.ts';

/** What a preview needs of the process. */
export interface DevContext {
  readonly cwd: string;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  readonly colours: boolean;
  /** Ends the preview. */
  readonly signal: AbortSignal;
  /** The variable `PATH`. */
  readonly path?: string | undefined;
  /** Main module of the server; null if there is none on this machine. */
  readonly serverEntry: string | null;
}

export interface DevFlags {
  /** Port of the preview. @default 4321, or any if that is in use */
  readonly port?: number | undefined;
}

const DEFAULT_PORT = 4_321;

/** Slug of the blog of a preview. */
const BLOG = 'preview';

/**
 * `platen dev <folder>`: shows the folder as it will be, drafts and posts of the future too, on a server of its own, and
 * follows its changes until the signal aborts. Resolves to the exit code. Throws a FolderError or a PreviewError.
 */
export async function dev(context: DevContext, folder: string, flags: DevFlags = {}): Promise<number> {
  const path = resolve(context.cwd, folder);
  // A wrong folder should not have to wait for a server.
  await listFiles(path);
  if (context.serverEntry === null) throw new PreviewError(HOW_TO_GET_A_SERVER);
  const server = await startServer(context.serverEntry, context.path);
  try {
    return await preview(context, path, flags, server);
  } finally {
    await server.stop();
  }
}

async function preview(
  context: DevContext,
  folder: string,
  flags: DevFlags,
  server: ServerProcess,
): Promise<number> {
  const { print, signal } = context;
  const account = new Platen({ url: server.url, apiKey: server.key });
  const blog = await account.blogs.create({ slug: BLOG, name: 'Preview' });
  const images = new Map<string, string>();
  const proxy = await listen(flags.port, (port) =>
    startReloadProxy({
      port,
      server,
      blogHost: `${BLOG}.localhost:${server.port}`,
      fileOfImage: (hash) => images.get(hash),
    }),
  );
  const follow = createFollower({
    context,
    folder,
    platen: account.withBlog(blog.id),
    blogId: blog.id,
    proxy,
    images,
  });
  try {
    await follow();
    if (signal.aborted) return 0;
    print(`\nThe preview is at http://localhost:${proxy.port}/ and follows the folder. Ctrl-C ends it.\n`);
    const ended = server.ended.then((said) => {
      if (!signal.aborted) throw new PreviewError(`the server of the preview has ended: ${said}`);
    });
    await Promise.race([watchFolder(folder, signal, follow), ended]);
    return 0;
  } finally {
    await proxy.close();
  }
}

/** Listens on the port that is asked for, or on the usual one, or on any. */
async function listen(
  port: number | undefined,
  start: (port: number) => Promise<ReloadProxy>,
): Promise<ReloadProxy> {
  try {
    return await start(port ?? DEFAULT_PORT);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    if (port !== undefined) throw new PreviewError(`the port ${port} is in use`);
    return start(0);
  }
}

interface Followed {
  readonly context: DevContext;
  readonly folder: string;
  readonly platen: Platen;
  readonly blogId: string;
  readonly proxy: ReloadProxy;
  readonly images: Map<string, string>;
}

/** Brings the preview up to date with the folder. What is wrong with the folder is printed, and can be mended. */
function createFollower({ context, folder, platen, blogId, proxy, images }: Followed): () => Promise<void> {
  const state = createStateInMemory();
  const shown = new Set<string>();
  let isFirst = true;
  const { print, signal } = context;
  /** Prints a message once, until it is mended. */
  const tellOnce = (messages: readonly string[]) => {
    for (const message of messages) if (!shown.has(message)) print(`${message}\n`);
    shown.clear();
    for (const message of messages) shown.add(message);
  };
  return async () => {
    const started = performance.now();
    try {
      const prepared = await prepareDeploy({
        ...{
          folder,
          platen,
          blogId,
          state,
          signal,
          overwrite: true,
          deleteMissing: true,
          publishesAll: true,
        },
        imageAddress: (hash) => proxy.imageAddress(hash),
      });
      for (const [hash, file] of prepared.imagePaths) images.set(hash, join(folder, file));
      const shownPlan = { ...prepared, errors: [], remarks: [] };
      // At the start everything is new.
      const plan = isFirst ? planCounts(prepared.actions, []) : describePlan(shownPlan, context);
      isFirst = false;
      const { failed, remarks } = await runDeploy(prepared);
      print(`${plan}, in ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);
      tellOnce([...failed, ...remarks].map((message) => `  ${placeOf(message)}: ${message.message}`));
      proxy.reload();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FolderError || error instanceof PlatenError)) throw error;
      tellOnce([error.message]);
    }
  };
}
