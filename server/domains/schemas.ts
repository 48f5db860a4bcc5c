import { z } from 'zod';
import { presentRebuild, rebuildId } from '../rebuilds/schemas.ts';
import { storableText } from '../wire/text.ts';
import type { RegisteredDomain } from './custom-domain.ts';
import { type CustomDomain, domainStatuses } from './custom-domain.ts';

/** Bounds the input. The domain layer checks what a host name may be. */
const MAX_HOSTNAME_INPUT = 1_000;

export const registerBody = z
  .object({
    hostname: storableText()
      .max(MAX_HOSTNAME_INPUT, `must be at most ${MAX_HOSTNAME_INPUT} characters`)
      .meta({
        description: 'In any script and case. Responses have the DNS form: lower case and punycode.',
        example: 'blog.example.org',
      }),
  })
  .meta({ id: 'RegisterDomain' });

const hostname = z.string().meta({ example: 'blog.example.org' });
const cnameTarget = z.string().meta({ example: 'notes.example.net' });

export const registeredDomain = z
  .object({
    hostname,
    status: z.enum(domainStatuses),
    cname_target: cnameTarget,
    instructions: z.string().meta({
      description: 'How to set up the DNS, for people to read.',
      example: 'Add a CNAME record for blog.example.org that points to notes.example.net.',
    }),
    rebuild_id: rebuildId,
  })
  .meta({ id: 'RegisteredDomain' });

export const domainState = z
  .object({
    hostname: hostname.nullable(),
    status: z
      .enum([...domainStatuses, 'none'])
      .describe('`active` once the DNS has been seen to point here; `none` if no domain is registered.'),
    cname_target: cnameTarget.nullable(),
  })
  .meta({ id: 'Domain' });

export const removedDomain = z
  .object({ removed: z.literal(true), rebuild_id: rebuildId })
  .meta({ id: 'RemovedDomain' });

export const presentRegistered = (registered: RegisteredDomain): z.infer<typeof registeredDomain> => ({
  hostname: registered.domain.hostname,
  status: registered.domain.status,
  cname_target: registered.target,
  instructions: instructionsFor(registered),
  ...presentRebuild(registered),
});

export const presentDomain = (
  found: { readonly domain: CustomDomain; readonly target: string } | null,
): z.infer<typeof domainState> =>
  found
    ? { hostname: found.domain.hostname, status: found.domain.status, cname_target: found.target }
    : { hostname: null, status: 'none', cname_target: null };

export const presentRemoved = (removed: { rebuildId: string | null }): z.infer<typeof removedDomain> => ({
  removed: true,
  ...presentRebuild(removed),
});

function instructionsFor({ domain: { hostname, status }, target }: RegisteredDomain): string {
  if (status === 'active') return `The DNS of ${hostname} points to ${target}: there is nothing left to do.`;
  return (
    `Add a CNAME record for ${hostname} that points to ${target}. At the root of a domain, where DNS allows no ` +
    `CNAME, use the ALIAS or ANAME record of your DNS provider, or give ${hostname} the same A and AAAA records as ` +
    `${target}. We check every minute at first, then less often. The status becomes active once we see the record.`
  );
}
