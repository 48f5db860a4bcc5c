import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Platen } from '../sdk/index.ts';
import { rememberedBlog } from './active-blog.ts';
import { createMcpServer } from './create-server.ts';
import { readImageFile } from './read-image.ts';

/** Clients give up on a tool after sixty seconds. */
const TOTAL_TIMEOUT_MS = 45_000;

export interface StdioServerOptions {
  /** Address of the server and key; what is missing comes from the environment, as in the SDK. */
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Slug or id of the blog that tools act on until `set_active_blog` chooses another. */
  readonly blog?: string | undefined;
  readonly onError: (error: Error) => void;
  /** Ends the server. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves over standard input and output until the client closes the input. If the key is missing, each tool says so, where
 * the agent sees it.
 */
export async function serveOverStdio({
  url,
  apiKey,
  blog,
  onError,
  signal,
}: StdioServerOptions): Promise<void> {
  const settings = {
    platen: new Platen({ url, apiKey, totalTimeout: TOTAL_TIMEOUT_MS, timeout: TOTAL_TIMEOUT_MS }),
    activeBlog: rememberedBlog(blog),
    readImage: readImageFile,
  };
  const server = serveStdio(() => createMcpServer(settings), { onerror: onError });
  try {
    await once(process.stdin, 'end', signal && { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
    await server.close();
  }
}
