import { lineAt } from '../file-message.ts';
import { piecesOf } from '../prose.ts';
import type { Remark } from './containers.ts';
import { type Attributes, attributesOf, embed, embedAround } from './embeds.ts';

/** `{{< name attributes >}}`, `{{% name %}}`, `{{< /name >}}` of Hugo. */
const SHORTCODE =
  /\{\{([<%])[ \t]*(\/?)[ \t]*([\w./-]+)((?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`{}])*?)(\/?)[ \t]*[%>]\}\}/g;

interface Shortcode {
  readonly name: string;
  readonly text: string;
  readonly isClosing: boolean;
  readonly start: number;
  readonly end: number;
}

/** Shortcodes that lead to another file: `{{< ref "other.md" >}}`. */
const isReference = (name: string) => name === 'ref' || name === 'relref';

/**
 * Turns Hugo's shortcodes into what Platen has. Others stay as they are written, and are named. In code, only those that
 * are written to be shown (`{{</* name *}}`) change, to what Hugo shows.
 */
export function convertShortcodes(markdown: string, remark: Remark): string {
  if (!/\{\{[<%]/.test(markdown)) return markdown;
  const codes = shortcodesIn(markdown);
  const partners = pairsOf(codes);
  return shownShortcodes(convert(0, markdown.length, 0));

  /** The text between two offsets, with what its shortcodes become. */
  function convert(from: number, to: number, first: number): string {
    let result = '';
    let at = from;
    for (let n = first; n < codes.length; n += 1) {
      const code = codes[n];
      if (code === undefined || code.start >= to) break;
      if (code.start < at || code.isClosing) continue;
      const closing = codes[partners.get(n) ?? -1];
      const attributes = attributesOf(code.text);
      const made = closing
        ? embedAround(code.name, attributes, convert(code.end, closing.start, n + 1))
        : single(code.name, attributes);
      if (made === undefined) {
        const message = `Platen has nothing for the shortcode ${code.name}: it stays as it is written`;
        remark(message, lineAt(markdown, code.start));
        continue;
      }
      result += markdown.slice(at, code.start) + made;
      at = closing?.end ?? code.end;
    }
    return result + markdown.slice(at, to);
  }
}

/** The shortcode that closes each one, by their numbers. */
function pairsOf(codes: readonly Shortcode[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open = new Map<string, number[]>();
  for (const [n, { name, isClosing }] of codes.entries()) {
    const numbers = open.get(name) ?? [];
    open.set(name, numbers);
    if (!isClosing) numbers.push(n);
    else {
      const opening = numbers.pop();
      if (opening !== undefined) pairs.set(opening, n);
    }
  }
  return pairs;
}

const single = (name: string, attributes: Attributes): string | undefined =>
  isReference(name) ? (attributes.named.path ?? attributes.positional[0] ?? '') : embed(name, attributes);

function shortcodesIn(markdown: string): Shortcode[] {
  return [...piecesOf(markdown)].flatMap(({ text, isCode, offset }) =>
    isCode
      ? []
      : [...text.matchAll(SHORTCODE)].map(({ 0: whole, 2: slash, 3: name = '', 4: rest = '', index }) => ({
          name,
          text: rest,
          isClosing: slash === '/',
          start: offset + index,
          end: offset + index + whole.length,
        })),
  );
}

const shownShortcodes = (markdown: string): string =>
  markdown.replace(/\{\{([<%])\/\*(.*?)\*\/([%>])\}\}/g, '{{$1$2$3}}');
