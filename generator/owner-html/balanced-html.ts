import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';
import { OwnerHtmlRefused } from './refused.ts';

/** Parsing rounds after which HTML that still changes is refused. */
const MAX_ROUNDS = 8;

/** Characters of HTML after closing. Reopened formatting can make the output many times as long as the input. */
export const MAX_CHARACTERS = 262_144;

/**
 * Elements in the parsed HTML. A browser reopens unclosed formatting in every following paragraph, so that a few
 * characters can become millions of elements.
 */
export const MAX_ELEMENTS = 10_000;

/** Elements of our own: the two that the parser adds around a fragment, and the end marker. */
const OWN_ELEMENTS = 3;

const numberFormat = new Intl.NumberFormat('en');

/**
 * Closes every element that an owner left open, as browsers parse it, so that the HTML cannot change the parsing of
 * what follows it on the page. Throws `OwnerHtmlRefused` if that exceeds a limit.
 *
 * Browsers parse `noscript` differently with and without scripting, so the result must be stable in both modes.
 * Serialised HTML may parse differently, so parsing is repeated until nothing changes.
 */
export function closeHtml(html: string): string {
  try {
    let whole = html;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (isStable(whole, false) && isStable(whole, true)) return whole;
      whole = closeOnce(closeOnce(whole, false), true);
      if (whole.length > MAX_CHARACTERS) {
        throw new OwnerHtmlRefused(
          `is more than ${numberFormat.format(MAX_CHARACTERS)} characters once its open elements are closed: close them`,
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
function isStable(html: string, scriptingEnabled: boolean): boolean {
  const followed = `${html}<x-end></x-end>`;
  const fragment = parseHtml(followed, scriptingEnabled);
  return (
    fragment.childNodes.at(-1)?.nodeName === 'x-end' && serialize(fragment, { scriptingEnabled }) === followed
  );
}

function closeOnce(html: string, scriptingEnabled: boolean): string {
  const fragment = parseHtml(html, scriptingEnabled);
  removePlaintext(fragment);
  return serialize(fragment, { scriptingEnabled });
}

/** Parses HTML as in a page's body, where for example `</body>` or a cell without a table is ignored. */
function parseHtml(html: string, scriptingEnabled: boolean): DefaultTreeAdapterTypes.DocumentFragment {
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
      if (elements > MAX_ELEMENTS + OWN_ELEMENTS) {
        throw new OwnerHtmlRefused(
          `becomes more than ${numberFormat.format(MAX_ELEMENTS)} elements in a browser, which reopens unclosed formatting ` +
            'in every paragraph: close it',
        );
      }
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs);
    },
  };
}

/** Removes `plaintext` elements: they cannot be closed. */
function removePlaintext(root: DefaultTreeAdapterTypes.ParentNode): void {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('content' in node) waiting.push(node.content);
    node.childNodes = node.childNodes.filter((child) => child.nodeName !== 'plaintext');
    for (const child of node.childNodes) if ('childNodes' in child) waiting.push(child);
  }
}
