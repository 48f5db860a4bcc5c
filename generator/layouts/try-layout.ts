import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { LayoutData } from './data.ts';
import { compileLayout, type LayoutFrame } from './engine.ts';
import { LayoutRefused } from './refused.ts';
import { samplePages } from './samples.ts';
import type { UnknownVariables } from './unknown-variables.ts';

/**
 * Tries a layout on sample pages of every kind, and returns the variables that none has. Throws `LayoutRefused` if it
 * fails on one of them, if `content` is at a position where it is not parsed as HTML elements, or if the layout leaves
 * an element open.
 */
export function tryLayout(source: string): UnknownVariables {
  const layout = compileLayout(source, 'en');
  for (const page of samplePages) {
    try {
      assertParsesWhole(layout.frame(page));
    } catch (error) {
      if (!(error instanceof LayoutRefused)) throw error;
      throw new LayoutRefused(`${error.message} (on a ${pageName(page)})`, { cause: error });
    }
  }
  return layout.unknownVariables();
}

const pageName = ({ page }: LayoutData): string =>
  page.kind === 'post' ? 'post' : `page of kind "${page.kind}"`;

type Element = DefaultTreeAdapterTypes.Element;

/** Checks that a browser's parser sees `content`, and the markup after the layout, as elements at their positions. */
function assertParsesWhole([before, after]: LayoutFrame): void {
  const [content, end] = ['platen-content', 'platen-end'];
  const main = after === null ? '' : `<${content}></${content}>${after}`;
  const { childNodes } = parse(
    `<!doctype html><title>x</title><body><p></p>${before}${main}<${end}></${end}>`,
  );
  if (elementsOf(childNodes, after === null ? 'main' : content).length === 0) {
    throw new LayoutRefused(
      '{{ content }} is in a tag, a comment, a script or the like, where it cannot be shown',
    );
  }
  const [found] = elementsOf(childNodes, end);
  if (found?.parentNode?.nodeName !== 'body') {
    throw new LayoutRefused('an element or a comment is opened and not closed');
  }
}

/** The elements with this name, except those in a `template`, which the page does not show. */
function elementsOf(nodes: readonly DefaultTreeAdapterTypes.ChildNode[], name: string): Element[] {
  const found: Element[] = [];
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('childNodes' in node)) continue;
    if (node.nodeName === name && 'tagName' in node) found.push(node);
    waiting.push(...node.childNodes);
  }
  return found;
}
