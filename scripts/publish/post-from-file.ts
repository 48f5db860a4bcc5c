import { slugFromTitle } from '../../server/addresses/slug.ts';
import { nameOfPath } from './folder-slugs.ts';
import { splitFrontMatter } from './front-matter.ts';

/** The interface's limits on tags. */
const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 50;

/** One Markdown file, as far as it can be told without its neighbours. */
export interface FilePost {
  readonly title: string;
  readonly content: string;
  readonly description: string | undefined;
  /** The slug that the front matter asks for, as `slug` or as `path`. */
  readonly slug: string | undefined;
  readonly tags: readonly string[];
  readonly draft: boolean;
  /** Undefined where the front matter has none to say. */
  readonly translations: Readonly<Record<string, string>> | undefined;
  /** What was left out or cut, in words. */
  readonly notes: readonly string[];
}

/**
 * Reads a post out of a Markdown file's bytes. A title that is missing from the front matter is the first `#`
 * heading, and that heading is taken out where it opens the text, since a post's page shows its title itself;
 * where there is no heading either, the file's name serves.
 *
 * @throws FrontMatterError, or a TypeError where the bytes are not UTF-8
 */
export function postFromFile(path: string, bytes: Uint8Array): FilePost {
  const { fields, body } = splitFrontMatter(decode(bytes));
  const heading = fields.title === undefined ? firstHeading(body) : undefined;
  const { tags, notes } = clampTags(fields.tags);
  return {
    title: fields.title ?? heading?.text ?? readable(nameOfPath(path)),
    content: heading?.opens ? heading.rest : body,
    description: fields.description,
    slug: fields.slug ?? (slugFromTitle(fields.path?.replaceAll('/', ' ') ?? '') || undefined),
    tags,
    draft: fields.draft,
    translations: fields.translations,
    notes,
  };
}

/** Takes a byte order mark off, too. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError('is not UTF-8 text');
  }
}

interface Heading {
  readonly text: string;
  /** Whether nothing stands before it. */
  readonly opens: boolean;
  /** What follows it. */
  readonly rest: string;
}

/** The first `# heading` outside of a fenced code block, in which a `#` is more likely to be a comment. */
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
    else if (fence === undefined && text) return { text: plain(text), opens, rest: body.slice(offset) };
    if (line.trim() !== '') opens = false;
  }
  return undefined;
}

/** A title is text, not Markdown: links keep their words, emphasis and code lose their marks. */
const plain = (heading: string): string =>
  heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');

/** `2024-05-01-how_it-works` -> `How it works`. */
function readable(name: string): string {
  const words = name
    .replace(/^\d{4}-\d{2}-\d{2}[-_]+/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function clampTags(all: readonly string[]): { tags: string[]; notes: string[] } {
  const notes: string[] = [];
  const shortened = all.map((tag) => {
    const short = cut(tag);
    if (short !== tag) notes.push(`a tag was cut to ${MAX_TAG_LENGTH} characters: ${short}`);
    return short;
  });
  const tags = shortened.filter(
    (tag, index) => shortened.findIndex((other) => other.toLowerCase() === tag.toLowerCase()) === index,
  );
  if (tags.length > MAX_TAGS) notes.push(`${tags.length} tags, of which the first ${MAX_TAGS} were kept`);
  return { tags: tags.slice(0, MAX_TAGS), notes };
}

/** Cuts between characters as readers see them, so that no accent or emoji is torn. */
function cut(tag: string): string {
  if (tag.length <= MAX_TAG_LENGTH) return tag;
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(tag)) {
    if (short.length + segment.length > MAX_TAG_LENGTH) break;
    short += segment;
  }
  return short.trim();
}
