import { z } from 'zod';
import type { Services } from '../../compose.ts';
import type { Config } from '../../config/config.ts';
import type { Copy } from '../../upkeep/copy.ts';
import type { Drift } from '../../upkeep/drift.ts';
import type { Mended, Upkeep } from '../../upkeep/open-upkeep.ts';
import type { Verification } from '../../upkeep/verify.ts';
import { type Command, command, type Said, type Surroundings } from '../command.ts';

const blog = z.string().min(1, 'must be the slug of a blog').optional();
const flag = z.boolean().default(false);
const file = z
  .string('is missing: name a file with the settings of the other edge')
  .min(1, 'must name a file');

const verify = command({
  name: 'edge verify',
  summary: 'Compare the database, what is known of the edge, and the edge',
  usage: '[--blog <slug>] [--quick] [--json]',
  details: `Every page is rendered, and every file but images read and compared by SHA-256: on S3 that is a GET request for each,
and a request for a thousand to list them. Behind CloudFront, its KeyValueStore is compared with the bucket. --quick only
lists the files. Beside a running server, what is on its way to the edge is not counted as a difference. Exit code: 0 in
step, 1 out of step, 2 where that could not be found out.`,
  positionals: [],
  options: { blog: 'string', quick: 'boolean', json: 'boolean' },
  failure: 2,
  input: z.object({ blog, quick: flag, json: flag }),
  async run(services, { json, ...given }, surroundings) {
    const found = await withUpkeep(services, surroundings, (upkeep) =>
      upkeep.verify({ blog: given.blog ?? null, quick: given.quick }),
    );
    return sayFound(found, json);
  },
});

const repair = command({
  name: 'edge repair',
  summary: 'Mend what edge verify finds',
  usage: '[--blog <slug>] [--quick] [--dry-run] [--media-from <settings>] [--json]',
  details: `What is wrong is queued, and pressed by the running server, or by this command where none runs. An image that is lost
cannot be made again; --media-from names a file with the settings of an edge where it may still be (see edge copy).
Exit code: 0 where all is mended, 1 where something is not (with --dry-run: would not be in step), 2 where that
could not be found out.`,
  positionals: [],
  options: {
    blog: 'string',
    quick: 'boolean',
    'dry-run': 'boolean',
    'media-from': 'string',
    json: 'boolean',
  },
  failure: 2,
  input: z.object({ blog, quick: flag, 'dry-run': flag, 'media-from': file.optional(), json: flag }),
  async run(services, given, surroundings) {
    const options = { blog: given.blog ?? null, quick: given.quick };
    const from = given['media-from'] === undefined ? null : surroundings.readOther(given['media-from']);
    if (!given['dry-run']) await services.auditLog.note({ name: given.blog ?? null });
    return withUpkeep(services, surroundings, async (upkeep) =>
      given['dry-run']
        ? sayFound(await upkeep.verify(options), given.json)
        : sayMended(await upkeep.repair(options, from), given.json),
    );
  },
});

const copy = command({
  name: 'edge copy',
  summary: 'Bring another edge to what this one is, beside a running server, to move there',
  usage: '--to <settings> [--follow] [--json]',
  details: `<settings> is a file of variables (NAME=value) that say where the other edge is, as the server is to have them after the
move: PLATEN_EDGE=s3, S3_BUCKET=..., or nothing for the folder. Credentials that are to be used there alone
(AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE) may stand there, too. Only what differs is written, until
nothing does. With --follow it goes on, and takes along what is published, until it is stopped
(Ctrl-C). Exit code: 0 where nothing differs at the end, else 1.`,
  positionals: [],
  options: { to: 'string', follow: 'boolean', json: 'boolean' },
  input: z.object({ to: file, follow: flag, json: flag }),
  async run(services, given, surroundings) {
    const to = surroundings.readOther(given.to);
    await services.auditLog.note({});
    const followUntil = given.follow ? surroundings.untilStopped() : null;
    const copied = await withUpkeep(services, surroundings, (upkeep) => upkeep.copy(to, { followUntil }));
    return sayCopied(copied, to, given);
  },
});

export const edgeCommands: readonly Command[] = [verify, repair, copy];

/** All that it takes to press a blog: of no use to other commands. */
const loadUpkeep = () => import('../../upkeep/open-upkeep.ts');

async function withUpkeep<T>(
  services: Services,
  { progress }: Surroundings,
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

function sayFound(found: Verification, json: boolean): Said {
  const text = json
    ? JSON.stringify(presentFound(found))
    : [...linesOf(found), conclusionOf(found)].join('\n');
  return { text, exitCode: found.isInStep ? 0 : 1 };
}

function sayMended({ verification, blogs, lost, failures }: Mended, json: boolean): Said {
  const exitCode = lost.length + failures.length === 0 ? 0 : 1;
  if (json) {
    const mended = { found: presentFound(verification), rebuilt_blogs: blogs.size, lost, failures };
    return { text: JSON.stringify({ mended: exitCode === 0, ...mended }), exitCode };
  }
  const lines = [
    ...linesOf(verification),
    ...lost.map((path) => `lost: ${path} (put it back there, or see --media-from)`),
    ...failures.map((failure) => `a rebuild has failed: ${failure}`),
    exitCode === 0
      ? 'mended; preview cards, variants of images and search may follow in the background'
      : 'not all is mended',
  ];
  return {
    text: (verification.isInStep ? [...linesOf(verification), 'in step'] : lines).join('\n'),
    exitCode,
  };
}

async function sayCopied(
  copied: Copy,
  to: Config,
  { to: settings, json }: { to: string; json: boolean },
): Promise<Said> {
  const { blogs, files, passes, isComplete, lost } = copied;
  const exitCode = isComplete && lost.length === 0 ? 0 : 1;
  if (json) return { text: JSON.stringify({ complete: isComplete, blogs, files, passes, lost }), exitCode };
  const { describeEdge } = await loadUpkeep();
  const lines = [
    `${describeEdge(to)}: ${counted(blogs, 'blog')}, ${counted(files, 'file')} written or removed in ${counted(passes, 'pass', 'passes')}`,
    ...lost.map((path) => `lost: ${path} is on neither edge`),
    ...(isComplete ? nextSteps(settings) : ['there were changes up to the last pass: copy again']),
  ];
  return { text: lines.join('\n'), exitCode };
}

const nextSteps = (settings: string): string[] => [
  'nothing differs. To move:',
  '  1. stop the server, so that nothing is published or uploaded, and copy once more',
  `  2. start it with the settings in ${settings} in the place of those of its present edge`,
  '  3. npx platen-admin edge verify, with these settings',
  'Readers of a folder that goes out of service are to be led to the other edge before the first step: copy with --follow',
  'meanwhile.',
];

/** Paths that are shown of each kind. */
const SHOWN = 10;

function linesOf({ edge, blogs, files, waiting, counts, drift }: Verification): string[] {
  const lines = [`${edge}: ${counted(blogs, 'blog')}, ${counted(files, 'file')}`];
  const { changes, rebuilds, failed, cards, removals } = waiting;
  const queued = [
    ...(changes > 0 ? [counted(changes, 'change')] : []),
    ...(rebuilds > 0 ? [counted(rebuilds, 'rebuild')] : []),
    ...(cards > 0 ? [counted(cards, 'preview card')] : []),
    ...(removals > 0 ? [`${counted(removals, 'deleted blog')} to be removed`] : []),
  ];
  if (queued.length > 0) lines.push(`on their way: ${queued.join(', ')}`);
  if (failed > 0)
    lines.push(`failed: ${counted(failed, 'rebuild')} (their receipts say why, and they are tried again)`);
  for (const [kind, count] of Object.entries(counts)) {
    if (count === 0) continue;
    const named = drift.filter((one) => one.kind === kind).slice(0, SHOWN);
    const more = count > named.length ? [`    and ${count - named.length} more`] : [];
    const paths = named.map((one) => `    ${one.path}${one.kind === 'untold' ? ` (${one.found})` : ''}`);
    lines.push(`${count} ${meanings[kind] ?? kind}:`, ...paths, ...more);
  }
  return lines;
}

const meanings: Readonly<Record<string, string>> = {
  missing: 'missing on the edge',
  different: 'other than it was written',
  uncertain: 'left by a builder that was cut off',
  stray: 'on the edge, and known to nothing',
  outdated: 'not what the database says',
  lost: 'of an image, missing or cut short',
  untold: "in CloudFront's KeyValueStore, other than in the bucket",
};

const conclusionOf = ({ isInStep }: Verification): string =>
  isInStep ? 'in step' : 'out of step: npx platen-admin edge repair';

const presentFound = ({ isInStep, drift, ...found }: Verification) => ({
  in_step: isInStep,
  ...found,
  drift: drift.map((one: Drift) => ({
    kind: one.kind,
    path: one.path,
    ...('blog' in one && one.blog && { blog: one.blog.slug }),
    ...(one.kind === 'untold' && { found: one.found }),
  })),
});

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
