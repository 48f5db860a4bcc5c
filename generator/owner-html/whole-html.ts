import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';
import { OwnerHtmlRefused } from './refused.ts';

/** Parsing rounds after which HTML that still changes is refused. */
const MOST_ROUNDS = 8;

/** Characters of HTML after closing. Reopened formatting can make the output many times as long as the input. */
export const MOST_CHARACTERS = 262_144;

/**
 * Elements in the parsed HTML. A browser reopens unclosed formatting in every following paragraph, so that a few
 * characters can become millions of elements.
 */
export const MOST_ELEMENTS = 10_000;

/** Elements of our own: the two that the parser adds around a fragment, and the end marker. */
const OURS = 3;

const count = new Intl.NumberFormat('en');

/**
 * Closes every element that an owner left open, as browsers parse it, so that the HTML cannot change the parsing of
 * what follows it on the page. Throws `OwnerHtmlRefused` if that exceeds a limit.
 *
 * Browsers parse `noscript` differently with and without scripting, so the result must be stable in both modes.
 * Serialised HTML may parse differently, so parsing is repeated until nothing changes.
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

/** Whether an element after the HTML is parsed as its sibling, and the HTML itself serialises unchanged. */
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

/** Parses HTML as in a page's body, where for example `</body>` or a cell without a table is ignored. */
function read(html: string, scriptingEnabled: boolean): DefaultTreeAdapterTypes.DocumentFragment {
  const body = defaultTreeAdapter.createElement('div', names.NS.HTML, []);
  return parseFragment(body, html, { scriptingEnabled, treeAdapter: countingAdapter() });
}

/** Refuses HTML during parsing: afterwards its elements could already have filled the memory. */
function countingAdapter(): typeof defaultTreeAdapter {
  let elements = 0;
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      elements += 1;
      if (elements > MOST_ELEMENTS + OURS) {
        throw new OwnerHtmlRefused(
          `becomes more than ${count.format(MOST_ELEMENTS)} elements in a browser, which reopens unclosed formatting ` +
            'in every paragraph: close it',
        );
      }
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs);
    },
  };
}

/** Removes `plaintext` elements: they cannot be closed. */
function disarm(root: DefaultTreeAdapterTypes.ParentNode): void {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('content' in node) waiting.push(node.content);
    node.childNodes = node.childNodes.filter((child) => child.nodeName !== 'plaintext');
    for (const child of node.childNodes) if ('childNodes' in child) waiting.push(child);
  }
}
