import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { ImportError } from '../import-error.ts';

/** An element of an export: its text, its attributes, and the elements in it. */
export interface WxrElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly WxrElement[];
  /** Whether a text in it was longer than is kept, so that it is not whole. */
  readonly isCut: boolean;
}

/** Tells of something that is not quite XML, and was read all the same. */
export type OnFault = (message: string, line: number) => void;

/** Characters of a text that are kept: many times the megabyte that a post may have. */
export const MAX_TEXT = 16 * 1_048_576;
/** Faults of an export that are told. */
const MAX_FAULTS = 10;

/** What is not kept, however much there is of it. */
const UNREAD = new Set(['wp:comment', 'wp:commentmeta', 'wp:termmeta']);

/**
 * Reads an export of WordPress as a stream: the elements of its channel, one by one. In memory are those of one chunk,
 * with texts of bounded length. No entity but the five of XML and those of numbers is expanded. Throws an ImportError with
 * the line if it is no XML, or ends too early.
 */
export async function* readWxr(
  chunks: AsyncIterable<Buffer>,
  place: (line: number) => string,
  onFault: OnFault,
): AsyncGenerator<WxrElement> {
  const ready: WxrElement[] = [];
  const tree = createTree((element) => void ready.push(element));
  const texts = createTextLimit();
  const parser = createParser(tree, texts, place, onFault);
  const decoder = new StringDecoder('utf8');
  let isLossy = false;
  for await (const chunk of chunks) {
    const text = decoder.write(chunk);
    if (!isLossy && text.includes('\ufffd')) {
      isLossy = true;
      onFault('a character is not UTF-8, and shown as \ufffd', parser.lineOf(text, '\ufffd'));
    }
    parser.write(text);
    for (let element = ready.shift(); element !== undefined; element = ready.shift()) yield element;
  }
  parser.write(decoder.end());
  parser.close();
  yield* ready;
}

function createParser(
  tree: ReturnType<typeof createTree>,
  texts: ReturnType<typeof createTextLimit>,
  place: (line: number) => string,
  onFault: OnFault,
) {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const here = () => place(parser.line + texts.droppedLines());
  let faults = 0;
  let isExport = false;
  /** Characters that the parser has gathered and not given. */
  let gathered = 0;
  parser.on('opentag', ({ name, attributes }) => {
    gathered = 0;
    isExport ||= name === 'rss';
    if (!isExport)
      throw new ImportError(`${here()}: this is no export of WordPress: it begins with <${name}>`);
    tree.open(name, attributes);
  });
  parser.on('text', (text) => {
    gathered = 0;
    tree.text(text.slice(0, MAX_TEXT), text.length > MAX_TEXT);
  });
  parser.on('cdata', (text) => {
    gathered = 0;
    tree.text(text, texts.takeCut());
  });
  parser.on('closetag', () => tree.close());
  parser.on('error', (error) => {
    const message = error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, '');
    if (ENDS_EARLY.test(message))
      throw new ImportError(`${here()}: the end is missing (${message}) Export it again`);
    if (IS_BROKEN.test(message)) throw new ImportError(`${here()}: it is no valid XML: ${message}`);
    faults += 1;
    if (faults <= MAX_FAULTS) onFault(message, parser.line + texts.droppedLines());
  });
  return {
    write(chunk: string) {
      const text = texts.limit(chunk);
      gathered += text.length;
      parser.write(text);
      if (gathered > MAX_ELEMENT || tree.size() > MAX_ELEMENT)
        throw new ImportError(`${here()}: one entry has more than ${MAX_ELEMENT / 1_048_576} MB`);
    },
    /** The line of the first of these words in a text that is written next. */
    lineOf: (text: string, words: string) =>
      parser.line + texts.droppedLines() + text.slice(0, text.indexOf(words)).split('\n').length - 1,
    close: () => void parser.close(),
  };
}

const ENDS_EARLY = /^(?:unclosed tag|unexpected end|document must contain)/;
/** After a tag that was never opened, nothing can be told apart any more. */
const IS_BROKEN =
  /^(?:unmatched closing tag|unexpected close tag|text data outside of root|disallowed character in (?:tag|attribute|closing))/;

/**
 * Leaves out what is beyond the limit of a text, before the parser sees it: a section of 100 MB would be in its memory as
 * a whole.
 */
function createTextLimit() {
  let inside = false;
  let length = 0;
  let isCut = false;
  let dropped = 0;
  let held = '';
  const START = '<![CDATA[';
  const END = ']]>';
  /** The end of a text that may be the beginning of a mark. */
  const overlap = (text: string, mark: string): number => {
    for (let size = Math.min(mark.length - 1, text.length); size > 0; size -= 1)
      if (mark.startsWith(text.slice(-size))) return size;
    return 0;
  };
  const keep = (text: string): string => {
    const kept = length >= MAX_TEXT ? '' : text.slice(0, MAX_TEXT - length);
    length += text.length;
    if (kept.length < text.length) {
      isCut = true;
      dropped += text.slice(kept.length).split('\n').length - 1;
    }
    return kept;
  };
  return {
    limit(chunk: string): string {
      const text = held + chunk;
      held = '';
      let result = '';
      let at = 0;
      while (at < text.length) {
        const mark = inside ? END : START;
        const found = text.indexOf(mark, at);
        const end = found === -1 ? text.length - overlap(text.slice(at), mark) : found;
        const piece = text.slice(at, end);
        result += inside ? keep(piece) : piece;
        if (found === -1) {
          held = text.slice(end);
          break;
        }
        result += mark;
        at = found + mark.length;
        inside = !inside;
        length = 0;
      }
      return result;
    },
    takeCut(): boolean {
      const was = isCut;
      isCut = false;
      return was;
    },
    droppedLines: () => dropped,
  };
}

interface Building {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: WxrElement[];
  isCut: boolean;
}

/** Characters of one element of the channel, with all that is in it. */
const MAX_ELEMENT = 4 * MAX_TEXT;

/** Builds the elements of the channel: those at the depth of `rss > channel > item`. */
function createTree(onElement: (element: WxrElement) => void) {
  const open: Building[] = [];
  let depth = 0;
  let size = 0;
  let unread = 0;
  let comments = 0;
  const add = (element: WxrElement) => {
    const parent = open.at(-1);
    if (parent === undefined) {
      onElement({ ...element, children: withComments(element.children) });
      [size, comments] = [0, 0];
    } else parent.children.push(element);
  };
  const withComments = (children: readonly WxrElement[]): readonly WxrElement[] =>
    comments === 0
      ? children
      : [
          ...children,
          { name: 'comments', attributes: {}, text: String(comments), children: [], isCut: false },
        ];
  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      depth += 1;
      if (depth <= 2) return;
      if (unread > 0 || UNREAD.has(name)) {
        if (name === 'wp:comment') comments += 1;
        unread += 1;
      } else open.push({ name, attributes, text: '', children: [], isCut: false });
    },
    text(text: string, isCut = false) {
      const element = open.at(-1);
      if (element === undefined || unread > 0) return;
      size += text.length;
      element.text += text;
      element.isCut ||= isCut;
    },
    close() {
      depth -= 1;
      if (unread > 0) unread -= 1;
      else {
        const element = open.pop();
        if (element !== undefined) add(element);
      }
    },
    /** Characters of what is not complete yet. */
    size: () => size,
  };
}
