import { serialize } from 'parse5';
import { isImageName } from '../../folder/image-files.ts';
import {
  addressParagraph,
  attribute,
  createElement,
  createText,
  elementsIn,
  findElement,
  type HtmlElement,
  type HtmlParent,
  hasClass,
  isElement,
  linkParagraph,
  parseHtml,
  remove,
  replaceWith,
  setAttribute,
  textOf,
  unwrap,
} from './dom.ts';
import { isTooDeep, opensTooMany } from './nesting.ts';

/** Tells what a text loses, in the words of its author. */
export type Tell = (message: string) => void;

/** What a system does in HTML of its own. Changes the tree. */
export type Prepare = (root: HtmlParent, tell: Tell) => void;

/** HTML that cannot become Markdown. The message is the end of a sentence about the post. */
export class HtmlError extends Error {}

const TOO_DEEP = 'has HTML that is nested more deeply than can be read';

/**
 * HTML of an export with nothing in it but what Markdown or Platen have. Scripts, styles and forms are gone, embeds are
 * addresses, and pictures with captions are images with titles. Throws an HtmlError if it is nested too deeply.
 */
export function cleanHtml(html: string, prepare: Prepare, tell: Tell): string {
  if (opensTooMany(html)) throw new HtmlError(TOO_DEEP);
  const root = parseHtml(html);
  if (isTooDeep(root)) throw new HtmlError(TOO_DEEP);
  prepare(root, tell);
  for (const element of elementsIn(root)) replaceForeign(element, tell);
  for (const element of elementsIn(root)) if (element.tagName === 'img') prepareImage(element);
  for (const element of elementsIn(root)) if (element.tagName === 'a') unwrapImage(element);
  // Inner figures first: a gallery is a figure of figures.
  for (const element of elementsIn(root).reverse()) if (element.tagName === 'figure') replaceFigure(element);
  for (const element of elementsIn(root)) keepAttributes(element);
  return serialize(root);
}

/** Elements without text for readers. */
const UNSEEN = /^(?:style|noscript|template|link|meta|title|head|svg|canvas|map|progress|meter|dialog)$/;

function replaceForeign(element: HtmlElement, tell: Tell): void {
  const { tagName } = element;
  if (UNSEEN.test(tagName)) remove(element);
  else if (tagName === 'script') replaceScript(element, tell);
  else if (tagName === 'iframe' || tagName === 'embed' || tagName === 'object') replaceEmbed(element, tell);
  else if (tagName === 'video' || tagName === 'audio') replaceMedia(element, tell);
  else if (tagName === 'form') {
    tell('a form is left out');
    remove(element);
  } else if (tagName === 'picture') unwrap(element);
  else if (tagName === 'source') remove(element);
}

function replaceScript(script: HtmlElement, tell: Tell): void {
  const source = attribute(script, 'src') ?? '';
  const gist = /^(?:https?:)?\/\/gist\.github\.com\/[^?#]+?(?=\.js)/.exec(source)?.[0];
  if (gist !== undefined) {
    const address = gist.replace(/^\/\//, 'https://');
    replaceWith(script, [linkParagraph(address, address)]);
    return;
  }
  // The scripts of embeds stand beside a quotation that says it all.
  const isOfEmbed = /platform\.twitter\.com|instagram\.com\/embed|embed\.js|tiktok\.com/.test(source);
  if (!isOfEmbed) tell('a script is left out: posts run none');
  remove(script);
}

function replaceEmbed(embed: HtmlElement, tell: Tell): void {
  const inner = findElement(embed, ({ tagName }) => tagName === 'embed' || tagName === 'iframe');
  const source =
    ['src', 'data-src', 'data', 'data-lazy-src']
      .map((name) => attribute(embed, name) ?? (inner && attribute(inner, name)))
      .find((address) => address && /^(?:https?:)?\/\//.test(address)) ?? '';
  const address = source.replace(/^\/\//, 'https://');
  const shown = pageOfEmbed(address);
  if (shown !== undefined) replaceWith(embed, [addressParagraph(shown)]);
  else if (URL.canParse(address)) {
    tell(`what was embedded from ${new URL(address).hostname} is a link now`);
    replaceWith(embed, [linkParagraph(address, attribute(embed, 'title') || address)]);
  } else {
    tell('an embed without an address is left out');
    remove(embed);
  }
}

/** The page of a video that an address embeds. */
function pageOfEmbed(address: string): string | undefined {
  const [, youtube] =
    /^https?:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/(?:embed|v)\/|youtu\.be\/)([\w-]{6,20})/.exec(
      address,
    ) ?? [];
  if (youtube !== undefined && youtube !== 'videoseries') {
    const start = /[?&;](?:start|t)=(\d+)/.exec(address)?.[1];
    return `https://www.youtube.com/watch?v=${youtube}${start === undefined ? '' : `&t=${start}`}`;
  }
  const [, vimeo] = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(address) ?? [];
  return vimeo === undefined ? undefined : `https://vimeo.com/${vimeo}`;
}

function replaceMedia(media: HtmlElement, tell: Tell): void {
  const source = findElement(media, ({ tagName }) => tagName === 'source');
  const address = attribute(media, 'src') ?? (source && attribute(source, 'src'));
  const kind = media.tagName === 'video' ? 'video' : 'recording';
  if (address === undefined) {
    remove(media);
    return;
  }
  tell(`a ${kind} is a link now: Platen keeps images only (${address})`);
  replaceWith(media, [linkParagraph(address, nameOf(address))]);
}

const nameOf = (address: string): string => address.split(/[?#]/)[0]?.split('/').at(-1) || address;

/** Pages that load images late keep their addresses elsewhere. */
function prepareImage(image: HtmlElement): void {
  const source = attribute(image, 'src');
  const late = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'].map((name) =>
    attribute(image, name),
  );
  const found = !source || (source.startsWith('data:') && late.some(Boolean)) ? late.find(Boolean) : source;
  if (found) setAttribute(image, 'src', found);
  else remove(image);
}

/** A picture that leads to itself, in its full size, is that picture: Platen opens it by itself. */
function unwrapImage(link: HtmlElement): void {
  const href = attribute(link, 'href') ?? '';
  const images = elementsIn(link).filter(({ tagName }) => tagName === 'img');
  const [image] = images;
  const isOnlyImage = images.length === 1 && textOf(link).trim() === '';
  if (image === undefined || !isOnlyImage || !isImageName(href.split(/[?#]/)[0] ?? '')) return;
  setAttribute(image, 'src', href);
  unwrap(link);
}

function replaceFigure(figure: HtmlElement): void {
  const captions = figure.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'figcaption');
  const images = elementsIn(figure).filter(({ tagName }) => tagName === 'img');
  const [image] = images;
  const text = captions.map(textOf).join(' ').replace(/\s+/g, ' ').trim();
  const hasLinks = captions.some((caption) => findElement(caption, ({ tagName }) => tagName === 'a'));
  if (image !== undefined && images.length === 1 && text !== '' && !hasLinks) {
    setAttribute(image, 'title', text);
    for (const caption of captions) remove(caption);
  } else {
    for (const caption of captions)
      replaceWith(caption, [createElement('p', {}, [createElement('em', {}, [...caption.childNodes])])]);
  }
  if (image !== undefined) for (const one of images) inParagraph(one, figure);
  unwrap(figure);
}

/** An image of a figure stands alone in its paragraph, with the link around it. */
function inParagraph(image: HtmlElement, figure: HtmlElement): void {
  const { parentNode } = image;
  const whole =
    parentNode !== null && isElement(parentNode) && parentNode.tagName === 'a' ? parentNode : image;
  if (whole.parentNode === null || (isElement(whole.parentNode) && whole.parentNode.tagName === 'p')) return;
  const place = createText('');
  replaceWith(whole, [place]);
  if (figure.childNodes.length > 0) replaceWith(place, [createElement('p', {}, [whole])]);
}

/** Attributes that Markdown or Platen understand. The class is only that of code. */
const KEPT =
  /^(?:href|src|alt|title|start|reversed|colspan|rowspan|align|datetime|cite|open|lang|dir|type|checked)$/;

function keepAttributes(element: HtmlElement): void {
  const isCode = element.tagName === 'pre' || element.tagName === 'code';
  const language = isCode ? languageOf(element) : undefined;
  element.attrs = element.attrs.filter(({ name }) => KEPT.test(name));
  if (language !== undefined) setAttribute(element, 'class', `language-${language}`);
}

/** The language of a block of code, as plugins for highlighting name it. */
function languageOf(element: HtmlElement): string | undefined {
  const named = ['data-lang', 'data-language', 'lang', 'data-enlighter-language', 'data-code-block-lang']
    .map((name) => attribute(element, name))
    .find(Boolean);
  const classes = attribute(element, 'class') ?? '';
  const found =
    named ??
    /(?:^|\s)(?:language-|lang-|lang:|brush:\s*|highlight-source-)([\w#+-]+)/.exec(classes)?.[1] ??
    (hasClass(element, /^hljs$/) ? /(?:^|\s)hljs\s+([\w#+-]+)/.exec(classes)?.[1] : undefined);
  return found !== undefined && /^[\w#+-]{1,30}$/.test(found) && !/^(?:none|plain|raw|generic)$/i.test(found)
    ? found.toLowerCase()
    : undefined;
}
