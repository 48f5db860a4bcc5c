import type { Tell } from '../html/clean-html.ts';
import {
  attribute,
  createElement,
  createText,
  elementsIn,
  findElement,
  type HtmlElement,
  type HtmlParent,
  hasClass,
  linkParagraph,
  remove,
  replaceWith,
  textOf,
} from '../html/dom.ts';

/** Cards of Ghost's editor, as its HTML has them, to what Platen has. */
export function prepareGhostCards(root: HtmlParent, tell: Tell): void {
  for (const element of elementsIn(root)) {
    const name = (attribute(element, 'class') ?? '').match(/(?:^|\s)kg-([a-z-]+?)-card(?:\s|$)/)?.[1];
    if (name !== undefined && element.parentNode !== null) convert(name, element, tell);
  }
}

function convert(name: string, card: HtmlElement, tell: Tell): void {
  if (name === 'bookmark') bookmark(card);
  else if (name === 'callout') callout(card);
  else if (name === 'toggle') toggle(card);
  else if (name === 'audio' || name === 'video') media(name, card, tell);
  else if (name === 'gallery') tell('a gallery became single images');
  else if (name === 'signup' || name === 'email' || name === 'email-cta') {
    tell('a card for members is left out');
    remove(card);
  } else if (name === 'product' || name === 'header' || name === 'file')
    tell(`a card (${name}) became plain text and links`);
}

const part = (card: HtmlElement, name: RegExp): HtmlElement | undefined =>
  findElement(card, (element) => hasClass(element, name));

function bookmark(card: HtmlElement): void {
  const link = findElement(card, ({ tagName }) => tagName === 'a');
  const href = link && attribute(link, 'href');
  if (href === undefined) return;
  const title = part(card, /^kg-bookmark-title$/);
  replaceWith(card, [linkParagraph(href, (title && textOf(title).trim()) || href)]);
}

/** Colours of callouts, and what they mean most often. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/-red$/, 'CAUTION'],
  [/-(?:yellow|pink)$/, 'WARNING'],
  [/-green$/, 'TIP'],
  [/-(?:purple|accent)$/, 'IMPORTANT'],
];

function callout(card: HtmlElement): void {
  const kind = KINDS.find(([colour]) => hasClass(card, colour))?.[1] ?? 'NOTE';
  const [emoji, text] = [part(card, /^kg-callout-emoji$/), part(card, /^kg-callout-text$/)];
  const sign = emoji === undefined ? '' : textOf(emoji).trim();
  const children = [
    ...(sign === '' ? [] : [createText(`${sign} `)]),
    ...(text?.childNodes ?? card.childNodes.filter((child) => child !== emoji)),
  ];
  replaceWith(card, [createElement('aside', { type: kind }, children)]);
}

function toggle(card: HtmlElement): void {
  const [heading, content] = [part(card, /^kg-toggle-heading-text$/), part(card, /^kg-toggle-content$/)];
  if (heading === undefined || content === undefined) return;
  const summary = createElement('summary', {}, [...heading.childNodes]);
  replaceWith(card, [createElement('details', {}, [summary, ...content.childNodes])]);
}

/** Players have the words of their buttons in them. */
function media(name: string, card: HtmlElement, tell: Tell): void {
  const source = findElement(card, ({ tagName }) => tagName === name);
  const address = source && attribute(source, 'src');
  if (address === undefined) return;
  const title = part(card, /^kg-audio-title$/);
  tell(`a ${name === 'video' ? 'video' : 'recording'} is a link now: Platen keeps images only (${address})`);
  const text = (title && textOf(title).trim()) || address.split('/').at(-1) || address;
  replaceWith(card, [linkParagraph(address, text)]);
}
