import { z } from 'zod';
import type { Tell } from '../html/clean-html.ts';
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
  linkParagraph,
  remove,
  replaceWith,
  setAttribute,
  textOf,
} from '../html/dom.ts';

/** What Substack's HTML has beside the text: forms for readers, embeds, footnotes, and pictures of its image service. */
export function prepareSubstack(root: HtmlParent, tell: Tell): void {
  for (const element of elementsIn(root)) {
    if (element.parentNode === null) continue;
    for (const name of ['src', 'href']) showOriginal(element, name);
    if (
      hasClass(
        element,
        /^(?:subscription-widget-wrap(?:-editor)?|subscribe-widget|image-link-expand|install-substack-app-embed)$/,
      )
    )
      remove(element);
    else if (hasClass(element, /^(?:poll-embed|community-chat|paywall-jump|digest-post-embed-list)$/)) {
      tell('a part for readers of Substack is left out');
      remove(element);
    } else if (hasClass(element, /^footnote-anchor$/)) replaceReference(element);
    else if (hasClass(element, /^footnote$/)) replaceFootnote(element);
    else if (hasClass(element, /^pullquote$/)) element.tagName = element.nodeName = 'blockquote';
    else if (hasClass(element, /^(?:tweet|digest-post-embed|embedded-post-wrap|embedded-publication-wrap)$/))
      replaceEmbed(element);
  }
}

/** The picture that an address of the image service makes smaller. */
function showOriginal(element: HtmlElement, name: string): void {
  const [, original] =
    /^https:\/\/(?:substackcdn|cdn\.substack)\.com\/image\/fetch\/.*\/(https?%3A[^/?#]+)$/i.exec(
      attribute(element, name) ?? '',
    ) ?? [];
  if (original === undefined) return;
  try {
    setAttribute(element, name, decodeURIComponent(original));
  } catch {
    // The smaller one is better than none.
  }
}

const numberOf = (element: HtmlElement): string | undefined => /\d+/.exec(textOf(element))?.[0];

function replaceReference(anchor: HtmlElement): void {
  const number = numberOf(anchor);
  if (number !== undefined)
    replaceWith(anchor, [createElement('data', { type: 'footnote' }, [createText(number)])]);
}

function replaceFootnote(footnote: HtmlElement): void {
  const mark = findElement(footnote, (element) => hasClass(element, /^footnote-number$/));
  const content = findElement(footnote, (element) => hasClass(element, /^footnote-content$/));
  const number = mark && numberOf(mark);
  if (number === undefined || content === undefined) return;
  replaceWith(footnote, [createElement('section', { title: number }, [...content.childNodes])]);
}

const data = z.object({
  url: z.string().optional(),
  canonical_url: z.string().optional(),
  title: z.string().nullish(),
  name: z.string().nullish(),
});

/** A card of another page, which is described in an attribute. */
function replaceEmbed(embed: HtmlElement): void {
  try {
    const {
      url,
      canonical_url = url,
      title,
      name,
    } = data.parse(JSON.parse(attribute(embed, 'data-attrs') ?? ''));
    if (canonical_url === undefined || !/^https?:/.test(canonical_url)) return;
    const text = title ?? name;
    replaceWith(embed, [text ? linkParagraph(canonical_url, text) : addressParagraph(canonical_url)]);
  } catch {
    // Then its words stay.
  }
}
