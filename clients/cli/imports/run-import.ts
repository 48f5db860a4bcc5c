import type { OutputFolder } from '../folder/output/output-folder.ts';
import { postFile, type WrittenPost } from '../folder/output/write-post.ts';
import { MAX_SLUG, slugFromWords } from '../folder/slugs.ts';
import { MAX_CONTENT_BYTES, sizeOf } from '../folder/source-file.ts';
import { titleFromName } from '../folder/title.ts';
import { HtmlError, type Prepare } from './html/clean-html.ts';
import { htmlToMarkdown } from './html/to-markdown.ts';
import { createImageStore } from './images/image-store.ts';
import { ImportError } from './import-error.ts';
import { type ImportReport, reportText } from './import-report.ts';
import type { ImportedPost, ImportSource } from './imported-blog.ts';
import { type LocaliseOptions, localImage, localise } from './localise.ts';
import { settingsFile } from './settings-file.ts';

export interface ImportOptions {
  readonly source: ImportSource;
  readonly output: OutputFolder;
  readonly report: ImportReport;
  /** What the system does in HTML of its own. */
  readonly prepare: Prepare;
  /** Whether images that the export does not have are fetched. */
  readonly fetchesImages: boolean;
  readonly imageTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export interface ImportCounts {
  readonly posts: number;
  readonly pages: number;
  readonly drafts: number;
  readonly images: number;
  readonly missingImages: number;
}

export const REPORT_FILE = 'import-report.txt';

/**
 * Writes the posts of an export as a folder that `platen deploy` takes. A post that cannot be imported is in the report.
 * Throws an ImportError if there is no post at all, and what the signal throws.
 */
export async function runImport(options: ImportOptions): Promise<ImportCounts> {
  const { source, output, report, signal } = options;
  const images = await createImageStore({
    output,
    imageAt: (address) => source.imageAt(address),
    fetches: options.fetchesImages,
    timeoutMs: options.imageTimeoutMs,
    signal,
  });
  const slugs = createSlugs();
  const counts = { posts: 0, pages: 0, drafts: 0 };
  let seen = 0;
  for await (const post of source.posts()) {
    signal?.throwIfAborted();
    seen += 1;
    options.onProgress?.(seen);
    const { slug, isRenamed } = slugs.take(post);
    const tell = (message: string) => report.remark(slug, message);
    if (isRenamed) tell(`another post has its slug, too: its address is /${slug}/ now`);
    for (const remark of post.remarks) tell(remark);
    const written = await writtenPost(post, slug, options, { images, siteUrl: source.siteUrl, tell });
    if (written === null) continue;
    await output.write(fileOf(written), postFile(written));
    counts[written.status === 'draft' ? 'drafts' : written.type === 'page' ? 'pages' : 'posts'] += 1;
  }
  if (seen === 0) throw new ImportError('there is no post in it');
  await output.write('platen.yaml', settingsFile(source));
  await output.write(REPORT_FILE, reportText(report));
  await output.finish();
  return { ...counts, images: images.counts.fetched, missingImages: images.counts.missing };
}

/** The post as its file is to say it; null if it cannot be imported, which the report then says. */
async function writtenPost(
  post: ImportedPost,
  slug: string,
  { report, prepare }: ImportOptions,
  local: LocaliseOptions,
): Promise<WrittenPost | null> {
  const { body, remarks: _, ...fields } = post;
  let content: string;
  try {
    const markdown =
      'html' in body ? htmlToMarkdown(body.html, prepare, onceEach(local.tell)) : body.markdown;
    content = await localise(markdown, local);
  } catch (error) {
    if (!(error instanceof HtmlError)) throw error;
    report.fail(slug, error.message);
    return null;
  }
  if (content.trim() === '') {
    report.fail(slug, 'has no text: a post needs some');
    return null;
  }
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) {
    const size = sizeOf(Buffer.byteLength(content));
    report.fail(slug, `has ${size} of Markdown: a post has at most 1 MB`);
    return null;
  }
  const picture = async (address: string | undefined) =>
    address === undefined ? undefined : ((await localImage(address, local)) ?? webAddress(address));
  const [cover, previewImage, portrait] = [
    await picture(post.cover?.url),
    await picture(post.previewImage),
    await picture(post.author?.image),
  ];
  return {
    ...fields,
    slug,
    content,
    title: [...(post.title.trim() || titleFromName(slug))].slice(0, MAX_TITLE).join(''),
    description: post.description && [...post.description].slice(0, MAX_DESCRIPTION).join(''),
    cover: cover === undefined ? undefined : { url: cover, alt: post.cover?.alt ?? '' },
    previewImage,
    author: post.author && {
      name: post.author.name,
      ...(post.author.url !== undefined && { url: post.author.url }),
      ...(portrait !== undefined && { image: portrait }),
    },
    oldAddresses: post.oldAddresses.filter((path) => path.replace(/\/?$/, '/') !== `/${slug}/`),
  };
}

/** The limits of the API, in characters. */
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 1_000;

const webAddress = (address: string): string | undefined =>
  /^https?:/.test(address) && URL.canParse(address) ? address : undefined;

function onceEach(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) tell(message);
    told.add(message);
  };
}

/** `posts/2024-05-01-ink.md`: in the order of publication, which a deploy keeps. */
function fileOf({ type, status, date, slug }: WrittenPost): string {
  if (status === 'draft') return `drafts/${slug}.md`;
  return type === 'page'
    ? `pages/${slug}.md`
    : `posts/${date === undefined ? '' : `${date.slice(0, 10)}-`}${slug}.md`;
}

/** Gives every post a slug of its own. The first that asks for one gets it; others get `-2`, `-3`. */
function createSlugs() {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return {
    take({ slug, title }: ImportedPost): { slug: string; isRenamed: boolean } {
      const wanted = slugFromWords(slug) || slugFromWords(title) || 'post';
      let [found, number] = [wanted, next.get(wanted) ?? 2];
      for (; taken.has(found); number += 1)
        found = `${wanted.slice(0, MAX_SLUG - `-${number}`.length).replace(/-+$/, '')}-${number}`;
      next.set(wanted, number);
      taken.add(found);
      return { slug: found, isRenamed: found !== wanted };
    },
  };
}
