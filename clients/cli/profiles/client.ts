import { Platen } from '../../sdk/index.ts';
import { NotSignedInError } from '../terminal/errors.ts';
import type { SignIn } from './sign-in.ts';

/** Further attempts: somebody waits for the answer. */
const MAX_RETRIES = 2;

/** A client of the server that a sign-in is for. Throws a NotSignedInError if it has no key. */
export function createClient({ url, key, blog }: SignIn): Platen {
  if (key === undefined)
    throw new NotSignedInError(`not signed in to ${url}: run platen login, or set PLATEN_API_KEY`);
  return new Platen({ url, apiKey: key, blog, maxRetries: MAX_RETRIES });
}
