import type { Platen } from '../../sdk/index.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { SignIn } from '../profiles/sign-in.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options that every command takes. */
export interface CommonFlags {
  readonly profile: string | undefined;
  readonly url: string | undefined;
  /** Id or slug of a blog. */
  readonly blog: string | undefined;
  readonly json: boolean;
  /** Whether every question is answered with yes. */
  readonly yes: boolean;
}

/** Everything that a command has of the world outside. */
export interface Context {
  readonly cwd: string;
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly common: CommonFlags;
  readonly profiles: ProfileStore;
  /** Server, key and blog, of options, environment and profile. Throws if they contradict one another. */
  readonly signIn: () => Promise<SignIn>;
  /** A client that acts on the chosen blog. Throws a NotSignedInError if there is no key. */
  readonly platen: () => Promise<Platen>;
}
