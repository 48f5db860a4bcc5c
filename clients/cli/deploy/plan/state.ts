import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FolderError } from '../../folder/walk.ts';
import { parts } from './digests.ts';

const VERSION = 1;

const digests = z.partialRecord(z.enum(parts), z.string());

const postState = z.object({
  slug: z.string(),
  id: z.string(),
  /** Time of the last change in Platen that this folder knows. */
  updated_at: z.string(),
  /** Version for `If-Match`; null if no answer gave one yet. */
  etag: z.string().nullable(),
  /** Digests of what was sent. */
  sent: digests,
});

const schema = z.object({
  version: z.literal(VERSION),
  /** By file, relative to the folder. */
  posts: z.record(z.string(), postState),
  /** Addresses of uploaded images, by the SHA-256 of their bytes. */
  images: z.record(z.string(), z.string()),
  /** Redirects that were set: where they lead, by their path. */
  redirects: z.record(z.string(), z.string()),
  /** What `platen.yaml` said, and the version of the blog since. */
  blog: z.object({ sent: z.string(), etag: z.string().nullable() }).nullable(),
});

export type PostState = Readonly<z.infer<typeof postState>>;

/** What a folder knows of its last deploy to one blog. */
export type DeployState = z.infer<typeof schema>;

export const emptyState = (): DeployState => ({
  version: VERSION,
  posts: {},
  images: {},
  redirects: {},
  blog: null,
});

/** Keeps the state of a folder's deploys to one blog. */
export interface StateStore {
  load(): Promise<DeployState>;
  save(state: DeployState): Promise<void>;
}

/** The state in the file `.platen/<blog id>.json` of the folder. */
export function createStateFile(folder: string, blogId: string): StateStore {
  const dir = join(folder, '.platen');
  const file = join(dir, `${blogId}.json`);
  let saved: string | null = null;
  return {
    async load() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw new FolderError(`${file} cannot be read (${error.code ?? error.message})`);
      });
      saved = text;
      return text === null ? emptyState() : parseState(text, file);
    },
    async save(state) {
      const text = `${JSON.stringify(sorted(state), null, 2)}\n`;
      if (text === saved) return;
      try {
        await mkdir(dir, { recursive: true });
        await writeWhole(file, text);
      } catch (error) {
        const reason = error instanceof Error && 'code' in error ? error.code : error;
        throw new FolderError(`${file}, which keeps what was sent, cannot be written (${reason})`);
      }
      saved = text;
    },
  };
}

/** Replaces a file when the new one is on the disk: a run that is killed leaves the old state or the new one. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** A state that ends with the process. */
export function createStateInMemory(): StateStore {
  let kept = emptyState();
  return {
    load: async () => structuredClone(kept),
    async save(state) {
      kept = structuredClone(state);
    },
  };
}

function parseState(text: string, file: string): DeployState {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new FolderError(
      `${file} is not the state of a deploy that this version of Platen knows. Move it away: the next deploy then ` +
        'compares every post with the one in Platen',
    );
  }
}

/** By file name, so that the difference of two states in version control is small. */
const sorted = (state: DeployState): DeployState => ({
  ...state,
  posts: sortedRecord(state.posts),
  images: sortedRecord(state.images),
  redirects: sortedRecord(state.redirects),
});

const sortedRecord = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
