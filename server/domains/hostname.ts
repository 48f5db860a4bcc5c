import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalidRequest } from '../input/parse-input.ts';

/** DNS (RFC 1035): 253 characters without the trailing dot. */
const MAX_HOSTNAME = 253;

/** One label of a host name (RFC 1123): letters, digits and inner hyphens, 63 at most. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Characters of URLs (scheme, port, path, user, escape), not of host names. `domainToASCII` would cut the text there.
 */
const urlCharacter = /[\s/\\:?#%@[\]]/;

/**
 * Converts a host name as people write it to its DNS form: lower case, punycode, no trailing dot. Throws
 * `bad_request` if it cannot be the host name of a blog.
 */
export function parseHostname(text: string): string {
  const written = text.trim();
  if (written.includes('*')) throw refusal('must not be a wildcard');
  if (isIP(written.replace(/^\[|\]$/g, ''))) throw refusal('must be a host name and not an IP address');
  if (urlCharacter.test(written)) throw refusal('must be a host name alone, without scheme, port or path');
  // Some scripts have their own full stop, so the trailing dot is removed after the conversion.
  const hostname = domainToASCII(written).replace(/\.$/, '');
  if (isIP(hostname)) throw refusal('must be a host name and not an IP address');
  if (hostname.length > MAX_HOSTNAME) throw refusal(`must be at most ${MAX_HOSTNAME} characters`);
  const labels = hostname.split('.');
  if (!labels.every((part) => label.test(part))) {
    throw refusal('must be a host name: labels of 1 to 63 letters, digits and inner hyphens');
  }
  if (labels.length < 2) throw refusal('must have at least two labels, like example.org');
  return hostname;
}

/** Whether a host name is one of the given hosts, or a subdomain of one. */
export const isWithin = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));

const refusal = (message: string) => invalidRequest([{ field: 'hostname', message }]);
