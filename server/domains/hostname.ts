import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { DomainError } from '../runtime/errors.ts';

/** DNS (RFC 1035): 253 characters without the dot at the end. */
const HOSTNAME_MAX = 253;

/** A label of a host name (RFC 1123): letters, digits and inner hyphens, 63 at most. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Of addresses, and not of host names: schemes, ports, paths, users, escapes. `domainToASCII` would cut them off. */
const notOfAHost = /[\s/\\:?#%@[\]]/;

/**
 * A host name as DNS knows it (lower case, punycode, no dot at the end) out of one as people write it. Throws
 * `bad_request` where it cannot be the name of a blog's own host.
 */
export function parseHostname(text: string): string {
  const written = text.trim();
  if (written.includes('*')) throw refusal('must not be a wildcard');
  if (isIP(written.replace(/^\[|\]$/g, ''))) throw refusal('must be a host name and not an IP address');
  if (notOfAHost.test(written)) throw refusal('must be a host name alone, without scheme, port or path');
  // Some scripts have a full stop of their own, so the one at the end is looked for behind that.
  const hostname = domainToASCII(written).replace(/\.$/, '');
  if (isIP(hostname)) throw refusal('must be a host name and not an IP address');
  if (hostname.length > HOSTNAME_MAX) throw refusal(`must be at most ${HOSTNAME_MAX} characters`);
  const labels = hostname.split('.');
  if (!labels.every((part) => label.test(part))) {
    throw refusal('must be a host name: labels of 1 to 63 letters, digits and inner hyphens');
  }
  if (labels.length < 2) throw refusal('must have at least two labels, as example.org');
  return hostname;
}

/** Whether a host name is one of the given hosts or lies below one. */
export const isWithin = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));

const refusal = (message: string) => new DomainError('bad_request', `hostname: ${message}`);
