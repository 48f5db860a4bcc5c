import { UsageError } from '../terminal/errors.ts';

export const DEFAULT_URL = 'http://localhost:8080';

/**
 * The address of a server, without `/v1` and a final slash. It may have a path, if the server stands below one. `from` is
 * where it was given, for the message of the UsageError.
 */
export function serverUrl(given: string, from: string): string {
  const text = given.trim();
  if (!/^https?:\/\//i.test(text)) {
    const scheme = /^(?:localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https';
    const meant = `${scheme}://${text}`;
    const advice = !/:\/\//.test(text) && URL.canParse(meant) ? `: did you mean ${meant}?` : '';
    throw new UsageError(`${from} must begin with https:// or http://${advice}`);
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new UsageError(`${from} is no address of a server`);
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError(`${from} must have no user name, password, query or fragment`);
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Whether what is sent to a server can be read on the way there. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/.test(hostname);
}
