import { deleteExpiredHeldSlugs } from './addresses/held-slugs.ts';
import type { Services } from './compose.ts';
import { deleteExpiredPreviews } from './previews/store.ts';
import { deleteReceiptsBefore } from './rebuilds/store.ts';
import { queueMoves } from './removal/left-folders.ts';
import { addMilliseconds } from './runtime/clock.ts';

/** Work that the scheduler starts. A run that fails is logged; the next one tries again. */
export interface Job {
  readonly name: string;
  /** Cron expression, in UTC; six fields if it begins with seconds. */
  readonly schedule: string;
  run(services: Services): Promise<void>;
}

const RECEIPT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Every job. A new one is an entry here. */
export const jobs: readonly Job[] = [
  {
    // Includes posts that became due while the server was down.
    name: 'publish-due-posts',
    schedule: '* * * * * *',
    async run({ publication, log }) {
      const published = await publication.publishDue();
      if (published > 0) log.info({ published }, 'scheduled posts published');
    },
  },
  {
    name: 'flush-last-used-times',
    schedule: '* * * * *',
    run: ({ lastUsed }) => lastUsed.flush(),
  },
  {
    name: 'check-custom-domains',
    schedule: '* * * * *',
    async run({ domainChecks, log }) {
      const { checked, unanswered } = await domainChecks.checkDue();
      if (unanswered > 0)
        log.warn({ checked, unanswered }, 'the DNS resolvers did not answer for every domain');
    },
  },
  {
    name: 'move-renamed-blogs',
    schedule: '*/10 * * * * *',
    run: ({ db, write }) => queueMoves(db, write),
  },
  {
    // The builder itself logs when it sets a blog aside.
    name: 'report-overdue-removals',
    schedule: '* * * * *',
    async run({ readiness, log }) {
      const { overdueRemovals } = await readiness.attention();
      for (const { blogId, since } of overdueRemovals) {
        log.error({ blogId, since }, 'deleted content is still on the edge; its removal is being retried');
      }
    },
  },
  {
    name: 'remove-orphaned-media',
    schedule: '*/5 * * * * *',
    run: ({ images }) => images.removeOrphans(),
  },
  {
    // Uploads start this themselves; this job covers retries and what a stopped server left unfinished.
    name: 'make-image-variants',
    schedule: '*/5 * * * * *',
    async run({ imageVariants, log }) {
      const made = await imageVariants.make();
      if (made > 0) log.info({ made }, 'image variants made');
    },
  },
  {
    name: 'renew-owner-html',
    schedule: '*/5 * * * * *',
    async run({ ownerHtmls, log }) {
      const blogs = await ownerHtmls.renew();
      if (blogs > 0) log.info({ blogs }, 'owner HTML renewed');
    },
  },
  {
    name: 'renew-renderings',
    schedule: '*/5 * * * * *',
    async run({ renderings, log }) {
      const renewed = await renderings.renew();
      if (renewed > 0) log.info({ renewed }, 'posts rendered again');
    },
  },
  {
    name: 'remove-tenants-of-former-domains',
    schedule: '*/10 * * * *',
    run: ({ removeUnusedTenants }) => removeUnusedTenants(),
  },
  {
    // A busy blog makes thousands a day.
    name: 'delete-old-receipts',
    schedule: '17 3 * * *',
    async run({ db, clock, log }) {
      const deleted = await deleteReceiptsBefore(db, addMilliseconds(clock.now(), -RECEIPT_RETENTION_MS));
      log.info({ deleted }, 'old receipts deleted');
    },
  },
  { name: 'delete-old-audit-log-entries', schedule: '7 * * * *', run: ({ auditLog }) => auditLog.prune() },
  {
    name: 'delete-old-idempotency-records',
    schedule: '27 * * * *',
    run: ({ idempotency }) => idempotency.prune(),
  },
  {
    name: 'delete-expired-preview-links',
    schedule: '37 * * * *',
    run: ({ db, clock }) => deleteExpiredPreviews(db, clock.now()),
  },
  {
    name: 'release-held-slugs',
    schedule: '47 * * * *',
    run: ({ db, clock }) => deleteExpiredHeldSlugs(db, clock.now()),
  },
];

/** The job with a name. Throws for a name that no job has. */
export function jobNamed(name: string): Job {
  const job = jobs.find((job) => job.name === name);
  if (job === undefined) throw new Error(`there is no job "${name}"`);
  return job;
}
