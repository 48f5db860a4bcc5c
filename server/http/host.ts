import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** The host of a request. A name is in lower case, without port and trailing dot. */
export type RequestHost =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'address' }
  | { readonly kind: 'malformed' };

const ipAddressHost: RequestHost = { kind: 'address' };
const malformedHost: RequestHost = { kind: 'malformed' };

/**
 * Reads the host of a request (RFC 9112, sections 3.2 and 3.3): the authority of an absolute target, else the single
 * `Host` field. HTTP/1.0 needs no field; such a request is for the IP address that it was sent to. `X-Forwarded-Host`
 * is ignored, because any client can send it.
 */
export function hostOf(req: IncomingMessage): RequestHost {
  const field = hostField(req.rawHeaders);
  if (field === 'several') return malformedHost;
  const host = field === null ? hostWithoutField(req) : parseAuthority(field.value);
  if (host === malformedHost) return malformedHost;
  const target = req.url ?? '/';
  if (target.startsWith('/') || target === '*') return host;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  return authority === undefined ? malformedHost : parseAuthority(authority);
}

/** Reads the raw headers, because `req.headers` silently drops every `Host` field after the first. */
function hostField(rawHeaders: readonly string[]): { readonly value: string } | 'several' | null {
  let field: { readonly value: string } | null = null;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (field !== null) return 'several';
    field = { value: rawHeaders[i + 1] ?? '' };
  }
  return field;
}

const hostWithoutField = ({ httpVersionMajor, httpVersionMinor }: IncomingMessage): RequestHost =>
  httpVersionMajor === 1 && httpVersionMinor === 0 ? ipAddressHost : malformedHost;

/** An IPv6 address in brackets or a name, then an optional port, which may be empty (RFC 3986, section 3.2.3). */
const authorityPattern = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{0,5}))?$/i;

function parseAuthority(text: string): RequestHost {
  const [, ipv6, rawName = '', port = ''] = authorityPattern.exec(text) ?? [];
  if (Number(port) > 65_535) return malformedHost;
  if (ipv6 !== undefined) return isIPv6(ipv6) ? ipAddressHost : malformedHost;
  const name = normaliseHostname(rawName);
  if (isIPv4(name)) return ipAddressHost;
  return namePattern.test(name) ? { kind: 'name', name } : malformedHost;
}

/**
 * DNS limits: 253 characters, labels of 1 to 63. Underscores are not valid in host names, but many networks use them.
 */
const namePattern = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** A host name in the form in which names are compared: lower case, without trailing dot. */
export const normaliseHostname = (name: string): string => name.toLowerCase().replace(/\.$/, '');
