import type { Page } from 'playwright-core';
import { type DomElement, readElement } from './hostile-dom.ts';

/**
 * A page made with hostile strings has a twin, made with a harmless word for each string. If the tree of the page
 * equals the twin's with each word replaced by its string, then every string is unchanged, in its place and nowhere
 * else.
 */
export const wordFor = (index: number): string => `zq${index}qz`;

const WORD = /zq(\d+)qz/g;

/** The place of a string in a document. */
export interface Place {
  readonly element: DomElement;
  readonly kind: 'text' | 'attribute' | 'json';
}

/** The expected form of a string in that place after parsing. */
export type Show = (string: string, place: Place) => string;

function withStrings(twin: DomElement, strings: readonly string[], show: Show): DomElement {
  return mapTree(twin, (text, place) =>
    text.replace(WORD, (_, index: string) => show(strings[Number(index)] ?? '', place)),
  );
}

function mapTree(tree: DomElement, change: (text: string, place: Place) => string): DomElement {
  const at = (kind: Place['kind']) => (text: string) => change(text, { element: tree, kind });
  const isJson = tree.name === 'script' && tree.attributes.type === 'application/ld+json';
  const attributes = Object.entries(tree.attributes).map(([name, value]) => [name, at('attribute')(value)]);
  return {
    ...tree,
    attributes: Object.fromEntries(attributes),
    children: tree.children.map((child) => {
      if (typeof child !== 'string') return mapTree(child, change);
      return isJson ? mapJson(child, at('json')) : at('text')(child);
    }),
  };
}

function mapJson(json: string, change: (text: string) => string): string {
  const parsed: unknown = JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? change(value) : value,
  );
  return JSON.stringify(parsed);
}

/** The first difference between the found tree and the twin, for people to read; null if there is none. */
export function differenceFrom(
  twin: DomElement,
  found: DomElement,
  strings: readonly string[],
  show: Show,
): string | null {
  try {
    return firstDifference(
      mapTree(found, (text) => text),
      withStrings(twin, strings, show),
    );
  } catch (error) {
    return `the JSON in it is none: ${error}`;
  }
}

function firstDifference(found: DomElement | string, expected: DomElement | string): string | null {
  if (typeof found === 'string' || typeof expected === 'string') {
    return found === expected ? null : `found ${excerpt(found)}, expected ${excerpt(expected)}`;
  }
  if (found.name !== expected.name || found.space !== expected.space) {
    return `found ${excerpt(found)}, expected ${excerpt(expected)}`;
  }
  const [own, other] = [attributesOf(found), attributesOf(expected)];
  if (own !== other) return `<${found.name}> has ${own}, expected ${other}`;
  const length = Math.max(found.children.length, expected.children.length);
  for (let index = 0; index < length; index += 1) {
    const difference = firstDifference(found.children[index] ?? '', expected.children[index] ?? '');
    if (difference !== null) return `in <${found.name}>: ${difference}`;
  }
  return null;
}

/** An icon and a card show a name, so they may differ but must stay images. */
function attributesOf({ name, attributes }: DomElement): string {
  const isIcon = name === 'link' && attributes.rel === 'icon';
  const isPicture = /^data:image\/svg\+xml,[\w%.,:/=()'-]*$/.test(attributes.href ?? '');
  if (isIcon && isPicture) return JSON.stringify({ ...attributes, href: 'a picture' });
  // A card is named by a hash of what is drawn on it.
  const card = /^(https:\/\/[^/]+\/og\/)[0-9a-f]{32}\.png$/.exec(attributes.content ?? '');
  return JSON.stringify(card ? { ...attributes, content: card[1] } : attributes);
}

const excerpt = (node: DomElement | string): string => JSON.stringify(node).slice(0, 300);

/** Number of documents that a page parses at once. */
const BATCH = 100;

/** Parses documents as a browser parses UTF-8. Malformed XML yields a `parsererror`. */
export async function parseAll(
  page: Page,
  documents: readonly string[],
  type: 'text/html' | 'application/xml' | 'image/svg+xml',
): Promise<DomElement[]> {
  const trees: DomElement[] = [];
  for (let from = 0; from < documents.length; from += BATCH) {
    const texts = documents.slice(from, from + BATCH).map((text) => Buffer.from(text).toString());
    const read: string = await page.evaluate(
      `JSON.stringify(${JSON.stringify(texts)}.map((text) =>
        ${readElement}(new DOMParser().parseFromString(text, ${JSON.stringify(type)}).documentElement)))`,
    );
    const parsed: DomElement[] = JSON.parse(read);
    trees.push(...parsed);
    // Without this, the browser keeps gigabytes of documents that nobody needs.
    await page.requestGC();
  }
  return trees;
}
