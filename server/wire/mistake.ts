import { z } from 'zod';

/** Something that a request has and nobody reads, or reads as nothing. */
export interface Mistake {
  /** Path of the field (`posts[3].titel`) or name of the query parameter; missing if it is about several. */
  readonly field?: string;
  /** What is wrong with it, without its name: "is not a field of settings: did you mean `accent_color`?" */
  readonly message: string;
  /** The same as a sentence of its own. */
  readonly warning: string;
}

/** A mistake in one field. */
export const fieldMistake = (field: string, message: string): Mistake => ({
  field,
  message,
  warning: `${field}: ${message}`,
});

/** The first of a number of mistakes, and how many more there are. */
export interface Mistakes {
  readonly first: readonly Mistake[];
  readonly more: number;
}

/**
 * What a request may well mean, and what is odd all the same, such as a redirect to a post that is not published yet.
 * In `warnings` it looks like a mistake, but no request is refused for it.
 */
export type Remarks = Mistakes;

export const noMistakes: Mistakes = { first: [], more: 0 };

/** A field that makes a request invalid. */
export interface Problem {
  readonly field?: string;
  readonly message: string;
}

/** Most entries of `warnings` and of `errors`. */
export const MAX_NAMED = 10;

export const warnings = z
  .array(z.string())
  .max(MAX_NAMED)
  .meta({
    description:
      'What the request has and nothing reads: unknown and read-only fields, unknown query parameters, unknown ' +
      'variables of a layout; also language tags that nobody knows, redirects to addresses where nothing is published, ' +
      'and what is odd beside other posts. Missing if there is nothing of the kind.',
    example: ['`accentColor` is not a field of settings: did you mean `accent_color`?'],
  });

/** What any response may have beside its own fields. */
export const warned = z.object({ warnings: warnings.optional() }).meta({ id: 'Warned' });

export const problems = z
  .array(
    z.object({
      field: z.string().optional().meta({
        description:
          'Path of the field, or name of the query parameter; missing if the problem is not one of a single field.',
        example: 'tags[0]',
      }),
      message: z.string().meta({ example: 'must not be empty' }),
    }),
  )
  .max(MAX_NAMED);

/** The text of `warnings`: at most `MAX_NAMED` entries, of which the last one counts the rest if there are more. */
export function presentWarnings({ first, more }: Mistakes): string[] {
  const total = first.length + more;
  const named = first.slice(0, total > MAX_NAMED ? MAX_NAMED - 1 : MAX_NAMED);
  const texts = named.map(({ warning }) => warning);
  return total > named.length ? [...texts, `and ${total - named.length} more of the kind`] : texts;
}

/** One line for each problem: the field, then what is wrong. A last line counts those beyond `MAX_NAMED`. */
export function describeProblems(problems: readonly Problem[], more = 0): string {
  const lines = problems
    .slice(0, MAX_NAMED)
    .map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
  const unnamed = problems.length - lines.length + more;
  return [...lines, ...(unnamed > 0 ? [`and ${unnamed} more`] : [])].join('\n');
}
