import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../terminal/errors.ts';

/** A server with a key for it. */
export interface Profile {
  /** Address of the server, without `/v1` and a final slash. */
  readonly url: string;
  /** API key or token. Never printed. */
  readonly key: string;
  /** Id or slug of the blog to act on; null: that of the key, or the oldest. */
  readonly blog: string | null;
}

export interface Profiles {
  /** Name of the profile to use if none is named; null if there is none. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export interface ProfileStore {
  readonly file: string;
  /** No profiles if there is no file. Throws a SettingsError if it is damaged, or others may read it. */
  load(): Promise<Profiles>;
  save(profiles: Profiles): Promise<void>;
}

/** Settings that cannot be used. The message says what to do. */
export class SettingsError extends CommandError {}

const OTHERS_MAY = 0o077;
const OTHERS_MAY_WRITE = 0o022;

/** Profiles in a file of a folder that is made when it is needed. Only its owner may read the file. */
export function createProfileStore(folder: string, platform: NodeJS.Platform): ProfileStore {
  const file = join(folder, 'profiles.json');
  return {
    file,
    async load() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw new SettingsError(`the settings in ${file} cannot be read (${error.code ?? error.message})`);
      });
      if (text === null) return { current: null, profiles: {} };
      // Windows has no such modes: the folder of a person's settings is that person's alone there.
      if (platform !== 'win32') await checkModes(folder, file);
      return parsed(file, text);
    },
    async save(profiles) {
      // Written anew and renamed, so that an interruption leaves the old file or the new one.
      const written = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const handle = await open(written, 'wx', 0o600);
        await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`).finally(() => handle.close());
        await rename(written, file);
      } catch (error) {
        await rm(written, { force: true }).catch(() => {});
        const { code, message } = error as NodeJS.ErrnoException;
        throw new SettingsError(`the settings cannot be written to ${file} (${code ?? message})`);
      }
    },
  };
}

async function checkModes(folder: string, file: string): Promise<void> {
  if (((await stat(file)).mode & OTHERS_MAY) !== 0) {
    throw new SettingsError(
      `other users of this machine may read the keys in ${file}: run chmod 600 on it, ` +
        'and revoke the keys if somebody may have read them',
    );
  }
  if (((await stat(folder)).mode & OTHERS_MAY_WRITE) !== 0) {
    throw new SettingsError(
      `other users of this machine may change the settings in ${folder}: run chmod 700 on it`,
    );
  }
}

function parsed(file: string, text: string): Profiles {
  const broken = (reason: string) =>
    new SettingsError(
      `the settings in ${file} are damaged (${reason}): mend the file, or remove it and run platen login`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would repeat what is in the file, keys included.
    throw broken('no JSON');
  }
  if (!isObject(value) || !isObject(value.profiles)) throw broken('no profiles');
  const read = Object.entries(value.profiles).map(([name, profile]): [string, Profile] => {
    if (!isProfile(profile)) throw broken(`profile ${JSON.stringify(name)}`);
    return [name, { url: profile.url, key: profile.key, blog: profile.blog }];
  });
  const current = read.find(([name]) => name === value.current)?.[0] ?? null;
  return { current, profiles: Object.fromEntries(read) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isProfile = (value: unknown): value is Profile =>
  isObject(value) &&
  typeof value.url === 'string' &&
  typeof value.key === 'string' &&
  (value.blog === null || typeof value.blog === 'string');
