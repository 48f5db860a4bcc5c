import { type Lease, LeaseLost } from '../build/leases.ts';
import { rebuildBlog } from '../build/rebuild-blog.ts';
import * as queue from '../rebuilds/claims.ts';
import { blogWork } from '../rebuilds/leases-store.ts';
import { clearSuspect } from '../rebuilds/suspects.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { Gathering } from './gathering.ts';
import type { Lane, LaneTools } from './lane.ts';
import { createPrecedence, type Place } from './precedence.ts';
import { retryDelay } from './retries.ts';
import { createSlots, type Slots } from './slots.ts';

/** Parallel small rebuilds. Large ones have slots of their own and give way to small ones. */
const SMALL_SLOTS = 4;
/** Parallel large rebuilds, at most one per account. */
const LARGE_SLOTS = 2;
/** Attempts after which a rebuild is reported as failed. Retries continue without limit. */
const MAX_ATTEMPTS = 8;

export interface RebuildLanesOptions extends LaneTools {
  /** Which blogs are rebuilt. Suspects are rebuilt one at a time. */
  readonly blogGroup: queue.SuspectFilter;
  readonly gathering: Gathering;
}

export function createRebuildLanes(options: RebuildLanesOptions, onEnd: () => void): readonly Lane[] {
  const { db, clock, leases, blogGroup, gathering } = options;
  const precedence = createPrecedence();

  /** Claims the most urgent blog whose rebuild is small, or large, and starts the rebuild. False if none is due. */
  async function startNext(size: 'small' | 'large', slots: Slots): Promise<boolean> {
    const requestedAt = performance.now();
    const claimed = await queue.claimBlog(db, clock.now(), leases.terms, {
      whose: blogGroup,
      size,
      exceptBlogs: gathering.blogs,
      exceptAccounts: size === 'large' ? slots.names : [],
    });
    if (!claimed) return false;
    const { blogId, accountId } = claimed;
    const lease = leases.forClaimed(blogWork(blogId), requestedAt);
    const name = size === 'large' && accountId !== null ? accountId : blogId;
    slots.start(name, rebuildClaimed(options, claimed, lease, precedence.begin()));
    return true;
  }

  const createLane = (size: 'small' | 'large', slots: Slots): Lane => ({
    slots,
    async startDue() {
      while (slots.free > 0 && (await startNext(size, slots)));
    },
  });

  if (blogGroup === 'suspects') {
    const slot = createSlots(1, onEnd);
    return [createLane('small', slot), createLane('large', slot)];
  }
  return [
    createLane('small', createSlots(SMALL_SLOTS, onEnd)),
    createLane('large', createSlots(LARGE_SLOTS, onEnd)),
  ];
}

async function rebuildClaimed(
  options: RebuildLanesOptions,
  claimed: queue.ClaimedBlog,
  lease: Lease,
  place: Place,
): Promise<void> {
  const { clock, log, gathering } = options;
  const { blogId, attempt } = claimed;
  try {
    const startedAt = performance.now();
    const { rebuildIds, hasMore } = await rebuildBlog(options, claimed, lease, place.giveWay);
    if (hasMore) gathering.start(blogId, performance.now() - startedAt);
    log.debug({ blogId, rebuildIds }, 'rebuild live');
  } catch (error) {
    log[severityOf(error)]({ blogId, attempt, err: error }, 'rebuild failed');
    await lease.release(async (tx) => {
      await clearSuspect(tx, blogId);
      await queue.requeueAfterFailure(tx, blogId, {
        error: error instanceof Error ? error.message : String(error),
        retryAt: addMilliseconds(clock.now(), retryDelay(attempt)),
        maxAttempts: MAX_ATTEMPTS,
      });
    });
  } finally {
    place.end();
  }
}

/** A lost lease is only a warning: the builder that has the work now reports its failures. */
const severityOf = (error: unknown): 'warn' | 'error' => (error instanceof LeaseLost ? 'warn' : 'error');
