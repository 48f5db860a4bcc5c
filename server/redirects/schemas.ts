import { z } from 'zod';
import { addressOf } from '../../generator/addresses.ts';
import { presentRebuild, rebuildId } from '../rebuilds/schemas.ts';
import { fieldMistake, type Remarks } from '../wire/mistake.ts';
import { pageQuery, pagination, presentPagination } from '../wire/pagination.ts';
import { MAX_URL, timestamp } from '../wire/text.ts';
import { parseFrom, parseTo, type Unusable } from './address-rules.ts';
import {
  type DeadEnds,
  MAX_REDIRECTS,
  type OwnerRedirect,
  type RedirectInput,
  redirectOutcomes,
  type SetRedirects,
} from './redirect.ts';

/** Redirects in one request. */
export const MAX_REDIRECTS_PER_REQUEST = 1_000;

const MAX_PER_PAGE = 100;

const FROM_EXAMPLE = '/2019/03/hello.html';

const address = <Parsed extends object>(parse: (text: string) => Parsed | Unusable) =>
  z
    .string()
    .max(MAX_URL, `must be at most ${MAX_URL} characters`)
    .transform((text, ctx): Parsed => {
      const parsed = parse(text);
      if (!('problem' in parsed)) return parsed;
      ctx.issues.push({ code: 'custom', message: parsed.problem, input: text });
      return z.NEVER;
    });

const from = address(parseFrom).meta({
  description:
    'A path on the blog, in percent-encoding or plain text. Without a dot in its last name, it is meant with and ' +
    'without a final slash. It has no query, and is no address of the blog’s own pages.',
  example: FROM_EXAMPLE,
});

const to = address(parseTo).meta({
  description: 'A path on the blog that begins with one slash, or an http or https address.',
  example: '/hello/',
});

const ONE_OR_MANY = 'must be either from and to, or redirects';

/** One redirect, or many. */
export const setRedirectsBody = z
  .object({
    from: from.optional(),
    to: to.optional(),
    redirects: z
      .array(z.object({ from, to }))
      .min(1, 'must contain at least one redirect')
      .max(MAX_REDIRECTS_PER_REQUEST, `must be at most ${MAX_REDIRECTS_PER_REQUEST} redirects`)
      .optional()
      .describe('Many redirects, in place of `from` and `to`.')
      .meta({ example: [{ from: '/about-me.php', to: '/about/' }] }),
  })
  .transform(({ from, to, redirects }, ctx): readonly RedirectInput[] => {
    const refuse = (message: string, ...path: (string | number)[]) => {
      ctx.issues.push({ code: 'custom', message, path, input: null });
      return z.NEVER;
    };
    if (redirects !== undefined) {
      if (from !== undefined || to !== undefined) return refuse(ONE_OR_MANY);
      const seen = new Map<string, number>();
      for (const [at, { from }] of redirects.entries()) {
        const before = seen.get(from.path);
        if (before !== undefined)
          return refuse(`is the same address as redirects[${before}].from`, 'redirects', at, 'from');
        seen.set(from.path, at);
      }
      return redirects.map(({ from, to }, at) => ({ ...from, ...to, field: `redirects[${at}].from` }));
    }
    if (from === undefined) return refuse('is missing', 'from');
    if (to === undefined) return refuse('is missing', 'to');
    return [{ ...from, ...to, field: 'from' }];
  })
  .meta({ id: 'SetRedirects', example: { from: FROM_EXAMPLE, to: '/hello/' } });

export const listRedirectsQuery = z.object({
  from: from.optional().describe('Only the redirect at this address.').meta({ example: FROM_EXAMPLE }),
  ...pageQuery(MAX_PER_PAGE),
});

export const removeRedirectQuery = z.object({ from });

const storedFrom = z.string().meta({
  description:
    'In percent-encoding. If its last name has no dot, it ends with a slash, however it was given.',
  example: FROM_EXAMPLE,
});
const storedTo = z.string().meta({ description: 'In percent-encoding.', example: '/hello/' });

const redirect = z
  .object({ id: z.uuid(), from: storedFrom, to: storedTo, created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'Redirect' });

export const redirectPage = z
  .object({ data: z.array(redirect), pagination })
  .meta({ id: 'RedirectPage', description: `A blog has at most ${MAX_REDIRECTS} redirects.` });

export const setRedirects = z
  .object({
    data: z
      .array(
        z.object({
          id: z.uuid(),
          from: storedFrom,
          to: storedTo,
          result: z.enum(redirectOutcomes).meta({
            description: '`replaced` if another redirect was at the same address.',
            example: 'created',
          }),
        }),
      )
      .describe('In the order of the request.'),
    rebuild_id: rebuildId,
  })
  .meta({ id: 'WrittenRedirects' });

export const removedRedirect = z
  .object({ deleted: z.literal(true), rebuild_id: rebuildId })
  .meta({ id: 'RemovedRedirect' });

export const presentRedirects = (
  query: { page: number; per_page: number },
  { redirects, total }: { redirects: readonly OwnerRedirect[]; total: number },
): z.infer<typeof redirectPage> => ({
  data: redirects.map(({ id, path, target, createdAt, updatedAt }) => ({
    id,
    from: addressOf(path),
    to: target,
    created_at: createdAt,
    updated_at: updatedAt,
  })),
  pagination: presentPagination(query, total),
});

export const presentSet = (
  inputs: readonly RedirectInput[],
  { outcomes, rebuildId }: SetRedirects,
): z.infer<typeof setRedirects> => ({
  data: outcomes.map(({ id, outcome }, at) => ({
    id,
    from: addressOf(inputs[at]?.path ?? ''),
    to: inputs[at]?.target ?? '',
    result: outcome,
  })),
  ...presentRebuild({ rebuildId }),
});

/** Posts may be published after the redirects to them. */
export const describeDeadEnds = ({ first, more }: DeadEnds): Remarks => ({
  first: first.map(({ field, address }) =>
    fieldMistake(field, `leads to ${address}, where nothing is published yet`),
  ),
  more,
});

export const presentRemoved = (removed: { rebuildId: string | null }): z.infer<typeof removedRedirect> => ({
  deleted: true,
  ...presentRebuild(removed),
});
