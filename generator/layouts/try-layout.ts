import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { LayoutData } from './data.ts';
import { compileLayout, type Frame } from './engine.ts';
import { LayoutRefused } from './refused.ts';
import { samplePages } from './samples.ts';

/**
 * Tries a layout on sample pages of every kind. Throws `LayoutRefused` where it fails on one of them, and where the
 * text of a page would not stand in it, or would not end where it does.
 */
export function tryLayout(source: string): void {
  const layout = compileLayout(source, 'en');
  for (const page of samplePages) {
    try {
      assertWhole(layout.frame(page));
    } catch (error) {
      if (!(error instanceof LayoutRefused)) throw error;
      throw new LayoutRefused(`${error.message} (on a ${describe(page)})`, { cause: error });
    }
  }
}

const describe = ({ page }: LayoutData): string =>
  page.kind === 'post' ? 'post' : `page of the kind "${page.kind}"`;

type Element = DefaultTreeAdapterTypes.Element;

/** `content` and what follows the layout must be elements where they are put, as a browser reads the page. */
function assertWhole([before, after]: Frame): void {
  const [content, end] = ['platen-content', 'platen-end'];
  const { childNodes } = parse(
    `<!doctype html><title>x</title><body><p></p>${before}<${content}></${content}>${after}<${end}></${end}>`,
  );
  if (elementsOf(childNodes, content).length === 0) {
    throw new LayoutRefused(
      '{{ content }} stands where it is no text: in a tag, a comment, a script or the like',
    );
  }
  const [found] = elementsOf(childNodes, end);
  if (found?.parentNode?.nodeName !== 'body') {
    throw new LayoutRefused('an element or a comment is opened and not closed');
  }
}

/** The elements with this name; what is within a `template` is none of the page. */
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
