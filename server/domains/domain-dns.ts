import { BADNAME, NODATA, NOTFOUND, SERVFAIL } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * Where the DNS of a host name points. `unknown`: the resolvers did not answer. `preparing`: it points here, but the
 * domain's CloudFront tenant is not ready.
 */
export type DnsStatus = 'here' | 'elsewhere' | 'unknown' | 'preparing';

export interface DomainDns {
  /** Never rejects. Addresses are only compared: nothing ever connects to them. */
  checkTarget(hostname: string, target: string): Promise<DnsStatus>;
  /**
   * Whether a CNAME record of the host name, or of its `ownershipRecordName`, points to the target. (DNS allows no
   * CNAME record at the root of a domain.) Only the owner of the domain can set such a record, and unlike an address
   * it names one blog. Never rejects.
   */
  verifiesOwnership(hostname: string, target: string): Promise<boolean>;
}

/** The name whose CNAME record proves which blog a host name belongs to. */
export const ownershipRecordName = (hostname: string): string => `_platen.${hostname}`;

export interface DomainDnsOptions {
  /** Addresses of resolvers; if empty, the system's. */
  readonly servers: readonly string[];
  /** Timeout of one try of one query. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Limit for all queries about one host name. */
const DEADLINE_MS = 10_000;
/** Longer CNAME chains are mistakes or attacks. */
const MAX_CNAME_CHAIN = 8;

export function createDomainDns({ servers, timeoutMs = TIMEOUT_MS }: DomainDnsOptions): DomainDns {
  async function query(runQuery: (resolver: Resolver) => Promise<DnsStatus>): Promise<DnsStatus> {
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return await runQuery(resolver);
    } catch {
      return 'unknown';
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    // Addresses are compared only if there is no CNAME: all blogs have the same addresses, and a CNAME may name
    // another.
    checkTarget: (hostname, target) =>
      query(
        async (resolver) =>
          (await followCnames(resolver, hostname, target)) ?? compareAddresses(resolver, hostname, target),
      ),

    async verifiesOwnership(hostname, target) {
      const answers = [hostname, ownershipRecordName(hostname)].map((name) =>
        query(async (resolver) => (await followCnames(resolver, name, target)) ?? 'elsewhere'),
      );
      return (await Promise.all(answers)).includes('here');
    },
  };
}

/** Follows the CNAME records of a name until they reach the target. Null if the name has none. */
async function followCnames(resolver: Resolver, hostname: string, target: string): Promise<DnsStatus | null> {
  let name = hostname;
  for (let links = 0; links < MAX_CNAME_CHAIN; links += 1) {
    const [next] = await recordsOf(resolver.resolveCname(name));
    if (next === undefined) return links === 0 ? null : 'elsewhere';
    name = next.toLowerCase().replace(/\.$/, '');
    if (name === target) return 'here';
  }
  return 'elsewhere';
}

async function compareAddresses(resolver: Resolver, hostname: string, target: string): Promise<DnsStatus> {
  const [found, wanted] = [await addressesOf(resolver, hostname), await addressesOf(resolver, target)];
  // If our own name does not resolve, the comparison says nothing.
  if (wanted.size === 0) return 'unknown';
  return found.size === wanted.size && [...found].every((address) => wanted.has(address))
    ? 'here'
    : 'elsewhere';
}

async function addressesOf(resolver: Resolver, name: string): Promise<Set<string>> {
  const records = [recordsOf(resolver.resolve4(name)), recordsOf(resolver.resolve6(name))];
  return new Set((await Promise.all(records)).flat());
}

/** Empty if there are no such records, or if the domain's own name servers fail. Other failures reject. */
async function recordsOf(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === NOTFOUND || code === NODATA || code === SERVFAIL || code === BADNAME) return [];
    throw error;
  }
}
