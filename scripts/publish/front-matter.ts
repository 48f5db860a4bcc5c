import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { type FileDetails, readDetails } from './details.ts';

/** Fields of a post's front matter; all are optional. */
export interface FrontMatter {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly slug: string | undefined;
  /** The post's path in a Zola site: `2015/05/11/traits`. */
  readonly path: string | undefined;
  /** Earlier addresses of the post: `aliases` of Hugo and Zola, `redirect_from` of Jekyll. */
  readonly oldAddresses: readonly string[];
  /** Tags as written, then the category; neither clamped nor deduplicated. */
  readonly tags: readonly string[];
  readonly draft: boolean;
  /** Date of publication, as written. */
  readonly date: string | undefined;
  /** Translations of the post: slug or URL by language tag. */
  readonly translations: Readonly<Record<string, string>> | undefined;
  readonly details: FileDetails;
  /** Messages about what was omitted. */
  readonly notes: readonly string[];
}

/** Invalid front matter; the message has the parser's reason. */
export class FrontMatterError extends Error {}

/**
 * Splits a Markdown file into its front matter, YAML between `---` or TOML between `+++`, and the body. A file that
 * does not start with a fence, or never closes it, is all body. Throws FrontMatterError.
 */
export function splitFrontMatter(source: string): { fields: FrontMatter; body: string } {
  const match = /^(---|\+\+\+)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(source);
  if (match === null) return { fields: readFields({}), body: source };
  const [block, fence, text = ''] = match;
  // The empty line replaces the fence, so that the parsers report the file's line numbers.
  const data = parseData(`\n${text}\n`, fence === '+++' ? 'TOML' : 'YAML');
  return { fields: readFields(data), body: source.slice(block.length) };
}

function parseData(text: string, format: 'TOML' | 'YAML'): unknown {
  try {
    if (format === 'TOML') return parseToml(text, { integersAsBigInt: 'asNeeded' });
    // Failsafe schema: scalars stay text, so the title 1.10 does not become the number 1.1.
    return parseYaml(text, { schema: 'failsafe', customTags: ['null'], logLevel: 'error' }) ?? {};
  } catch (error) {
    if (error instanceof YAMLParseError)
      throw new FrontMatterError(reason(format, error.message.split('\n')[0]));
    if (error instanceof TomlError) {
      const [message] = error.message.replace('Invalid TOML document: ', '').split('\n');
      throw new FrontMatterError(reason(format, `${message} at line ${error.line}, column ${error.column}`));
    }
    throw new FrontMatterError(reason(format, error instanceof Error ? error.message : String(error)));
  }
}

const reason = (format: string, message = ''): string =>
  `front matter is not valid ${format}: ${message.replace(/:$/, '')}`;

const scalar = z
  .union([z.string(), z.number(), z.bigint(), z.boolean()], 'must be plain text')
  .transform((value) => String(value).trim());
const text = scalar.nullish().transform((value) => value || undefined);
/** A truth value in any spelling of YAML. A typo must not publish a draft. */
const truth = scalar
  .nullish()
  .transform((value) => (value ?? '').toLowerCase())
  .refine((value) => /^(?:|true|false|yes|no|on|off)$/.test(value), 'must be true or false')
  .transform((value) => (value === '' ? undefined : /^(?:true|yes|on)$/.test(value)));
const tagList = z
  .union(
    [
      scalar.transform((list) => list.split(',').map((tag) => tag.trim())),
      z.array(scalar.nullable().transform((tag) => tag ?? '')),
    ],
    'must be a list of words, or words separated by commas',
  )
  .nullish()
  .transform((tags) => (tags ?? []).filter((tag) => tag !== ''));

const addressList = z
  .union([scalar.transform((address) => [address]), z.array(scalar)], 'must be a list of paths')
  .nullish()
  .transform((addresses) => (addresses ?? []).filter((address) => address !== ''));

const schema = z.object(
  {
    title: text,
    description: text,
    slug: text,
    path: text,
    aliases: addressList,
    redirect_from: addressList,
    tags: tagList,
    category: text,
    draft: truth,
    published: truth,
    date: z.union([text, z.date().transform((date) => date.toISOString())], 'must be a date'),
    taxonomies: z.object({ tags: tagList }).nullish(),
    translations: z
      .record(z.string(), scalar, 'must map language tags to slugs or URLs')
      .nullish()
      .transform((translations) => translations ?? undefined),
  },
  'must be a list of fields',
);

function readFields(data: unknown): FrontMatter {
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map((issue) => [...issue.path, issue.message].join(' '));
    throw new FrontMatterError(`front matter: ${reasons.join('; ')}`);
  }
  const { tags, taxonomies, category, draft, published, aliases, redirect_from, ...fields } = parsed.data;
  return {
    ...fields,
    oldAddresses: [...aliases, ...redirect_from],
    tags: [...tags, ...(taxonomies?.tags ?? []), ...(category === undefined ? [] : [category])],
    draft: draft === true || published === false,
    ...readDetails(data),
  };
}
