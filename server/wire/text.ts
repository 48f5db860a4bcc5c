import { z } from 'zod';

/** Length of a text as people count it: in code points, so that an emoji is one and not two. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Characters of a URL, or of a path on a blog, at most: our own limit, and that of the sitemap protocol. */
export const MAX_URL = 2_048;

/** C0 and C1 controls. A name never needs them, and XML cannot contain most of them. */
const controlCharacter = /\p{Cc}/u;

/** Text that UTF-8 and every database can store: no lone surrogate, no NUL. */
export const storableText = () =>
  z
    .string()
    .refine((text) => text.isWellFormed(), 'must not contain a lone surrogate')
    .refine((text) => !text.includes('\0'), 'must not contain the character NUL');

/** One line of text: trimmed, no control characters, at most `max` characters. */
export const line = (max: number) =>
  storableText()
    .trim()
    // What a caller checks next, such as whether it is a URL, may take far longer for a long text than for a short one.
    .refine((text) => countCharacters(text) <= max, {
      abort: true,
      error: `must be at most ${max} characters`,
    })
    .refine((text) => !controlCharacter.test(text), 'must not contain control characters')
    .meta({ maxLength: max });

/** A line that is not empty. */
export const filledLine = (max: number) =>
  line(max)
    .refine((text) => text !== '', 'must not be empty')
    .meta({ minLength: 1 });

function describeWrongTimestamp(input: unknown): string {
  if (input === undefined) return 'is missing';
  const text = typeof input === 'string' ? input : '';
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return `is a date alone: add a time and a zone, such as ${text}T09:00:00Z`;
  const parts = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (parts === null)
    return 'must be a date and time with a time zone (ISO 8601), such as 2026-05-01T09:00:00Z';
  return parts[1] === undefined
    ? `has no time zone: add one, such as ${text}Z`
    : 'is no date and time that exists';
}

/** A timestamp from a client, in any time zone that it names; converted to UTC. */
export const timestampInput = z.iso
  .datetime({
    offset: true,
    error: ({ input }) => describeWrongTimestamp(input),
  })
  .transform((text) => new Date(text).toISOString())
  // A year of another length would not sort as text, and one before 1000 is a typing mistake, such as 0201.
  .refine((text) => /^[1-9]\d{3}-/.test(text), 'must be in a year from 1000 to 9999');

/** A timestamp: ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();
