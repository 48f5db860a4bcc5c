import { styleText } from 'node:util';
import { type FileMessage, placeOf } from '../folder/file-message.ts';
import type { Action } from './plan/plan.ts';
import type { PreparedDeploy } from './plan/prepare.ts';
import type { DeployReport } from './send/run.ts';

const SHOWN_URLS = 5;
const SHOWN_MESSAGES = 20;
/** Actions of one kind that a plan lists. */
const SHOWN_ACTIONS = 100;
/** Widest column of file names. */
const MAX_WIDTH = 60;

type Colour = 'green' | 'yellow' | 'red' | 'magenta' | 'gray';
interface Look {
  readonly sign: string;
  readonly colour: Colour;
}

const looks: Readonly<Partial<Record<Action['kind'], Look>>> = {
  create: { sign: '+', colour: 'green' },
  update: { sign: '~', colour: 'yellow' },
  delete: { sign: '-', colour: 'red' },
  conflict: { sign: '!', colour: 'magenta' },
  missing: { sign: '?', colour: 'gray' },
};

export interface DescribeOptions {
  readonly colours: boolean;
}

/** A plan like a diff: a line for each post that is created, updated or deleted, with the reason, and counts. */
export function describePlan(
  { actions, blog, errors, remarks }: Pick<PreparedDeploy, 'actions' | 'blog' | 'errors' | 'remarks'>,
  { colours }: DescribeOptions,
): string {
  const paint = (colour: Colour, text: string) =>
    colours ? styleText(colour, text, { validateStream: false }) : text;
  const lines = (Object.keys(looks) as Action['kind'][]).flatMap((kind) => linesOf(kind));
  if (blog.settings !== null) lines.push(paint('yellow', `~ ${'settings'.padEnd(8)}  platen.yaml`));
  if (blog.redirects.length > 0)
    lines.push(paint('green', `+ ${counted(blog.redirects.length, 'redirect')}`));
  return [
    ...lines,
    ...section('Not deployed:', errors),
    ...section('Remarks:', remarks),
    planCounts(actions, errors),
  ].join('\n');

  function linesOf(kind: Action['kind']): string[] {
    const all = actions.filter((action) => action.kind === kind);
    const look = looks[kind];
    if (look === undefined || all.length === 0) return [];
    const shown = all.slice(0, SHOWN_ACTIONS);
    const width = Math.min(MAX_WIDTH, Math.max(...shown.map(({ file }) => file.length)));
    const described = shown.map((action) => {
      const why = 'why' in action ? action.why : '';
      const advice =
        kind === 'conflict'
          ? '; left alone'
          : kind === 'missing'
            ? '; --delete-missing deletes the post'
            : '';
      return paint(
        look.colour,
        `${look.sign} ${kind.padEnd(8)}  ${action.file.padEnd(width)}  /${action.slug}/  ${why}${advice}`,
      );
    });
    const more = all.length - shown.length;
    return more > 0 ? [...described, `  and ${more} more to ${kind}`] : described;
  }
}

/** What a plan does, in numbers. */
export function planCounts(actions: readonly Action[], errors: readonly FileMessage[]): string {
  const count = (kind: Action['kind']) => actions.filter((action) => action.kind === kind).length;
  const conflicts = count('conflict');
  return [
    `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete, ${count('unchanged')} unchanged`,
    ...(conflicts > 0
      ? [
          `${counted(conflicts, 'conflict')}: --overwrite puts what the files say in place of what is in Platen`,
        ]
      : []),
    ...(errors.length > 0 ? [`${counted(errors.length, 'file')} with errors`] : []),
  ].join('\n');
}

/** What a deploy did, for people, without the messages that its plan has `shown` already. */
export function describeReport(report: DeployReport, shown: readonly FileMessage[] = []): string {
  const isNew = (message: FileMessage) => !shown.includes(message);
  const {
    created,
    updated,
    deleted,
    unchanged,
    uploaded,
    redirects,
    settings,
    failed,
    remarks,
    urls,
    isLive,
    notLive,
  } = report;
  const more = [
    ...(uploaded > 0 ? [counted(uploaded, 'image')] : []),
    ...(redirects > 0 ? [counted(redirects, 'redirect')] : []),
    ...(settings === 'set' ? ['settings'] : []),
  ];
  return [
    `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged, ${failed.length} failed` +
      `${more.length > 0 ? `; ${more.join(', ')}` : ''}, ${isLive && urls.length > 0 ? 'live ' : ''}in ${(report.milliseconds / 1000).toFixed(1)} s`,
    ...urls.slice(0, SHOWN_URLS).map((url) => `  ${url}`),
    ...(urls.length > SHOWN_URLS ? [`  and ${urls.length - SHOWN_URLS} more`] : []),
    ...(notLive === null ? [] : [`Sent, but not live yet: ${notLive}`]),
    ...section('Remarks:', remarks.filter(isNew)),
    ...section('Failed:', failed.filter(isNew)),
  ].join('\n');
}

function section(heading: string, messages: readonly FileMessage[]): string[] {
  if (messages.length === 0) return [];
  const more = messages.length - SHOWN_MESSAGES;
  return [
    heading,
    ...messages.slice(0, SHOWN_MESSAGES).map((message) => `  ${placeOf(message)}: ${message.message}`),
    ...(more > 0 ? [`  and ${more} more (--json lists all)`] : []),
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
