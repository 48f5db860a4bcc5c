import { convertMarkdown } from './convert.ts';
import { dateInPath, parseDate } from './dates.ts';
import { type FileMessage, type LineMessage, lineAt } from './file-message.ts';
import { type FolderPost, imageMark } from './folder-post.ts';
import { type Fields, type PostStatus, readFields } from './front-matter/fields.ts';
import { FrontMatterError, type SplitFile, splitFrontMatter } from './front-matter/front-matter.ts';
import type { SiteGenerator } from './generator.ts';
import { type ImageFiles, isImageName, pathOfReference } from './image-files.ts';
import { type LinkTargets, replaceReferences } from './references.ts';
import { nameOfPath } from './slugs.ts';
import { MAX_CONTENT_BYTES } from './source-file.ts';
import { firstHeading, titleFromName } from './title.ts';
import { isMarkdown } from './walk.ts';

/** What a file says about itself, before its place among the others is known. */
export interface FileHead {
  readonly fields: Fields;
  readonly errors: readonly LineMessage[];
  readonly remarks: readonly LineMessage[];
}

/** Reads the front matter of a file. */
export function readHead(source: string, generator: SiteGenerator): FileHead & { readonly split: SplitFile } {
  const split = splitFrontMatter(source);
  return { ...readFields(split, { isJekyll: generator === 'jekyll' }), split };
}

/** The front matter's reason why a file is no post, with its line. */
export const problemOf = (error: unknown): LineMessage | null =>
  error instanceof FrontMatterError ? { message: error.message, line: error.line } : null;

export interface PostSurroundings {
  readonly generator: SiteGenerator;
  readonly links: LinkTargets;
  readonly images: ImageFiles;
  readonly now: Date;
}

export interface ReadPost {
  readonly post: FolderPost;
  readonly remarks: readonly FileMessage[];
  /** Paths of its images, by their hashes. */
  readonly imagePaths: ReadonlyMap<string, string>;
}

/**
 * Makes the post of a file. If the front matter has no title, the title is the first `#` heading, which is removed if it
 * starts the text, because the post's page shows the title itself. Without a heading, it is made of the file name.
 * Throws a ContentError.
 */
export async function readPost(
  file: string,
  slug: string,
  source: string,
  around: PostSurroundings,
): Promise<ReadPost> {
  const { fields, split, ...head } = readHead(source, around.generator);
  const remarks: LineMessage[] = [...head.remarks];
  const heading = fields.title === undefined ? firstHeading(split.body) : undefined;
  const body = heading?.startsText ? heading.rest : split.body;
  const firstLine = lineAt(source, source.length - body.length);
  const context = { file, generator: around.generator };
  const converted = convertMarkdown(body, context, (message, line) => {
    remarks.push({ message, line: firstLine + line - 1 });
  });
  const pictures = await findPictures(file, converted, fields, around.images);
  const lineOf = (text: string) => {
    const at = source.indexOf(text);
    return at === -1 ? undefined : lineAt(source, at);
  };
  for (const { reference, problem } of pictures.problems)
    remarks.push({ message: problem, line: lineOf(reference) });
  const content = replaceReferences(converted, (address, isImage) => {
    const slugOfTarget = around.links.find(file, address);
    if (slugOfTarget !== undefined && !(isImage && isImageName(address))) {
      return `/${slugOfTarget}/${/#[^?]*$/.exec(address)?.[0] ?? ''}`;
    }
    const mark = pictures.marks.get(address);
    if (mark === undefined && isMarkdown(pathOfReference(address) ?? '')) {
      remarks.push({
        message: `the link to ${address} leads to no post of the folder`,
        line: lineOf(address),
      });
    }
    return mark ?? null;
  });
  if (content.trim() === '') throw new ContentError('has no text below its title');
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) {
    throw new ContentError('has more than 1 MB of Markdown, the most that a post may have');
  }
  const title = fields.title ?? heading?.text ?? titleFromName(nameOfPath(file));
  return {
    post: { ...postOf(file, fields, pictures.marks, around.now), slug, title, content },
    remarks: remarks.map((remark) => ({ file, ...remark })),
    imagePaths: pictures.paths,
  };
}

/** A file whose text cannot be a post. */
export class ContentError extends Error {}

function postOf(
  file: string,
  fields: Fields,
  marks: ReadonlyMap<string, string>,
  now: Date,
): Omit<FolderPost, 'slug' | 'title' | 'content'> {
  const { cover, author, series } = fields;
  const written = dateInPath(file);
  const date = fields.date ?? (written && parseDate(written));
  const status = statusOf(file, fields, date, now);
  const addressOf = (reference: string | undefined): string | undefined =>
    reference === undefined ? undefined : (marks.get(reference) ?? webAddress(reference));
  const page = webAddress(author?.url ?? '');
  const [coverUrl, portrait] = [addressOf(cover?.url), addressOf(author?.image)];
  return {
    file,
    status,
    date: status === 'draft' ? undefined : date,
    type: fields.type,
    tags: fields.tags,
    description: fields.description,
    previewImage: addressOf(fields.previewImage),
    canonicalUrl: fields.canonicalUrl,
    cover: cover && coverUrl ? { url: coverUrl, alt: cover.alt.slice(0, 500) } : undefined,
    author: author && { name: author.name, ...(page && { url: page }), ...(portrait && { image: portrait }) },
    series: series && { name: series.name, ...(series.part !== undefined && { part: series.part }) },
    featured: fields.featured,
    unlisted: fields.unlisted,
    translations: fields.translations,
    language: fields.language,
    oldAddresses: fields.oldAddresses,
  };
}

const webAddress = (address: string): string | undefined =>
  /^https?:\/\//.test(address) && URL.canParse(address) ? address : undefined;

/** A post whose date is in the future is scheduled, as other generators leave it out until then. */
function statusOf(file: string, { status }: Fields, date: string | undefined, now: Date): PostStatus {
  if (status === 'draft' || (status === undefined && /(?:^|\/)_drafts\//.test(file))) return 'draft';
  return date !== undefined && new Date(date) > now ? 'scheduled' : 'published';
}

interface Pictures {
  /** What an address becomes, by how it is written. */
  readonly marks: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
  readonly problems: readonly { readonly reference: string; readonly problem: string }[];
}

async function findPictures(
  file: string,
  text: string,
  fields: Fields,
  images: ImageFiles,
): Promise<Pictures> {
  const named = new Set<string>();
  replaceReferences(text, (address, isImage) => {
    if (isImage || isImageName(pathOfReference(address) ?? '')) named.add(address);
    return null;
  });
  for (const address of [fields.cover?.url, fields.previewImage, fields.author?.image]) {
    if (address !== undefined) named.add(address);
  }
  const marks = new Map<string, string>();
  const paths = new Map<string, string>();
  const problems: { reference: string; problem: string }[] = [];
  for (const reference of named) {
    if (pathOfReference(reference) === null) continue;
    const found = await images.find(file, reference);
    if (found === null) {
      if (!isMarkdown(reference))
        problems.push({ reference, problem: `the image ${reference} is not in the folder` });
    } else if ('refusal' in found) {
      problems.push({ reference, problem: `the image ${reference} ${found.refusal}` });
    } else {
      marks.set(reference, imageMark(found.hash));
      paths.set(found.hash, found.path);
    }
  }
  return { marks, paths, problems };
}
