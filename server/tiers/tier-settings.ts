import { z } from 'zod';
import { defaultTiers, type Tier, type Tiers, tierNames } from './tier.ts';

const EXAMPLE = '{"free": {"posts": 20, "requestsPerHour": 100}}';
const MAX_LIMIT = 1_000_000_000;

/** Maximum of byte limits: 1 PiB. */
const MAX_BYTES = 1024 ** 5;

function limitSchema(max: number) {
  const error = `must be a whole number from 0 to ${max}, or "unlimited"`;
  return z.union(
    [z.int().min(0, error).max(max, error), z.literal('unlimited').transform(() => Infinity)],
    error,
  );
}

const fieldSchema = (name: string, value: unknown): z.ZodType<number | boolean> => {
  if (typeof value === 'boolean') return z.boolean('must be true or false');
  // It is also the value of a header, which must be a number, so "unlimited" is not allowed.
  if (name === 'requestsPerHour') {
    const error = `must be a whole number from 1 to ${MAX_LIMIT}`;
    return z.int(error).min(1, error).max(MAX_LIMIT, error);
  }
  return limitSchema(name === 'mediaBytes' ? MAX_BYTES : MAX_LIMIT);
};

/** Error messages for unknown names and for values that are not objects. */
const namesError = (what: string, names: readonly string[]) => ({
  error: (issue: { readonly code?: string | undefined; readonly keys?: unknown }): string =>
    issue.code === 'unrecognized_keys'
      ? `has unknown ${what}: ${String(issue.keys).replaceAll(',', ', ')}; known are ${names.join(', ')}`
      : `must be a JSON object such as ${EXAMPLE}`,
});

/** The settings of a tier: every limit and every feature, with the names in `Tier`. */
const tierSchema = ({ name: _, ...row }: Tier) =>
  z
    .strictObject(
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fieldSchema(name, value)])),
      namesError('settings', Object.keys(row)),
    )
    .partial();

const tiersSchema = z
  .strictObject(
    Object.fromEntries(tierNames.map((name) => [name, tierSchema(defaultTiers[name])])),
    namesError('plans', tierNames),
  )
  .partial();

/** The operator's tiers: a JSON object by tier name, each with the fields that differ from the default. */
export const tierSettings = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue(`must be JSON such as ${EXAMPLE}`);
      return z.NEVER;
    }
  })
  .pipe(tiersSchema)
  .transform((overrides): Tiers => {
    const withOverrides = (row: Tier): Tier => {
      const { posts, ...fields } = overrides[row.name] ?? {};
      return {
        ...row,
        ...fields,
        posts: { ...row.posts, ...(typeof posts === 'number' && { posts }) },
      };
    };
    return {
      free: withOverrides(defaultTiers.free),
      starter: withOverrides(defaultTiers.starter),
      creator: withOverrides(defaultTiers.creator),
      scale: withOverrides(defaultTiers.scale),
      enterprise: withOverrides(defaultTiers.enterprise),
    };
  });
