import { parseFragment, serialize, serializeOuter } from 'parse5';
import { addHeadingAnchors } from '../../generator/markdown/headings.ts';
import { readableHtml, readableText } from '../../generator/markdown/text/readable-html.ts';
import type { Heading } from '../../generator/site/post.ts';
import { showExamples } from './examples.ts';
import type { Guide } from './guide-list.ts';
import {
  attribute,
  type Element,
  elementsIn,
  elementsOf,
  isElement,
  moveInto,
  rename,
  replaceNode,
  setAttribute,
  setText,
  textOf,
} from './html-tree.ts';
import { type ResolveLink, rootOf } from './links.ts';

/** A part of a guide that search finds: a heading and what follows it up to the next one. */
export interface Section {
  /** Empty for the part before the first heading below the title. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface FinishedGuide {
  readonly title: string;
  /** The first paragraph. */
  readonly description: string;
  readonly body: string;
  /** Headings below the title. */
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Makes a guide from the HTML of its Markdown: anchors, links between pages, tables and examples as in the theme. */
export function finishGuide(guide: Guide, html: string, resolveLink: ResolveLink): FinishedGuide {
  const anchored = addHeadingAnchors(html);
  const [first] = anchored.headings;
  const tree = parseFragment(anchored.html);
  const sections = sectionsOf(tree.childNodes.filter(isElement));
  const elements = elementsOf(tree);
  const opening = elements.find(({ tagName }) => tagName === 'p');
  const description = opening === undefined ? '' : textOf(opening).replace(/\s+/g, ' ').trim();
  for (const element of elements) {
    if (element.tagName === 'h1') removeAnchor(element);
    else if (element.tagName === 'a') finishLink(guide, element, resolveLink);
    else if (element.tagName === 'table') finishTable(element);
  }
  showExamples(elements, rootOf(guide));
  return {
    title: first?.text ?? guide.label,
    description,
    body: serialize(tree),
    headings: anchored.headings.slice(1),
    sections,
  };
}

/** The title of a page needs no link to itself. */
function removeAnchor(title: Element): void {
  for (const element of elementsOf(title)) {
    if (attribute(element, 'class') === 'anchor') replaceNode(element, []);
  }
}

function finishLink(guide: Guide, link: Element, resolveLink: ResolveLink): void {
  const href = attribute(link, 'href') ?? '';
  const resolved = resolveLink(guide, href);
  if (resolved === null) replaceNode(link, [...link.childNodes]);
  else {
    setAttribute(link, 'href', resolved);
    setAttribute(link, 'rel', /^https?:/.test(resolved) ? 'noopener' : null);
  }
}

/** Wide tables scroll, also with the keyboard. */
function finishTable(table: Element): void {
  for (const element of elementsOf(table)) {
    const align = attribute(element, 'align');
    setAttribute(element, 'align', null);
    if (align !== null) setAttribute(element, 'class', `align-${align}`);
    // A heading without text is none.
    if (element.tagName === 'th' && textOf(element) === '') rename(element, 'td');
    else if (element.tagName === 'th') setAttribute(element, 'scope', 'col');
    // mdsvex keeps the backslash that GFM requires before a bar in the code of a table.
    if (element.tagName === 'code') setText(element, textOf(element).replaceAll('\\|', '|'));
  }
  const [frame] = elementsIn('<div class="table" tabindex="0"></div>');
  if (frame === undefined) return;
  replaceNode(table, [frame]);
  moveInto(frame, table);
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

/** Sections for search. The HTML of examples is left out: it repeats the words of their sources. */
function sectionsOf(blocks: readonly Element[]): Section[] {
  const sections: { id: string; heading: string; text: string }[] = [];
  for (const block of blocks) {
    const text = readableText(readableHtml(serializeOuter(block)));
    if (isHeading(block)) {
      const id = block.tagName === 'h1' ? '' : (attribute(block, 'id') ?? '');
      sections.push({ id, heading: text, text: '' });
    } else if (!/language-html/.test(attribute(elementsOf(block)[0] ?? block, 'class') ?? '')) {
      const section = sections.at(-1);
      if (section) section.text = `${section.text} ${text}`.trim();
    }
  }
  return sections;
}
