import { randomUUID } from 'node:crypto';
import { type CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { CloudFrontError, isPassing } from './errors.ts';
import { invalidationPaths } from './invalidation-paths.ts';
import { type Patience, type Pause, withPatience } from './patience.ts';

/** Invalidates files of the edge in CloudFront's cache. */
export interface Invalidations {
  /** Resolves when CloudFront has accepted the request, to the number of paths sent. Rejects with a `CloudFrontError`. */
  send(paths: readonly string[]): Promise<number>;
}

export interface InvalidationsOptions {
  readonly client: CloudFrontClient;
  readonly distributionId: string;
  readonly patience?: Patience;
  readonly pause?: Pause;
}

/** AWS quotas per distribution: paths in progress, and wildcards among them. */
const PATHS_AT_ONCE = 3_000;
const WILDCARDS_AT_ONCE = 15;

/** Invalidations complete within about a minute and then free their quota. */
const PATIENCE: Patience = { first: 1_000, longest: 20_000, whole: 300_000 };

interface Waiting {
  readonly paths: readonly string[];
  readonly settle: (outcome: Promise<void>) => void;
}

/** Sends one request at a time; paths that arrive during a request are combined into the next one. */
export function createInvalidations(options: InvalidationsOptions): Invalidations {
  const { client, distributionId, patience = PATIENCE, pause } = options;
  const waiting: Waiting[] = [];
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
      await withPatience(() => client.send(command), isPassing, patience, pause);
    } catch (error) {
      throw new CloudFrontError(`invalidating ${paths[0]} and ${paths.length - 1} more`, error);
    }
  }

  async function sendWaiting(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0) {
      const together = waiting.splice(0);
      const paths = invalidationPaths(together.flatMap((one) => one.paths));
      const outcome = requestAll(paths);
      for (const { settle } of together) settle(outcome);
      await outcome.catch(() => {});
    }
    isSending = false;
  }

  async function requestAll(paths: readonly string[]): Promise<void> {
    for (const part of inParts(paths)) await request(part);
  }

  return {
    async send(paths) {
      const count = invalidationPaths(paths).length;
      if (count === 0) return 0;
      const sent = new Promise<void>((settle) => waiting.push({ paths, settle }));
      void sendWaiting();
      await sent;
      return count;
    },
  };
}

function* inParts(paths: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let wildcards = 0;
  for (const path of paths) {
    const isWildcard = path.endsWith('*');
    if (part.length === PATHS_AT_ONCE || (isWildcard && wildcards === WILDCARDS_AT_ONCE)) {
      yield part;
      part = [];
      wildcards = 0;
    }
    part.push(path);
    if (isWildcard) wildcards += 1;
  }
  if (part.length > 0) yield part;
}
