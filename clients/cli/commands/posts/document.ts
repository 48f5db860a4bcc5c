import { stringify } from 'yaml';
import type { Post, UpdatePost } from '../../../sdk/index.ts';
import { updateBody } from '../../deploy/send/bodies.ts';
import type { FolderPost } from '../../folder/folder-post.ts';
import { readFields } from '../../folder/front-matter/fields.ts';
import { FrontMatterError, splitFrontMatter } from '../../folder/front-matter/front-matter.ts';
import { firstHeading } from '../../folder/title.ts';
import { CommandError } from '../../terminal/errors.ts';

/** What a text with front matter says about a post. */
export interface PostDocument {
  readonly post: FolderPost;
  /** As written in the front matter; undefined if it has none. */
  readonly slug: string | undefined;
  /** From the front matter or the first heading. */
  readonly title: string | undefined;
  readonly status: FolderPost['status'] | undefined;
  readonly hasFrontMatter: boolean;
  /** What is understood in another way than it is written. */
  readonly remarks: readonly string[];
}

/**
 * A post as Markdown with front matter, which `readDocument` reads. What Platen makes by itself is left out: a
 * description that is of the text, and the picture of link previews, which may be the one that it draws.
 */
export function documentOf(post: Post): string {
  const { author, cover_image: cover, series } = post;
  const fields = {
    title: post.title,
    slug: post.slug,
    type: post.type === 'page' ? 'page' : undefined,
    date: post.published_at ?? undefined,
    tags: post.tags.length > 0 ? post.tags : undefined,
    description: isFromText(post) ? undefined : post.meta_description,
    canonical_url: post.canonical_url ?? undefined,
    cover_image: cover?.alt === '' ? cover.url : (cover ?? undefined),
    author: author
      ? Object.fromEntries(Object.entries(author).filter(([, value]) => value !== null))
      : undefined,
    series: series?.name,
    series_order: series?.part,
    language: post.language ?? undefined,
    featured: post.featured || undefined,
    unlisted: post.unlisted || undefined,
    translations: Object.keys(post.translations).length > 0 ? post.translations : undefined,
  };
  const text = post.content_md.endsWith('\n') ? post.content_md : `${post.content_md}\n`;
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${text}`;
}

/** Whether the description is in the text, word for word: the API does not say whether it was given. */
const isFromText = ({ meta_description: description, content_html: html }: Post): boolean =>
  lettersOf(html.replace(/<[^>]*>|&#?\w+;/g, '')).includes(lettersOf(description));

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Reads a text with front matter. If neither that nor `title` has a title, the first heading is it. Throws a CommandError
 * that names the file and the line.
 */
export function readDocument(text: string, file: string, title?: string): PostDocument {
  const split = splitOf(text, file);
  const { fields, errors, remarks } = readFields(split);
  const inWords = ({ line, message }: (typeof errors)[number]) =>
    `${file}${line ? `:${line}` : ''}: ${message}`;
  if (errors.length > 0) throw new CommandError(errors.map(inWords).join('\n'));
  const body = split.body.replace(/^(?:[ \t]*\r?\n)+/, '');
  const heading = (title ?? fields.title) === undefined ? firstHeading(body) : undefined;
  const { author, series, cover } = fields;
  const post = {
    ...fields,
    file,
    slug: fields.slug ?? '',
    title: title ?? fields.title ?? heading?.text ?? '',
    content: heading?.startsText ? heading.rest.replace(/^\n+/, '') : body,
    status: fields.status ?? ('draft' as const),
    cover: cover && { url: cover.url, alt: cover.alt },
    author: author && {
      name: author.name,
      ...(author.url !== undefined && { url: author.url }),
      ...(author.image !== undefined && { image: author.image }),
    },
    series: series && { name: series.name, ...(series.part !== undefined && { part: series.part }) },
  };
  return {
    post,
    slug: fields.slug,
    title: post.title || undefined,
    status: fields.status,
    hasFrontMatter: split.bodyLine > 1,
    remarks: remarks.map(inWords),
  };
}

/** A text that is all body, as it is. */
export function plainDocument(content: string): PostDocument {
  const empty = readDocument('', '', '');
  return { ...empty, post: { ...empty.post, content } };
}

function splitOf(text: string, file: string) {
  try {
    return splitFrontMatter(text);
  } catch (error) {
    if (error instanceof FrontMatterError) throw new CommandError(`${file}:${error.line}: ${error.message}`);
    throw error;
  }
}

/** Pictures of a single text have addresses already. */
const noImages: ReadonlyMap<string, string> = new Map();

/** The fields in which one text says something else than another. */
export function changesBetween(before: PostDocument, after: PostDocument): UpdatePost {
  const [{ meta: metaBefore, ...old }, { meta, ...fields }] = [before, after].map(({ post }) =>
    updateBody(post, noImages),
  ) as [ReturnType<typeof updateBody>, ReturnType<typeof updateBody>];
  return {
    ...differing(old, fields),
    ...(Object.keys(differing(metaBefore, meta)).length > 0 && { meta: differing(metaBefore, meta) }),
    ...(after.slug !== undefined && after.slug !== before.slug && { slug: after.slug }),
    ...(after.post.date !== undefined &&
      after.post.date !== before.post.date && { published_at: after.post.date }),
  };
}

function differing<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(Object.entries(before).find(([other]) => other === name)?.[1]),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
