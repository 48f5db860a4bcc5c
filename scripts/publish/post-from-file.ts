import { slugFromTitle } from '../../server/addresses/slug.ts';
import type { FileDetails } from './details.ts';
import { nameOfPath } from './folder-slugs.ts';
import { splitFrontMatter } from './front-matter.ts';

/** The interface's limits on tags. */
const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 50;

/** The post in one Markdown file, before its slug is made unique in the folder. */
export interface FilePost {
  readonly title: string;
  readonly content: string;
  readonly description: string | undefined;
  /** The slug from the front matter's `slug` or `path`. */
  readonly slug: string | undefined;
  readonly oldAddresses: readonly string[];
  readonly tags: readonly string[];
  readonly draft: boolean;
  /**
   * When the post was published (ISO 8601 in UTC): from the front matter, or else from the beginning of the file's
   * name.
   */
  readonly publishedAt: string | undefined;
  /** Undefined if the front matter has none. */
  readonly translations: Readonly<Record<string, string>> | undefined;
  readonly details: FileDetails;
  /** Messages about what was omitted or shortened. */
  readonly notes: readonly string[];
}

/**
 * Reads a post from the bytes of a Markdown file. If the front matter has no title, the title is the first `#`
 * heading, which is removed if it starts the text, because the post's page shows the title itself. Without a heading,
 * the title is made of the file name.
 *
 * @throws FrontMatterError, or a TypeError if the bytes are not UTF-8
 */
export function postFromFile(path: string, bytes: Uint8Array): FilePost {
  const { fields, body } = splitFrontMatter(decode(bytes));
  const heading = fields.title === undefined ? firstHeading(body) : undefined;
  const { tags, notes } = clampTags(fields.tags);
  const date = fields.date ?? DATE_IN_NAME.exec(nameOfPath(path))?.[1];
  const publishedAt = timeOf(date);
  if (date !== undefined && publishedAt === undefined) notes.push(`the date is not understood: ${date}`);
  return {
    title: fields.title ?? heading?.text ?? titleFromName(nameOfPath(path)),
    content: heading?.startsText ? heading.rest : body,
    description: fields.description,
    slug: fields.slug ?? (slugFromTitle(fields.path?.replaceAll('/', ' ') ?? '') || undefined),
    oldAddresses: fields.oldAddresses,
    tags,
    draft: fields.draft,
    publishedAt,
    translations: fields.translations,
    details: fields.details,
    notes: [...fields.notes, ...notes],
  };
}

const DATE_IN_NAME = /^(\d{4}-\d{2}-\d{2})[-_]+/;

/**
 * The moment of a date as static site generators write it. Without a time zone it is in UTC. Undefined if it is none.
 */
function timeOf(date: string | undefined): string | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(date ?? '') ??
    [];
  const moment = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2').toUpperCase()}`);
  // A day that its month does not have would become a day of the next month.
  const exists = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  return day !== '' && exists && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined;
}

/** Decodes UTF-8 and removes a byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError('is not UTF-8 text');
  }
}

interface Heading {
  readonly text: string;
  /** Whether it starts the text. */
  readonly startsText: boolean;
  /** The text after it. */
  readonly rest: string;
}

/** The first `# heading` outside fenced code blocks, where a `#` usually starts a comment. */
function firstHeading(body: string): Heading | undefined {
  let fence: string | undefined;
  let offset = 0;
  let opens = true;
  for (const line of body.split('\n')) {
    offset += line.length + 1;
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const text = /^ {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?\s*$/.exec(line)?.[1];
    if (ticks !== undefined && fence === undefined) fence = ticks;
    else if (fence !== undefined && ticks?.startsWith(fence)) fence = undefined;
    else if (fence === undefined && text)
      return { text: plainText(text), startsText: opens, rest: body.slice(offset) };
    if (line.trim() !== '') opens = false;
  }
  return undefined;
}

/** Converts a heading to plain text: links keep their text, emphasis and code lose their markers. */
const plainText = (heading: string): string =>
  heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');

/** `2024-05-01-how_it-works` -> `How it works`. */
function titleFromName(name: string): string {
  const words = name
    .replace(DATE_IN_NAME, '')
    .replace(/[-_\s]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function clampTags(all: readonly string[]): { tags: string[]; notes: string[] } {
  const notes: string[] = [];
  const shortened = all.map((tag) => {
    const short = truncateTag(tag);
    if (short !== tag) notes.push(`a tag was shortened to ${MAX_TAG_LENGTH} characters: ${short}`);
    return short;
  });
  const tags = shortened.filter(
    (tag, index) => shortened.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === index,
  );
  if (tags.length > MAX_TAGS) notes.push(`${tags.length} tags, only the first ${MAX_TAGS} were kept`);
  return { tags: tags.slice(0, MAX_TAGS), notes };
}

/** Shortens a tag at a grapheme boundary, so that accents and emoji stay whole. */
function truncateTag(tag: string): string {
  if (tag.length <= MAX_TAG_LENGTH) return tag;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(tag)) {
    if (short.length + segment.length > MAX_TAG_LENGTH) break;
    short += segment;
  }
  return short.trim();
}
