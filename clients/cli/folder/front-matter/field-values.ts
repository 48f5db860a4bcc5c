import { z } from 'zod';
import { parseDate } from '../dates.ts';

/** Values of front matter. YAML gives text for every scalar; TOML and JSON have types of their own. */

const scalar = z
  .union(
    [z.string(), z.number(), z.bigint(), z.boolean(), z.date().transform((date) => date.toISOString())],
    'must be text',
  )
  .transform((value) => String(value).trim());

export const text = scalar.transform((value) => value || undefined);

/** Text on one line: YAML folds long ones. */
export const line = scalar.transform((value) => value.replace(/[ \t\r\n]+/g, ' ') || undefined);

/** A truth value in any spelling of YAML. A typo must not publish a draft. */
export const truth = scalar
  .refine((value) => /^(?:|true|false|yes|no|on|off)$/i.test(value), 'must be true or false')
  .transform((value) => (value === '' ? undefined : /^(?:true|yes|on)$/i.test(value)));

export const status = scalar
  .transform((value) => value.toLowerCase())
  .pipe(
    z.enum(
      ['draft', 'published', 'publish', 'public', 'scheduled', 'future', 'private', 'pending'],
      'must be draft, published or scheduled',
    ),
  );

export const date = scalar.transform((value, ctx) => {
  const moment = parseDate(value);
  if (moment !== undefined) return moment;
  ctx.issues.push({
    code: 'custom',
    message: 'must be a date such as 2024-05-01 or 2024-05-01T09:30:00+02:00',
    input: value,
  });
  return z.NEVER;
});

const WORDS_ERROR = 'must be a list of words, or words separated by commas';
const label = z.union([
  scalar,
  z.null().transform(() => ''),
  z.object({ label: scalar }).transform(({ label }) => label),
]);

export const words = z
  .union([scalar.transform((list) => list.split(',')), z.array(label)], WORDS_ERROR)
  .transform((all) => all.map((word) => word.trim()).filter((word) => word !== ''));

/** As Jekyll reads them: separated by spaces, unless there are commas. */
export const spacedWords = z.union([
  scalar.transform((list) =>
    list
      .split(list.includes(',') ? ',' : /\s+/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
  words,
]);

export const addresses = z
  .union([scalar.transform((address) => [address]), z.array(scalar)], 'must be a list of paths')
  .transform((all) => all.filter((address) => address !== ''));

export const translations = z.record(z.string(), scalar, 'must map language tags to slugs or addresses');

export interface FileAuthor {
  readonly name: string;
  readonly url: string | undefined;
  readonly image: string | undefined;
}

const person = z.union([
  scalar.transform((name): FileAuthor => ({ name, url: undefined, image: undefined })),
  z
    .object({
      name: text,
      title: text.optional(),
      url: text.optional(),
      link: text.optional(),
      image: text.optional(),
      image_url: text.optional(),
      avatar: text.optional(),
    })
    .transform(
      ({ name = '', url, link, image, image_url, avatar }): FileAuthor => ({
        name,
        url: url ?? link,
        image: image ?? image_url ?? avatar,
      }),
    ),
]);

export const authors = z
  .union([person.transform((one) => [one]), z.array(person)], 'must be a name, or a list of names')
  .transform((all) => all.filter(({ name }) => name !== ''));

/** A path or address, or an object that has one. */
const picture = z.union([
  scalar.transform((url) => ({ url, alt: '' })),
  z
    .object({
      url: text.optional(),
      image: text.optional(),
      src: text.optional(),
      path: text.optional(),
      teaser: text.optional(),
      overlay_image: text.optional(),
      alt: text.optional(),
    })
    .transform(({ url, image, src, path, overlay_image, teaser, alt = '' }) => ({
      url: url ?? image ?? src ?? path ?? overlay_image ?? teaser ?? '',
      alt,
    })),
]);

export const cover = z
  .union([picture, z.array(picture).transform(([first]) => first)], 'must be a path or an address')
  .transform((found) => (found?.url ? found : undefined));

export const firstName = z.union([line, z.array(scalar).transform(([first]) => first)], 'must be a name');

export const count = scalar
  .refine((value) => /^[1-9]\d{0,3}$/.test(value), 'must be a whole number from 1')
  .transform(Number);

/** An address on the web. */
export const webAddress = scalar
  .refine((value) => URL.canParse(value) && /^https?:/.test(value), 'must be an http or https address')
  .transform((value) => value as string | undefined);
