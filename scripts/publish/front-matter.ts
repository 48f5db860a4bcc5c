import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { z } from 'zod';

/** What a post's front matter says about it; every field may be missing. */
export interface FrontMatter {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly slug: string | undefined;
  /** The address that a site made with Zola gave the post: `2015/05/11/traits`. */
  readonly path: string | undefined;
  /** As written, the category last; neither clamped nor deduplicated. */
  readonly tags: readonly string[];
  readonly draft: boolean;
  /** Where the post can be read in other languages: a slug or an address by language tag. */
  readonly translations: Readonly<Record<string, string>> | undefined;
}

/** Front matter that is there but cannot be read; the message is the parser's reason. */
export class FrontMatterError extends Error {}

/**
 * Divides a Markdown file into its front matter, YAML between `---` or TOML between `+++`, and the body. A file
 * that does not begin with a fence, or whose fence is never closed, is all body.
 */
export function splitFrontMatter(source: string): { fields: FrontMatter; body: string } {
  const match = /^(---|\+\+\+)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(source);
  if (match === null) return { fields: readFields({}), body: source };
  const [block, fence, text = ''] = match;
  // The empty line stands for the fence, so that the parsers count lines as the file does.
  const data = parseData(`\n${text}\n`, fence === '+++' ? 'TOML' : 'YAML');
  return { fields: readFields(data), body: source.slice(block.length) };
}

function parseData(text: string, format: 'TOML' | 'YAML'): unknown {
  try {
    if (format === 'TOML') return parseToml(text, { integersAsBigInt: 'asNeeded' });
    // Failsafe: a scalar is the text that was written, so that the title 1.10 is not the number 1.1.
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

const schema = z.object(
  {
    title: text,
    description: text,
    slug: text,
    path: text,
    tags: tagList,
    category: text,
    draft: text,
    taxonomies: z.object({ tags: tagList }).nullish(),
    translations: z
      .record(z.string(), scalar, 'must lead from language tags to slugs or addresses')
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
  const { tags, taxonomies, category, draft, ...fields } = parsed.data;
  return {
    ...fields,
    tags: [...tags, ...(taxonomies?.tags ?? []), ...(category === undefined ? [] : [category])],
    draft: draft?.toLowerCase() === 'true',
  };
}
