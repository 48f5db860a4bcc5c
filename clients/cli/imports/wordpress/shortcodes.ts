import { attributesOf } from '../../folder/dialects/embeds.ts';
import type { Tell } from '../html/clean-html.ts';
import { escapePlain } from '../html/escape.ts';

/** An image of the library, by its number. */
export type FindAttachment = (id: string) => { readonly url: string; readonly alt: string } | undefined;

/** `[name attributes]`, or `[[name]]`, which is shown as it is. The name is not that of a footnote or a word in brackets. */
const OPENING = /\[(\[?)([a-z][\w-]*)((?:\s+|=|\/)[^[\]]*)?\](\]?)/gi;

/** Shortcodes of WordPress itself and of those plugins that every blog has, to HTML. Others stay, and are named. */
export function convertShortcodes(html: string, findAttachment: FindAttachment, tell: Tell): string {
  if (!html.includes('[')) return html;
  const unknown = new Set<string>();
  const closings = findClosings(html.toLowerCase());
  let result = '';
  let at = 0;
  for (const match of html.matchAll(OPENING)) {
    const [whole, escaped, name = '', attributes = '', after] = match;
    if (match.index < at) continue;
    const start = match.index;
    if (escaped && after) {
      result += html.slice(at, start) + whole.slice(1, -1);
      at = start + whole.length;
      continue;
    }
    const end = start + whole.length - (after?.length ?? 0);
    const opening = start + (escaped?.length ?? 0);
    const closing = `[/${name}]`;
    const close = attributes.trimEnd().endsWith('/') ? -1 : closings.after(closing, end);
    const inner = close === -1 ? '' : html.slice(end, close);
    const made = convert(name.toLowerCase(), attributes, inner, { findAttachment, tell });
    if (made === undefined) {
      if (close !== -1 || /=/.test(attributes) || /[_-]/.test(name)) unknown.add(name);
      continue;
    }
    result += html.slice(at, opening) + made;
    at = close === -1 ? end : close + closing.length;
  }
  for (const name of unknown)
    tell(`Platen has nothing for the shortcode [${name}]: it stays as it is written`);
  return result + html.slice(at);
}

/** Finds closing tags, each part of the text once: a text may have a million that open. */
function findClosings(lower: string) {
  const next = new Map<string, number>();
  return {
    /** Offset of the first one from an offset on, which never goes back; -1 if there is none. */
    after(closing: string, from: number): number {
      const name = closing.toLowerCase();
      const known = next.get(name);
      if (known !== undefined && (known === -1 || known >= from)) return known;
      const found = lower.indexOf(name, from);
      next.set(name, found);
      return found;
    },
  };
}

interface Around {
  readonly findAttachment: FindAttachment;
  readonly tell: Tell;
}

function convert(
  name: string,
  attributes: string,
  inner: string,
  { findAttachment, tell }: Around,
): string | undefined {
  const { named, positional } = attributesOf(attributes.replace(/^=/, ''));
  const [first = ''] = positional;
  switch (name) {
    case 'caption':
    case 'wp_caption':
      return caption(inner, named.caption);
    case 'gallery':
      return gallery(named.ids ?? named.include ?? '', findAttachment, tell);
    case 'embed':
      return address(inner.trim() || (named.src ?? first));
    case 'youtube':
    case 'vimeo':
    case 'tweet':
    case 'twitter':
    case 'instagram':
    case 'gist':
      return /^https?:/.test(inner || first) ? address(inner || first) : undefined;
    case 'code':
    case 'sourcecode':
    case 'syntax':
    case 'highlight':
      return code(named.language ?? named.lang ?? first, inner);
    case 'audio':
    case 'video':
    case 'playlist':
      return media(name, named, tell);
    case 'more':
    case 'nextpage':
    case 'toc':
      return '';
    default:
      return undefined;
  }
}

const address = (url: string): string | undefined =>
  /^https?:\/\/\S+$/.test(url) ? `\n\n<p>${escapePlain(url)}</p>\n\n` : undefined;

/** The image, and after it the words. */
function caption(inner: string, named: string | undefined): string {
  const [, picture = '', words = ''] = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(
    inner,
  ) ?? ['', inner];
  return `\n\n<figure>${picture}<figcaption>${(named ?? words).trim()}</figcaption></figure>\n\n`;
}

function gallery(ids: string, findAttachment: FindAttachment, tell: Tell): string {
  const images = ids.split(',').flatMap((id) => findAttachment(id.trim()) ?? []);
  if (images.length === 0) {
    tell('a gallery is left out: the export does not say which images are in it');
    return '';
  }
  tell('a gallery became single images');
  return images
    .map(({ url, alt }) => `\n\n<p><img src="${escapePlain(url)}" alt="${escapePlain(alt)}"></p>`)
    .join('');
}

/** The text of code may have been stored with its characters escaped, or without. */
function code(language: string, inner: string): string {
  const text = /&(?:lt|gt|amp|quot);/.test(inner)
    ? inner
    : inner.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const named = /^[\w#+-]+$/.test(language) ? ` class="language-${language}"` : '';
  return `\n\n<pre${named}>${text}</pre>\n\n`;
}

function media(name: string, named: Readonly<Record<string, string>>, tell: Tell): string {
  const url = ['src', 'mp4', 'm4v', 'webm', 'ogv', 'mp3', 'm4a', 'ogg', 'wav']
    .map((key) => named[key])
    .find(Boolean);
  if (url === undefined) {
    tell(`a ${name} is left out: the export does not say where it is`);
    return '';
  }
  tell(`a ${name} is a link now: Platen keeps images only (${url})`);
  return `\n\n<p><a href="${escapePlain(url)}">${escapePlain(url.split('/').at(-1) ?? url)}</a></p>\n\n`;
}
