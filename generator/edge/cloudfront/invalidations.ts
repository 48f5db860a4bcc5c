import { randomUUID } from 'node:crypto';
import { type CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { CloudFrontError, isTransient } from './errors.ts';
import { invalidationPaths } from './invalidation-paths.ts';
import { type RetryDelays, type Sleep, withRetries } from './retrying.ts';

/** Invalidates files of the edge in CloudFront's cache. */
export interface Invalidations {
  /**
   * Resolves when CloudFront has accepted the request, to the number of paths sent. Rejects with a `CloudFrontError`.
   */
  send(paths: readonly string[]): Promise<number>;
}

export interface InvalidationsOptions {
  readonly client: CloudFrontClient;
  readonly distributionId: string;
  readonly retryDelays?: RetryDelays;
  readonly sleep?: Sleep;
}

/** AWS quotas per distribution: paths in progress, and wildcards among them. */
const MAX_PATHS = 3_000;
const MAX_WILDCARDS = 15;

/** Invalidations complete within about a minute and then free their quota. */
const RETRY_DELAYS: RetryDelays = { initial: 1_000, maximum: 20_000, total: 300_000 };

interface QueuedRequest {
  readonly paths: readonly string[];
  readonly resolve: (outcome: Promise<void>) => void;
}

/** Sends one request at a time; paths that arrive during a request are combined into the next one. */
export function createInvalidations(options: InvalidationsOptions): Invalidations {
  const { client, distributionId, retryDelays = RETRY_DELAYS, sleep } = options;
  const queued: QueuedRequest[] = [];
  let isSending = false;

  async function request(paths: readonly string[]): Promise<void> {
    // The reference makes retries idempotent, even if a response was lost.
    const command = new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: {
        CallerReference: randomUUID(),
        Paths: { Quantity: paths.length, Items: [...paths] },
      },
    });
    try {
      await withRetries(() => client.send(command), isTransient, retryDelays, sleep);
    } catch (error) {
      throw new CloudFrontError(`invalidating ${paths[0]} and ${paths.length - 1} more`, error);
    }
  }

  async function sendQueued(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (queued.length > 0) {
      const combined = queued.splice(0);
      const paths = invalidationPaths(combined.flatMap((one) => one.paths));
      const outcome = requestAll(paths);
      for (const { resolve } of combined) resolve(outcome);
      await outcome.catch(() => {});
    }
    isSending = false;
  }

  async function requestAll(paths: readonly string[]): Promise<void> {
    for (const part of withinQuotas(paths)) await request(part);
  }

  return {
    async send(paths) {
      const count = invalidationPaths(paths).length;
      if (count === 0) return 0;
      const sent = new Promise<void>((resolve) => queued.push({ paths, resolve }));
      void sendQueued();
      await sent;
      return count;
    },
  };
}

function* withinQuotas(paths: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let wildcards = 0;
  for (const path of paths) {
    const isWildcard = path.endsWith('*');
    if (part.length === MAX_PATHS || (isWildcard && wildcards === MAX_WILDCARDS)) {
      yield part;
      part = [];
      wildcards = 0;
    }
    part.push(path);
    if (isWildcard) wildcards += 1;
  }
  if (part.length > 0) yield part;
}
