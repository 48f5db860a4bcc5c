import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';

type ParentNode = DefaultTreeAdapterTypes.ParentNode;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const isElement = (node: ChildNode): node is Element => defaultTreeAdapter.isElementNode(node);

/** All elements below a node, in document order. A snapshot: the tree may change while a caller walks through it. */
export function elementsOf(parent: ParentNode): Element[] {
  return parent.childNodes.flatMap((child) => (isElement(child) ? [child, ...elementsOf(child)] : []));
}

export const textOf = (node: ChildNode): string => {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return isElement(node) ? node.childNodes.map(textOf).join('') : '';
};

export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((attr) => attr.name === name)?.value ?? null;

/** Sets an attribute, or removes it if the value is null. */
export function setAttribute(element: Element, name: string, value: string | null): void {
  element.attrs = element.attrs.filter((attr) => attr.name !== name);
  if (value !== null) element.attrs.push({ name, value });
}

export function rename(element: Element, tagName: string): void {
  element.tagName = tagName;
  element.nodeName = tagName;
}

/** Replaces the contents of an element. */
export function setText(element: Element, text: string): void {
  for (const child of [...element.childNodes]) defaultTreeAdapter.detachNode(child);
  defaultTreeAdapter.insertText(element, text);
}

/** Replaces a node by others; by nothing, it removes it. */
export function replaceNode(node: ChildNode, replacements: readonly ChildNode[]): void {
  const { parentNode } = node;
  if (parentNode === null) return;
  for (const replacement of replacements) {
    defaultTreeAdapter.detachNode(replacement);
    defaultTreeAdapter.insertBefore(parentNode, replacement, node);
  }
  defaultTreeAdapter.detachNode(node);
}

/** Moves a node to the end of another one's children. */
export function moveInto(parent: Element, node: ChildNode): void {
  defaultTreeAdapter.detachNode(node);
  defaultTreeAdapter.appendChild(parent, node);
}

/** The elements of a piece of HTML that no other element contains. */
export const elementsIn = (html: string): Element[] => parseFragment(html).childNodes.filter(isElement);

/** The next sibling that is neither white space nor a comment. */
export function nextElement(element: Element): Element | null {
  const siblings = element.parentNode?.childNodes ?? [];
  const next = siblings
    .slice(siblings.indexOf(element) + 1)
    .find((node) => isElement(node) || textOf(node).trim());
  return next !== undefined && isElement(next) ? next : null;
}
