import type { HtmlNode, HtmlParent } from './dom.ts';

/** Elements within each other. More cost more than they are worth, and Platen keeps 200. */
const MAX_DEPTH = 400;
/** Tags that are open at once, as far as can be told without parsing, which takes time by their square. */
const MAX_OPEN_TAGS = 4_000;

/** Elements without an end tag, or whose end tag is often left out. */
const UNCLOSED =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|t[dhr]|tbody|thead|tfoot|option|path)$/i;

/** Whether HTML is nested so deeply that it should not even be parsed. */
export function opensTooMany(html: string): boolean {
  let open = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z\d]*)/gi)) {
    if (UNCLOSED.test(name)) continue;
    open += slash === '/' ? (open > 0 ? -1 : 0) : 1;
    if (open > MAX_OPEN_TAGS) return true;
  }
  return false;
}

export function isTooDeep(root: HtmlParent): boolean {
  const waiting: { node: HtmlNode; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) return true;
    if ('childNodes' in node)
      for (const child of node.childNodes) waiting.push({ node: child, depth: depth + 1 });
  }
  return false;
}
