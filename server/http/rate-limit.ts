import { isIPv6 } from 'node:net';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../access/caller.ts';
import { hashSecret } from '../access/credential.ts';
import { DomainError } from '../runtime/errors.ts';
import { type TierName, type Tiers, tierNames } from '../tiers/tier.ts';

const HOUR_SECONDS = 3_600;
/** Hourly requests from one address without a valid credential. */
const ANONYMOUS_PER_HOUR = 600;
/** Hourly preview requests: from one address for all previews, and from all addresses for one preview. */
const PREVIEWS_PER_ADDRESS = 600;
const REQUESTS_PER_PREVIEW = 3_000;
/**
 * Requests to `/mcp` for each request of the API that a plan allows. Handshakes and lists of tools are no requests of
 * the API, but they are not free either. What tools do is counted as requests of the API.
 */
const MCP_REQUESTS_PER_REQUEST = 10;

/** Counts requests and sets the three `X-RateLimit` headers. Rejects with `rate_limit_exceeded` at the limit. */
export interface RateLimit {
  /** Counts a request against its account, whichever credential it uses. */
  consume(caller: Caller, res: Response): Promise<void>;
  consumeAnonymous(address: string, res: Response): Promise<void>;
  /** Counts a request to `/mcp` against its account, which has a limit of its own for them. */
  consumeMcp(caller: Caller, res: Response): Promise<void>;
  /** Counts a preview request against the client address and then against the link. */
  consumePreview(link: string, address: string, res: Response): Promise<void>;
  /** Counts a request to an operation that has its own hourly limit for each address. */
  consumeOperation(operation: string, requests: number, address: string, res: Response): Promise<void>;
}

/** Fixed windows of an hour; each starts with its first request. */
export function createRateLimit(tiers: Tiers): RateLimit {
  const limiterOf = (points: number, keyPrefix: string) =>
    new RateLimiterMemory({ keyPrefix, points, duration: HOUR_SECONDS });
  const anonymous = limiterOf(ANONYMOUS_PER_HOUR, 'address');
  const byTier = new Map<TierName, RateLimiterMemory>(
    tierNames.map((name) => [name, limiterOf(tiers[name].requestsPerHour, name)]),
  );
  const mcpByTier = new Map<TierName, RateLimiterMemory>(
    tierNames.map((name) => [
      name,
      limiterOf(tiers[name].requestsPerHour * MCP_REQUESTS_PER_REQUEST, `mcp ${name}`),
    ]),
  );
  const previewsByAddress = limiterOf(PREVIEWS_PER_ADDRESS, 'previews');
  const previewByLink = limiterOf(REQUESTS_PER_PREVIEW, 'preview');
  const byOperation = new Map<string, RateLimiterMemory>();
  return {
    consume: ({ accountId, tier }, res) =>
      consumePoint(byTier.get(tier.name) ?? anonymous, accountId, `the ${tier.name} plan allows`, res),
    consumeAnonymous: (address, res) =>
      consumePoint(anonymous, networkOf(address), 'without an API key, an address may make', res),
    consumeMcp: ({ accountId, tier }, res) =>
      consumePoint(
        mcpByTier.get(tier.name) ?? anonymous,
        accountId,
        `at /mcp, the ${tier.name} plan allows`,
        res,
      ),
    async consumePreview(link, address, res) {
      await consumePoint(previewsByAddress, networkOf(address), 'for previews, an address may make', res);
      // Keyed by hash, because a client can send a link of any length.
      await consumePoint(previewByLink, hashSecret(link), 'a preview allows', res);
    },
    consumeOperation(operation, requests, address, res) {
      const limiter = byOperation.get(operation) ?? limiterOf(requests, operation);
      byOperation.set(operation, limiter);
      return consumePoint(limiter, networkOf(address), `for ${operation}, an address may make`, res);
    },
  };
}

/** Limit key of an address. For IPv6 it is the /64, because a single host controls all addresses of its /64. */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? 0 : tail.split(':').length;
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after);
  return [...groups, ...Array<string>(zeros).fill('0')].slice(0, 4).join(':');
}

async function consumePoint(
  limiter: RateLimiterMemory,
  key: string,
  messagePrefix: string,
  res: Response,
): Promise<void> {
  const usage = await limiter.consume(key).catch(usageAtLimit);
  const secondsLeft = Math.ceil(usage.msBeforeNext / 1000);
  res.set({
    'X-RateLimit-Limit': String(limiter.points),
    'X-RateLimit-Remaining': String(Math.max(0, usage.remainingPoints)),
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + secondsLeft),
  });
  if (usage.consumedPoints <= limiter.points) return;
  throw new DomainError('rate_limit_exceeded', `${messagePrefix} ${limiter.points} requests an hour`, {
    retryAfter: secondsLeft,
  });
}

/** The limiter rejects with its counters if the limit is reached, and with an error if it fails. */
function usageAtLimit(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
