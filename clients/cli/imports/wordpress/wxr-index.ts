import type { SourceFiles } from '../archive/source-files.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedSettings } from '../imported-blog.ts';
import { childText, itemOf, type WxrItem } from './wxr-item.ts';
import { type OnFault, readWxr, type WxrElement } from './wxr-stream.ts';

/** What posts refer to, wherever it stands in the files: read in a first pass, and small. */
export interface WxrIndex {
  readonly settings: ImportedSettings;
  readonly siteUrl: string | undefined;
  /** Names of authors, by their logins. */
  readonly authors: ReadonlyMap<string, string>;
  /** Images of the library, by their numbers. */
  readonly attachments: ReadonlyMap<string, { readonly url: string; readonly alt: string }>;
  /** Addresses of all files of the library. */
  readonly files: ReadonlySet<string>;
}

/** Kinds of items that are parts of the system, and are not missed. */
const INCIDENTAL = new Set([
  'revision',
  'attachment',
  'oembed_cache',
  'customize_changeset',
  'wp_global_styles',
  'user_request',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
]);

/** Reads files of one export, in which everything is checked before anything is written. */
export async function indexWxr(
  files: SourceFiles,
  paths: readonly string[],
  report: ImportReport,
): Promise<WxrIndex> {
  const channel = new Map<string, string>();
  const authors = new Map<string, string>();
  const attachments = new Map<string, { url: string; alt: string }>();
  for (const path of paths) {
    const onFault: OnFault = (message, line) =>
      report.remark(null, `${files.placeOf(path, line)}: read as it is: ${message}`);
    for await (const element of elementsOf(files, path, onFault)) {
      if (element.name === 'wp:author') {
        const name = childText(element, 'wp:author_display_name') || childText(element, 'wp:author_login');
        authors.set(childText(element, 'wp:author_login'), name);
      } else if (element.name === 'item') note(itemOf(element), attachments, report);
      else if (element.children.length === 0 && !channel.has(element.name))
        channel.set(element.name, element.text.trim());
    }
  }
  return {
    settings: {
      name: channel.get('title'),
      description: channel.get('description'),
      language: channel.get('language'),
    },
    siteUrl: channel.get('wp:base_blog_url') || channel.get('link'),
    authors,
    attachments,
    files: new Set([...attachments.values()].map(({ url }) => url)),
  };
}

export async function* elementsOf(
  files: SourceFiles,
  path: string,
  onFault: OnFault,
): AsyncGenerator<WxrElement> {
  yield* readWxr(await files.stream(path), (line) => files.placeOf(path, line), onFault);
}

function note(
  item: WxrItem,
  attachments: Map<string, { url: string; alt: string }>,
  report: ImportReport,
): void {
  report.count('comments', item.comments);
  if (item.kind === 'attachment') {
    const alt = item.meta('_wp_attachment_image_alt') ?? '';
    attachments.set(item.id, { url: item.attachmentUrl, alt });
  } else if (item.kind !== 'post' && item.kind !== 'page' && !INCIDENTAL.has(item.kind)) {
    report.count(`entries of the kind ${item.kind || 'unknown'}`, 1);
  } else if (/^(?:trash|auto-draft)$/.test(item.status)) report.count('posts in the trash', 1);
}
