import type { Platen } from '../sdk/index.ts';
import type { ActiveBlog } from './active-blog.ts';

export interface McpServerSettings {
  /** Client of the account that the tools act for. */
  readonly platen: Platen;
  readonly activeBlog: ActiveBlog;
  /** Reads a file on the user's machine, so that pictures can be given by path; null if the server runs elsewhere. */
  readonly readImage: ((path: string) => Promise<Uint8Array>) | null;
}
