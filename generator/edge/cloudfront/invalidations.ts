import { randomUUID } from 'node:crypto';
import { type CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { CloudFrontError, isPassing } from './errors.ts';
import { invalidationPaths } from './invalidation-paths.ts';
import { type Patience, type Pause, withPatience } from './patience.ts';

/** Has CloudFront forget its copies of files of the edge. */
export interface Invalidations {
  /** Resolves when CloudFront has taken it on, with how many addresses were named. Rejects with a `CloudFrontError`. */
  send(paths: readonly string[]): Promise<number>;
}

export interface InvalidationsOptions {
  readonly client: CloudFrontClient;
  readonly distributionId: string;
  readonly patience?: Patience;
  readonly pause?: Pause;
}

/** A distribution takes so many paths at once, and so many of them that are wildcards (quotas of AWS). */
const PATHS_AT_ONCE = 3_000;
const WILDCARDS_AT_ONCE = 15;

/** Invalidations in progress make room within a minute or so. */
const PATIENCE: Patience = { first: 1_000, longest: 20_000, whole: 300_000 };

interface Waiting {
  readonly paths: readonly string[];
  readonly settle: (outcome: Promise<void>) => void;
}

/** One request is under way at a time; what is asked for meanwhile goes together into the next. */
export function createInvalidations(options: InvalidationsOptions): Invalidations {
  const { client, distributionId, patience = PATIENCE, pause } = options;
  const waiting: Waiting[] = [];
  let isSending = false;

  async function request(paths: readonly string[]): Promise<void> {
    // CloudFront takes the same reference for the same invalidation, also where an answer was lost.
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
