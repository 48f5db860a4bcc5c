import type TurndownService from 'turndown';

/** What the rules read of the nodes that Turndown gives them. The types of browsers are not part of this project. */
export interface MarkdownNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly outerHTML: string;
  readonly firstChild: MarkdownNode | null;
  readonly nextSibling: MarkdownNode | null;
  readonly previousSibling: MarkdownNode | null;
  readonly parentNode: MarkdownNode | null;
  getAttribute(name: string): string | null;
}

/** Adds a rule for elements with these names, in lower case. */
export function addRule(
  service: TurndownService,
  names: readonly string[],
  markdownOf: (content: string, node: MarkdownNode) => string,
): void {
  const upper = new Set(names.map((name) => name.toUpperCase()));
  service.addRule(names.join(' '), {
    filter: (node) => upper.has(asNode(node).nodeName),
    replacement: (content, node) => markdownOf(content, asNode(node)),
  });
}

function asNode(node: object): MarkdownNode {
  if (isNode(node)) return node;
  throw new TypeError('Turndown gave something that is no node');
}

const isNode = (node: object): node is MarkdownNode => 'nodeName' in node && 'outerHTML' in node;
