import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as names,
  parseFragment,
  serialize,
} from 'parse5';

/** How often HTML may come out otherwise before it is given up. */
const MOST_ROUNDS = 8;

/** Repeated formatting can be written out as many times what it was. */
const MOST_CHARACTERS = 262_144;

/** Results that are kept, those that were used last: an owner's HTML stays the same from rebuild to rebuild. */
const KEPT = 30;
const known = new Map<string, string>();

/**
 * What an owner wrote, as browsers understand it, with nothing left open: whatever it is, what follows it on a page is
 * read as if it were not there. HTML that cannot be made so is left out.
 */
export function wholeHtml(html: string): string {
  if (html === '') return html;
  const whole = known.get(html) ?? settled(html);
  known.delete(html);
  known.set(html, whole);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return whole;
}

/**
 * Browsers with script and without read `noscript` in two ways, so HTML must be whole in both; and what is written out
 * may be read otherwise, so it is read again until it stays as it is.
 */
function settled(html: string): string {
  try {
    let whole = html;
    for (let round = 0; round < MOST_ROUNDS && whole.length <= MOST_CHARACTERS; round++) {
      if (leavesAlone(whole, false) && leavesAlone(whole, true)) return whole;
      whole = closed(closed(whole, false), true);
    }
    return '';
  } catch (error) {
    // Nested deeper than it can be written out.
    if (error instanceof RangeError) return '';
    throw error;
  }
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
  return parseFragment(body, html, { scriptingEnabled });
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
