import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';
import { OwnerHtmlRefused } from './refused.ts';

/** How often HTML may come out otherwise before it is given up. */
const MOST_ROUNDS = 8;

/** Characters that HTML may have once it is closed: repeated formatting can be written out as many times what it was. */
export const MOST_CHARACTERS = 262_144;

/**
 * Elements that a browser may make of it. Formatting that is left open is made anew in every paragraph that follows,
 * so that few characters can stand for millions of elements.
 */
export const MOST_ELEMENTS = 10_000;

/** What the parser adds around a fragment, and the mark that follows the HTML. */
const OURS = 3;

const count = new Intl.NumberFormat('en');

/**
 * What an owner wrote, as browsers understand it, with nothing left open: whatever it is, what follows it on a page is
 * read as if it were not there. Throws `OwnerHtmlRefused` if it cannot be made so within the limits.
 *
 * Browsers with script and without read `noscript` in two ways, so HTML must be whole in both; and what is written out
 * may be read otherwise, so it is read again until it stays as it is.
 */
export function wholeHtml(html: string): string {
  try {
    let whole = html;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (leavesAlone(whole, false) && leavesAlone(whole, true)) return whole;
      whole = closed(closed(whole, false), true);
      if (whole.length > MOST_CHARACTERS) {
        throw new OwnerHtmlRefused(
          `is more than ${count.format(MOST_CHARACTERS)} characters once its open elements are closed: close them`,
        );
      }
    }
  } catch (error) {
    if (error instanceof RangeError) {
      throw new OwnerHtmlRefused('is nested too deeply: close its elements', { cause: error });
    }
    throw error;
  }
  throw new OwnerHtmlRefused('reads differently each time it is written out: close its elements');
}

/** Whether an element that follows the HTML is one, and is not within it, and the HTML stays as it is. */
function leavesAlone(html: string, scriptingEnabled: boolean): boolean {
  const followed = `${html}<x-end></x-end>`;
  const fragment = read(followed, scriptingEnabled);
  return (
    fragment.childNodes.at(-1)?.nodeName === 'x-end' && serialize(fragment, { scriptingEnabled }) === followed
  );
}

function closed(html: string, scriptingEnabled: boolean): string {
  const fragment = read(html, scriptingEnabled);
  disarm(fragment);
  return serialize(fragment, { scriptingEnabled });
}

/** As within the body of a page, where for example the end of the body or a cell without a table is nothing. */
function read(html: string, scriptingEnabled: boolean): DefaultTreeAdapterTypes.DocumentFragment {
  const body = defaultTreeAdapter.createElement('div', names.NS.HTML, []);
  return parseFragment(body, html, { scriptingEnabled, treeAdapter: countingAdapter() });
}

/** Refuses HTML while it is parsed: afterwards its elements may have taken all memory. */
function countingAdapter(): typeof defaultTreeAdapter {
  let elements = 0;
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      elements += 1;
      if (elements > MOST_ELEMENTS + OURS) {
        throw new OwnerHtmlRefused(
          `is more than ${count.format(MOST_ELEMENTS)} elements to a browser, which opens again in every paragraph ` +
            'what formatting is left open: close it',
        );
      }
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs);
    },
  };
}

/** `plaintext` has no end. */
function disarm(root: DefaultTreeAdapterTypes.ParentNode): void {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('content' in node) waiting.push(node.content);
    node.childNodes = node.childNodes.filter((child) => child.nodeName !== 'plaintext');
    for (const child of node.childNodes) if ('childNodes' in child) waiting.push(child);
  }
}
