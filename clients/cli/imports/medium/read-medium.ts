import { parse, serialize } from 'parse5';
import { parseDate } from '../../folder/dates.ts';
import type { SourceFiles } from '../archive/source-files.ts';
import type { Tell } from '../html/clean-html.ts';
import {
  attribute,
  elementsIn,
  findElement,
  type HtmlElement,
  type HtmlParent,
  hasClass,
  linkParagraph,
  plainText,
  remove,
  replaceWith,
  textOf,
} from '../html/dom.ts';
import { ImportError } from '../import-error.ts';
import type { ImportReport } from '../import-report.ts';
import { barePost, type ImportedPost, type ImportSource } from '../imported-blog.ts';

/** Bytes of the HTML of a post. */
const MAX_POST = 32 * 1_048_576;

/** Posts of an export: `posts/2019-03-04_Title-0a1b2c3d4e5f.html` and `posts/draft_Title-0a1b2c3d4e5f.html`. */
export const MEDIUM_POST = /(?:^|\/)posts\/(?:draft|\d{4}-\d\d-\d\d)_[^/]*\.html$/;

/** Opens an export of Medium, which has posts and drafts, and lists of what somebody read, followed and liked. */
export async function readMedium(files: SourceFiles, report: ImportReport): Promise<ImportSource> {
  const paths = files.paths.filter((path) => MEDIUM_POST.test(path));
  report.remark(null, "Medium's export has no tags: add them to the front matter");
  return {
    settings: {},
    siteUrl: undefined,
    redirects: [],
    async *posts() {
      for (const path of paths) {
        try {
          yield postOf(path, await files.text(path, MAX_POST));
        } catch (error) {
          if (!(error instanceof ImportError)) throw error;
          report.fail(path, error.message);
        }
      }
    },
    imageAt: async () => null,
  };
}

function postOf(path: string, html: string): ImportedPost {
  const root = parse(html);
  const remarks: string[] = [];
  const find = (name: RegExp) => findElement(root, (element) => hasClass(element, name));
  const text = (name: RegExp) => {
    const element = find(name);
    return element === undefined ? '' : textOf(element).replace(/\s+/g, ' ').trim();
  };
  const body = find(/^e-content$/);
  const published = attribute(find(/^dt-published$/), 'datetime');
  const canonical = attribute(find(/^p-canonical$/), 'href');
  const name = path.split('/').at(-1) ?? path;
  // A reply to somebody else's post is exported like a post, but nobody gave it a title.
  const hasTitle =
    body !== undefined && findElement(body, (element) => hasClass(element, /^graf--title$/)) !== undefined;
  const isDraft = name.startsWith('draft_') || published === undefined;
  if (!isDraft && !hasTitle) remarks.push('has no title, as replies to other posts: it is a draft here');
  return {
    ...barePost,
    title: text(/^p-name$/),
    slug: slugOf(canonical, name),
    status: isDraft || !hasTitle ? 'draft' : 'published',
    date: published && parseDate(published),
    description: text(/^p-summary$/) || undefined,
    author: authorOf(find(/^p-author$/)),
    oldAddresses: addressesOf(canonical),
    body: { html: body === undefined ? '' : serialize(body) },
    remarks,
  };
}

/** `https://medium.com/@ada/on-ink-0a1b2c3d4e5f` -> `on-ink`; else by the name of the file. */
function slugOf(canonical: string | undefined, name: string): string {
  const last =
    canonical && URL.canParse(canonical) ? new URL(canonical).pathname.split('/').at(-1) : undefined;
  const words = last ?? name.replace(/^(?:draft|\d{4}-\d\d-\d\d)_+/, '').replace(/\.html$/, '');
  return words.replace(/-+[\da-f]{8,12}$/, '');
}

/** Where the post is on a domain of its own: `/on-ink-0a1b2c3d4e5f`; and on medium.com, whose paths cannot redirect. */
function addressesOf(canonical: string | undefined): string[] {
  if (canonical === undefined || !URL.canParse(canonical)) return [];
  const { pathname } = new URL(canonical);
  const last = pathname.split('/').at(-1);
  return last ? [...new Set([pathname, `/${last}`])] : [];
}

function authorOf(link: HtmlElement | undefined): ImportedPost['author'] {
  const name = link && plainText(textOf(link));
  if (!name) return undefined;
  const url = attribute(link, 'href');
  return { name: name.slice(0, 100), ...(url !== undefined && /^https?:/.test(url) && { url }) };
}

/** What Medium's HTML has beside the text. */
export function prepareMedium(root: HtmlParent, _: Tell): void {
  for (const element of elementsIn(root)) {
    if (element.parentNode === null) continue;
    if (hasClass(element, /^(?:graf--title|graf--subtitle|section-divider)$/)) remove(element);
    else if (hasClass(element, /^graf--mixtapeEmbed$/)) replaceMixtape(element);
  }
}

/** A link that Medium shows as a card. */
function replaceMixtape(card: HtmlElement): void {
  const link = findElement(card, ({ tagName }) => tagName === 'a');
  const href = link && attribute(link, 'href');
  if (link === undefined || href === undefined) return;
  const title = findElement(link, ({ tagName }) => tagName === 'strong');
  replaceWith(card, [linkParagraph(href, (title && textOf(title).trim()) || href)]);
}
