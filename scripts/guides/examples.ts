import { parseFragment, serialize } from 'parse5';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import {
  attribute,
  type Element,
  elementsIn,
  elementsOf,
  isElement,
  moveInto,
  nextElement,
  replaceNode,
  setAttribute,
  textOf,
} from './html-tree.ts';

/** A picture of the guides themselves, in place of those that examples name. */
export const EXAMPLE_PICTURE = 'press.svg';

/**
 * Turns every Markdown block that is followed by its HTML into an example: the source, beside it the result as the
 * theme shows it, and below both the HTML. Results come from the pipeline that renders posts. `root` is the relative
 * path to `/docs/`.
 */
export function showExamples(elements: readonly Element[], root: string): void {
  const blocks = elements.filter((element) => languageOf(element) === 'md');
  for (const [index, source] of blocks.entries()) {
    const html = nextElement(source);
    if (html === null || languageOf(html) !== 'html') continue;
    const result = resultOf(textOf(source), `example-${index + 1}`, root);
    const [example] = elementsIn(
      '<div class="example"><div class="source"></div>' +
        `<div class="result" role="group" aria-label="Result">${result}</div>` +
        '<details><summary>HTML</summary></details></div>',
    );
    const [place, , details] = example?.childNodes.filter(isElement) ?? [];
    if (!example || !place || !details) continue;
    replaceNode(source, [example]);
    moveInto(place, source);
    moveInto(details, html);
  }
}

/** The language of a code block; null for every other element. */
function languageOf(element: Element): string | null {
  const [code] = element.tagName === 'pre' ? elementsOf(element) : [];
  if (code === undefined) return null;
  return /^language-(\S+)/.exec(attribute(code, 'class') ?? '')?.[1] ?? null;
}

/** A post's HTML, made to stand in a page with others: with ids of its own, and without requests to other hosts. */
function resultOf(source: string, prefix: string, root: string): string {
  const tree = parseFragment(renderMarkdown(source).html);
  for (const element of elementsOf(tree)) {
    if (element.tagName === 'iframe') replaceNode(element, elementsIn(PLAYER));
    else if (element.tagName === 'source') replaceNode(element, []);
    else if (element.tagName === 'img') setAttribute(element, 'src', root + EXAMPLE_PICTURE);
    for (const attr of element.attrs) attr.value = ownId(attr, prefix);
  }
  return serialize(tree);
}

const PLAYER =
  '<p class="player">Here the post has its player. These guides load nothing from other hosts.</p>';

/** An attribute's value, in which ids of the result have a prefix. */
function ownId({ name, value }: { name: string; value: string }, prefix: string): string {
  if (name === 'id') return `${prefix}-${value}`;
  if (name === 'href' && value.startsWith('#')) return `#${prefix}-${value.slice(1)}`;
  return value.replace(/url\(#/g, `url(#${prefix}-`);
}
