import { BADNAME, NODATA, NOTFOUND, SERVFAIL } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/**
 * Where the DNS of a host name leads; unknown where the resolvers keep silent. `preparing` where it leads here, and what
 * is to serve it is not ready.
 */
export type Pointing = 'here' | 'elsewhere' | 'unknown' | 'preparing';

export interface DomainDns {
  /** Never rejects, whatever is answered: answers are compared, and no address of them is ever connected to. */
  pointing(hostname: string, target: string): Promise<Pointing>;
  /**
   * Whether a CNAME record says so: that of the host name, or at the root of a domain, where DNS allows none, that of
   * its `proofName`. Only whoever has the domain can have put it there, and it names one blog among all, as addresses
   * do not. Never rejects.
   */
  names(hostname: string, target: string): Promise<boolean>;
}

/** Name whose CNAME record says for which blog a host name is meant. */
export const proofName = (hostname: string): string => `_platen.${hostname}`;

export interface DomainDnsOptions {
  /** Addresses of resolvers; the system's where there are none. */
  readonly servers: readonly string[];
  /** Of one try of one question. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** For all questions about one host name. */
const DEADLINE_MS = 10_000;
/** Longer chains are somebody's mistake or mischief. */
const CHAIN_MAX = 8;

export function createDomainDns({ servers, timeoutMs = TIMEOUT_MS }: DomainDnsOptions): DomainDns {
  async function ask(question: (resolver: Resolver) => Promise<Pointing>): Promise<Pointing> {
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return await question(resolver);
    } catch {
      return 'unknown';
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    // Only a host name without any CNAME is judged by its addresses: others may lead to another blog, which has the same.
    pointing: (hostname, target) =>
      ask(
        async (resolver) =>
          (await followCnames(resolver, hostname, target)) ?? compareAddresses(resolver, hostname, target),
      ),

    async names(hostname, target) {
      const answers = [hostname, proofName(hostname)].map((name) =>
        ask(async (resolver) => (await followCnames(resolver, name, target)) ?? 'elsewhere'),
      );
      return (await Promise.all(answers)).includes('here');
    },
  };
}

/** Follows the CNAME records of a name until they reach the target; null where it has none. */
async function followCnames(resolver: Resolver, hostname: string, target: string): Promise<Pointing | null> {
  let name = hostname;
  for (let links = 0; links < CHAIN_MAX; links += 1) {
    const [next] = await recordsOf(resolver.resolveCname(name));
    if (next === undefined) return links === 0 ? null : 'elsewhere';
    name = next.toLowerCase().replace(/\.$/, '');
    if (name === target) return 'here';
  }
  return 'elsewhere';
}

async function compareAddresses(resolver: Resolver, hostname: string, target: string): Promise<Pointing> {
  const [found, wanted] = [await addressesOf(resolver, hostname), await addressesOf(resolver, target)];
  // Where our own name does not resolve, nothing can be said about others.
  if (wanted.size === 0) return 'unknown';
  return found.size === wanted.size && [...found].every((address) => wanted.has(address))
    ? 'here'
    : 'elsewhere';
}

async function addressesOf(resolver: Resolver, name: string): Promise<Set<string>> {
  const records = [recordsOf(resolver.resolve4(name)), recordsOf(resolver.resolve6(name))];
  return new Set((await Promise.all(records)).flat());
}

/** No records where the answer is that there are none, or that the domain's own servers fail. */
async function recordsOf(query: Promise<string[]>): Promise<string[]> {
  try {
    return await query;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === NOTFOUND || code === NODATA || code === SERVFAIL || code === BADNAME) return [];
    throw error;
  }
}
