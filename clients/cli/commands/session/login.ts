import { ForbiddenError, NotFoundError, Platen, PlatenError, UnauthorizedError } from '../../../sdk/index.ts';
import { showFields } from '../../answers/answers.ts';
import { command } from '../../command-line/command.ts';
import type { Context } from '../../command-line/context.ts';
import { DEFAULT_URL, isUnencrypted, serverUrl } from '../../profiles/server-url.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';

/** Name of a profile if none is given. */
const DEFAULT_PROFILE = 'default';
const PROFILE_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;

export const login = command({
  about:
    'The key comes from PLATEN_API_KEY, from standard input, or from a question; never from the command ' +
    'line, where others could see it. It is checked, and kept in a file that only you can read. The profile ' +
    'becomes the one in use.',
  examples: [
    'login',
    'login --url https://platen.example.org < key',
    'login --profile work --url https://platen.example.org --blog notes',
  ],
  async run(context) {
    const { common, profiles, terminal } = context;
    const name = common.profile ?? DEFAULT_PROFILE;
    if (!PROFILE_NAME.test(name))
      throw new UsageError('the name of a profile has letters, digits, dots and hyphens');
    const settings = await profiles.load();
    const url = await askedUrl(context, settings.profiles[name]?.url);
    if (isUnencrypted(url))
      terminal.tell(`warning: what is sent to ${url} is not encrypted, the key included\n`);
    const key = await askedKey(context, url);
    const checked = await check(context, url, key);
    const profile = { url, key, blog: checked.blog };
    await profiles.save({ current: name, profiles: { ...settings.profiles, [name]: profile } });
    showFields(
      context,
      { profile: name, url, ...checked },
      { profile: name, server: url, ...checked, kept: profiles.file },
    );
    if (context.environment.PLATEN_API_KEY && !common.json)
      terminal.tell('As long as PLATEN_API_KEY is set, it is used in place of the profile.\n');
  },
});

async function askedUrl(
  { common, environment, terminal }: Context,
  known: string | undefined,
): Promise<string> {
  if (common.url !== undefined) return serverUrl(common.url, '--url');
  if (environment.PLATEN_API_URL) return serverUrl(environment.PLATEN_API_URL, 'PLATEN_API_URL');
  const preset = known ?? DEFAULT_URL;
  return terminal.prompts === null || environment.PLATEN_API_KEY
    ? preset
    : serverUrl(await terminal.prompts.text('Address of the server', preset), 'the address');
}

async function askedKey({ environment, terminal }: Context, url: string): Promise<string> {
  const { readInput, prompts, tell } = terminal;
  const given = environment.PLATEN_API_KEY?.trim();
  if (given) {
    tell('Taking the key of PLATEN_API_KEY.\n');
    return usable(given);
  }
  if (prompts !== null) return usable(await prompts.secret(`API key or token for ${url}`));
  const piped = Buffer.from((await readInput?.()) ?? [])
    .toString('utf8')
    .trim();
  if (piped !== '') return usable(piped);
  throw new UsageError(
    'there is no terminal to ask at: give the key on standard input, or set PLATEN_API_KEY',
  );
}

function usable(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]{8,500}$/.test(trimmed)) return trimmed;
  throw new UsageError('that is no key: it has one line, without spaces');
}

interface Checked {
  /** Null if the key may not know. */
  readonly account: string | null;
  readonly plan: string | null;
  readonly blog: string | null;
}

/** Asks the server what the key is good for. Throws an UnauthorizedError if it is for nothing. */
async function check({ common, signal }: Context, url: string, key: string): Promise<Checked> {
  const platen = new Platen({ url, apiKey: key, maxRetries: 1 });
  const profile = await platen.account.profile({ signal }).catch((error: unknown) => {
    // A key that may not read the account is a key all the same.
    if (error instanceof ForbiddenError) return null;
    if (error instanceof UnauthorizedError)
      throw new UnauthorizedError(error.code, `${url} does not know this key`, { ...error });
    if (
      error instanceof NotFoundError ||
      (error instanceof PlatenError && error.code === 'unexpected_answer')
    )
      throw new CommandError(`no server of Platen answers at ${url}: ${error.message}`);
    throw error;
  });
  const blog = common.blog === undefined ? null : (await platen.blogs.get(common.blog, { signal })).slug;
  return { account: profile?.email ?? null, plan: profile?.plan ?? null, blog };
}
