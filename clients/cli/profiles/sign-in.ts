import { NotSignedInError, UsageError } from '../terminal/errors.ts';
import { meant } from '../terminal/nearest-name.ts';
import type { Profile, Profiles } from './profile-store.ts';
import { DEFAULT_URL, serverUrl } from './server-url.ts';

/** Which server a command talks to, and as whom. */
export interface SignIn {
  /** Name of the profile whose key or server this is; null if none has a part in it. */
  readonly profile: string | null;
  readonly url: string;
  readonly key: string | undefined;
  readonly keyFrom: 'profile' | 'PLATEN_API_KEY' | null;
  /** Id or slug of the blog to act on; undefined: that of the key, or the oldest. */
  readonly blog: string | undefined;
}

export interface SignInSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: {
    readonly profile: string | undefined;
    readonly url: string | undefined;
    readonly blog: string | undefined;
  };
  readonly settings: Profiles;
}

/**
 * Options come before the environment, and that before the profile. A profile that is named comes before the environment,
 * too. The key of a profile is sent to the server of that profile alone.
 */
export function signInOf({ environment, flags, settings }: SignInSources): SignIn {
  const name = flags.profile ?? settings.current;
  const profile = name === null ? undefined : profileNamed(name, settings);
  const variable = (named: string) =>
    flags.profile === undefined ? environment[named]?.trim() || undefined : undefined;
  const [key, urlOfEnvironment] = [variable('PLATEN_API_KEY'), variable('PLATEN_API_URL')];
  const given =
    (flags.url !== undefined && serverUrl(flags.url, '--url')) ||
    (urlOfEnvironment !== undefined && serverUrl(urlOfEnvironment, 'PLATEN_API_URL'));
  const url = given || (profile ? serverUrl(profile.url, `the address of the profile ${name}`) : DEFAULT_URL);
  if (key !== undefined)
    return { profile: given ? null : name, url, key, keyFrom: 'PLATEN_API_KEY', blog: flags.blog };
  if (profile === undefined) return { profile: null, url, key: undefined, keyFrom: null, blog: flags.blog };
  if (url !== profile.url) {
    const other = Object.entries(settings.profiles).find(([, one]) => one.url === url);
    throw new NotSignedInError(
      `the key of the profile ${name} is for ${profile.url}, so it is not sent to ${url}: ` +
        (other ? `use --profile ${other[0]}` : `run platen login --url ${url}, or set PLATEN_API_KEY`),
    );
  }
  return {
    profile: name,
    url,
    key: profile.key,
    keyFrom: 'profile',
    blog: flags.blog ?? profile.blog ?? undefined,
  };
}

/** Throws a UsageError if there is none. */
export function profileNamed(name: string, { profiles }: Profiles): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const names = Object.keys(profiles);
  throw new UsageError(
    names.length === 0
      ? `there is no profile ${JSON.stringify(name)}: run platen login --profile ${name}`
      : `there is no profile ${JSON.stringify(name)}${meant(name, names)}; platen profiles list lists them`,
  );
}
