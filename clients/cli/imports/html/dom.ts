import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5';

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;
export type HtmlChild = DefaultTreeAdapterTypes.ChildNode;

export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node;

export const attribute = (element: HtmlElement | undefined, name: string): string | undefined =>
  element?.attrs.find((attr) => attr.name === name)?.value;

export function setAttribute(element: HtmlElement, name: string, value: string): void {
  element.attrs = [...element.attrs.filter((attr) => attr.name !== name), { name, value }];
}

export const hasClass = (element: HtmlElement, pattern: RegExp): boolean =>
  (attribute(element, 'class') ?? '').split(/\s+/).some((name) => pattern.test(name));

/** All elements below a node, in the order of the text. Without recursion: HTML can be nested deeper than the stack. */
export function elementsIn(root: HtmlParent): HtmlElement[] {
  const found: HtmlElement[] = [];
  const waiting: HtmlNode[] = [...root.childNodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    found.push(node);
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) {
      const child = node.childNodes[at];
      if (child) waiting.push(child);
    }
  }
  return found;
}

/** The text of a node, with line breaks. */
export function textOf(node: HtmlNode): string {
  let text = '';
  const waiting: HtmlNode[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.nodeName === '#text' && 'value' in next) text += next.value;
    else if (next.nodeName === 'br') text += '\n';
    else if ('childNodes' in next) waiting.push(...[...next.childNodes].reverse());
  }
  return text;
}

export const findElement = (
  root: HtmlParent,
  matches: (element: HtmlElement) => boolean,
): HtmlElement | undefined => elementsIn(root).find(matches);

export const remove = (node: HtmlChild): void => defaultTreeAdapter.detachNode(node);

/** Puts nodes in the place of one. */
export function replaceWith(node: HtmlChild, replacements: readonly HtmlChild[]): void {
  const parent = node.parentNode;
  if (parent === null) return;
  for (const one of replacements) {
    remove(one);
    defaultTreeAdapter.insertBefore(parent, one, node);
  }
  remove(node);
}

/** Replaces an element by what is in it. */
export const unwrap = (element: HtmlElement): void => replaceWith(element, [...element.childNodes]);

export function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly HtmlChild[] = [],
): HtmlElement {
  const attrs = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  const element = defaultTreeAdapter.createElement(name, html.NS.HTML, attrs);
  for (const child of children) {
    remove(child);
    defaultTreeAdapter.appendChild(element, child);
  }
  return element;
}

export const createText = (text: string): HtmlChild => defaultTreeAdapter.createTextNode(text);

/** A paragraph with a link. */
export const linkParagraph = (href: string, text: string): HtmlElement =>
  createElement('p', {}, [createElement('a', { href }, [createText(text)])]);

/** A paragraph with nothing but an address: Platen makes a player of that of a video. */
export const addressParagraph = (address: string): HtmlElement =>
  createElement('p', {}, [createText(address)]);

export const parseHtml = (text: string): DefaultTreeAdapterTypes.DocumentFragment => parseFragment(text);

/** HTML as text on one line. */
export const plainText = (text: string): string =>
  text.includes('<') || text.includes('&')
    ? textOf(parseHtml(text)).replace(/\s+/g, ' ').trim()
    : text.replace(/\s+/g, ' ').trim();
