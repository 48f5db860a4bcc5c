import { z } from 'zod';
import { edgeOf } from '../../../generator/edge/edge-kinds.ts';
import type { Services } from '../../compose.ts';
import type { Config } from '../../config/config.ts';
import type { CopyResult } from '../../upkeep/copy.ts';
import type { Drift } from '../../upkeep/drift.ts';
import type { RepairReport, Upkeep } from '../../upkeep/open-upkeep.ts';
import type { Verification } from '../../upkeep/verify.ts';
import { type Command, type CommandContext, type CommandOutput, command } from '../command.ts';

const blog = z.string().min(1, 'must be the slug of a blog').optional();
const flag = z.boolean().default(false);
const settingsFile = z
  .string('is missing: name a file with the settings of the other edge')
  .min(1, 'must name a file');

const verify = command({
  name: 'edge verify',
  summary: 'Compare the database, the manifest and the edge',
  usage: '[--blog <slug>] [--quick] [--json]',
  details: `Renders every page, then reads every file except images and compares its SHA-256. On S3 this takes a GET request for
each file and a list request for every thousand. Behind CloudFront, it also compares the KeyValueStore with the bucket.
--quick only lists the files. You can run it beside a running server: queued changes do not count as differences. Exit
code: 0 in step, 1 out of step, 2 the comparison failed.`,
  positionals: [],
  options: { blog: 'string', quick: 'boolean', json: 'boolean' },
  failureExitCode: 2,
  input: z.object({ blog, quick: flag, json: flag }),
  async run(services, { json, ...given }, context) {
    const verification = await withUpkeep(services, context, (upkeep) =>
      upkeep.verify({ blog: given.blog ?? null, quick: given.quick }),
    );
    return formatVerification(verification, json);
  },
});

const repair = command({
  name: 'edge repair',
  summary: 'Repair what edge verify finds',
  usage: '[--blog <slug>] [--quick] [--dry-run] [--media-from <settings>] [--json]',
  details: `Queues the repairs. The running server rebuilds the pages, or this command if no server runs. A lost image cannot be
rebuilt; --media-from names a file with the settings of an edge that may still have it (see edge copy). Exit code: 0 all
repaired, 1 something is not repaired (with --dry-run: out of step), 2 the comparison failed.`,
  positionals: [],
  options: {
    blog: 'string',
    quick: 'boolean',
    'dry-run': 'boolean',
    'media-from': 'string',
    json: 'boolean',
  },
  failureExitCode: 2,
  input: z.object({ blog, quick: flag, 'dry-run': flag, 'media-from': settingsFile.optional(), json: flag }),
  async run(services, given, context) {
    const options = { blog: given.blog ?? null, quick: given.quick };
    const from = given['media-from'] === undefined ? null : context.readEdgeConfig(given['media-from']);
    if (!given['dry-run']) await services.auditLog.note({ name: given.blog ?? null });
    return withUpkeep(services, context, async (upkeep) =>
      given['dry-run']
        ? formatVerification(await upkeep.verify(options), given.json)
        : formatRepair(await upkeep.repair(options, from), given.json),
    );
  },
});

const copy = command({
  name: 'edge copy',
  summary: 'Copy this edge to another one beside a running server, before you move there',
  usage: '--to <settings> [--follow] [--json]',
  details: `<settings> is a file with the variables (NAME=value) of the other edge, as the server will have them after the move:
PLATEN_EDGE=s3, S3_BUCKET=..., or an empty file for the folder. It may also have credentials for that edge alone
(AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE). Only differences are written, in passes, until nothing
differs. With --follow the command keeps copying what is published until you stop it (Ctrl-C). Exit code: 0 nothing
differs at the end, 1 otherwise.`,
  positionals: [],
  options: { to: 'string', follow: 'boolean', json: 'boolean' },
  input: z.object({ to: settingsFile, follow: flag, json: flag }),
  async run(services, given, context) {
    const to = context.readEdgeConfig(given.to);
    await services.auditLog.note({});
    const followUntil = given.follow ? context.stopSignal() : null;
    const copied = await withUpkeep(services, context, (upkeep) => upkeep.copy(to, { followUntil }));
    return formatCopy(copied, to, given);
  },
});

export const edgeCommands: readonly Command[] = [verify, repair, copy];

/** Loaded only when needed: it imports everything that builds blogs, which other commands do not use. */
const loadUpkeep = () => import('../../upkeep/open-upkeep.ts');

async function withUpkeep<T>(
  services: Services,
  { progress }: CommandContext,
  work: (upkeep: Upkeep) => Promise<T>,
): Promise<T> {
  const { openUpkeep } = await loadUpkeep();
  const upkeep = await openUpkeep(services, progress);
  try {
    return await work(upkeep);
  } finally {
    await upkeep.close();
  }
}

function formatVerification(verification: Verification, json: boolean): CommandOutput {
  const text = json
    ? JSON.stringify(verificationJson(verification))
    : [...verificationLines(verification), conclusion(verification)].join('\n');
  return { text, exitCode: verification.isInStep ? 0 : 1 };
}

function formatRepair({ verification, blogs, lost, failures }: RepairReport, json: boolean): CommandOutput {
  const exitCode = lost.length + failures.length === 0 ? 0 : 1;
  if (json) {
    const repair = { found: verificationJson(verification), rebuilt_blogs: blogs.size, lost, failures };
    return { text: JSON.stringify({ repaired: exitCode === 0, ...repair }), exitCode };
  }
  const lines = [
    ...verificationLines(verification),
    ...lost.map((path) => `lost: ${path} (restore it there, or use --media-from)`),
    ...failures.map((failure) => `a rebuild failed: ${failure}`),
    exitCode === 0
      ? 'repaired; preview cards, image variants and search indexes may follow in the background'
      : 'not everything is repaired',
  ];
  return {
    text: (verification.isInStep ? [...verificationLines(verification), 'in step'] : lines).join('\n'),
    exitCode,
  };
}

function formatCopy(
  copied: CopyResult,
  to: Config,
  { to: settings, json }: { to: string; json: boolean },
): CommandOutput {
  const { blogs, files, passes, isComplete, lost } = copied;
  const exitCode = isComplete && lost.length === 0 ? 0 : 1;
  if (json) return { text: JSON.stringify({ complete: isComplete, blogs, files, passes, lost }), exitCode };
  const lines = [
    `${edgeOf(to.edge).description}: ${pluralise(blogs, 'blog')}, ${pluralise(files, 'file')} written or removed in ${pluralise(passes, 'pass', 'passes')}`,
    ...lost.map((path) => `lost: ${path} is on neither edge`),
    ...(isComplete ? nextSteps(settings) : ['something changed during the last pass: copy again']),
  ];
  return { text: lines.join('\n'), exitCode };
}

const nextSteps = (settings: string): string[] => [
  'nothing differs. To move:',
  '  1. stop the server, so that nothing is published or uploaded, and copy once more',
  `  2. start it with the settings in ${settings} instead of those of its present edge`,
  '  3. run npx platen-admin edge verify with these settings',
  'If readers use the folder of this server, point them to the other edge before step 1 while edge copy --follow runs.',
];

/** Paths listed for each kind of difference. */
const PATHS_SHOWN = 10;

function verificationLines({ edge, blogs, files, waiting, counts, drift }: Verification): string[] {
  const lines = [`${edge}: ${pluralise(blogs, 'blog')}, ${pluralise(files, 'file')}`];
  const { changes, rebuilds, failed, cards, removals } = waiting;
  const queued = [
    ...(changes > 0 ? [pluralise(changes, 'change')] : []),
    ...(rebuilds > 0 ? [pluralise(rebuilds, 'rebuild')] : []),
    ...(cards > 0 ? [pluralise(cards, 'preview card')] : []),
    ...(removals > 0 ? [`${pluralise(removals, 'deleted blog')} to be removed`] : []),
  ];
  if (queued.length > 0) lines.push(`queued: ${queued.join(', ')}`);
  if (failed > 0)
    lines.push(`failed: ${pluralise(failed, 'rebuild')} (their receipts give the reason; they are retried)`);
  for (const [kind, count] of Object.entries(counts)) {
    if (count === 0) continue;
    const named = drift.filter((one) => one.kind === kind).slice(0, PATHS_SHOWN);
    const more = count > named.length ? [`    and ${count - named.length} more`] : [];
    const paths = named.map((one) => `    ${one.path}${one.kind === 'unmirrored' ? ` (${one.found})` : ''}`);
    lines.push(`${count} ${driftDescriptions[kind] ?? kind}:`, ...paths, ...more);
  }
  return lines;
}

const driftDescriptions: Readonly<Record<string, string>> = {
  missing: 'missing on the edge',
  different: 'changed since it was written',
  uncertain: 'left uncertain by an interrupted builder',
  orphaned: 'on the edge, but unknown',
  outdated: 'different from the database',
  lost: 'lost (images, missing or truncated)',
  unmirrored: "different in CloudFront's KeyValueStore and the bucket",
};

const conclusion = ({ isInStep }: Verification): string =>
  isInStep ? 'in step' : 'out of step: npx platen-admin edge repair';

const verificationJson = ({ isInStep, drift, ...found }: Verification) => ({
  in_step: isInStep,
  ...found,
  drift: drift.map((one: Drift) => ({
    kind: one.kind,
    path: one.path,
    ...('blog' in one && one.blog && { blog: one.blog.slug }),
    ...(one.kind === 'unmirrored' && { found: one.found }),
  })),
});

const pluralise = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
