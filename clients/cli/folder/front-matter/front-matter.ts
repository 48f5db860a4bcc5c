import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { lineAt } from '../file-message.ts';

/** The two parts of a Markdown file. */
export interface SplitFile {
  /** What the front matter says; empty if there is none. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Number of the line on which the body begins, from 1. */
  readonly bodyLine: number;
  /** Number of the line that names a field of the front matter, from 1. */
  readonly lineOf: (field: string) => number;
}

/** Front matter that cannot be parsed. The message has the parser's reason. */
export class FrontMatterError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

type Format = 'YAML' | 'TOML' | 'JSON';

interface Block {
  readonly format: Format;
  readonly text: string;
  /** Number of lines above `text`. */
  readonly above: number;
  readonly body: string;
}

/**
 * Splits a Markdown file into its front matter and its body. Front matter is YAML between `---`, TOML between `+++`, or
 * a JSON object at the very beginning; `---toml` and `---json` name the format. A file without it, or one that never
 * closes it, is all body.
 */
export function splitFrontMatter(source: string): SplitFile {
  const block = fencedBlock(source) ?? jsonBlock(source);
  if (block === null) return { data: {}, body: source, bodyLine: 1, lineOf: () => 1 };
  const data = parse(block);
  const kind = data === null ? 'nothing' : Array.isArray(data) ? 'a list' : typeof data;
  if (kind !== 'object' && kind !== 'nothing') {
    throw new FrontMatterError(`the front matter must be fields, not ${kind}`, block.above + 1);
  }
  return {
    data: (data ?? {}) as Record<string, unknown>,
    body: block.body,
    bodyLine: lineAt(source, source.length - block.body.length),
    lineOf: (field) => lineOfField(block, field),
  };
}

function fencedBlock(source: string): Block | null {
  const match =
    /^(---|\+\+\+)(yaml|toml|json|js|javascript|)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?\1[ \t]*(?:\r?\n|$)/.exec(
      source,
    );
  if (match === null) return null;
  const [whole, fence, name = '', text = ''] = match;
  if (/^j(?:s$|avascript)/.test(name)) {
    throw new FrontMatterError('front matter in JavaScript is never run: write it as YAML, TOML or JSON', 1);
  }
  const format = fence === '+++' || name === 'toml' ? 'TOML' : name === 'json' ? 'JSON' : 'YAML';
  return { format, text, above: 1, body: source.slice(whole.length) };
}

/** JSON as Hugo has it: an object without a fence. What only looks like one, such as a Liquid tag, is text. */
function jsonBlock(source: string): Block | null {
  if (!/^\{\s*"[^"\n]*"\s*:/.test(source)) return null;
  const end = endOfObject(source);
  if (end === -1) throw new FrontMatterError('the front matter is JSON whose last brace is missing', 1);
  const body = source.slice(end).replace(/^[ \t]*\r?\n/, '');
  return { format: 'JSON', text: source.slice(0, end), above: 0, body };
}

/** The offset behind the brace that closes the first one. */
function endOfObject(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return -1;
}

function parse({ format, text, above }: Block): unknown {
  // Empty lines take the place of the fence, so that the parsers report the lines of the file.
  const padded = `${'\n'.repeat(above)}${text}\n`;
  try {
    if (format === 'TOML') return parseToml(padded, { integersAsBigInt: 'asNeeded' });
    if (format === 'JSON') return text.trim() === '' ? null : JSON.parse(text);
    // Failsafe schema: scalars stay text, so the title 1.10 does not become the number 1.1.
    return parseYaml(padded, { schema: 'failsafe', customTags: ['null'], logLevel: 'error' });
  } catch (error) {
    throw invalid(format, error, text, above);
  }
}

function invalid(format: Format, error: unknown, text: string, above: number): FrontMatterError {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const reason = message
    .replace('Invalid TOML document: ', '')
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/:$/, '');
  return new FrontMatterError(`the front matter is not valid ${format}: ${reason}`, lineOfError());

  function lineOfError(): number {
    if (error instanceof YAMLParseError) return error.linePos?.[0].line ?? above + 1;
    if (error instanceof TomlError) return error.line;
    const position = /at position (\d+)/.exec(message)?.[1];
    return above + (position === undefined ? 1 : lineAt(text, Number(position)));
  }
}

/** Parsers of TOML and JSON keep no places, so a field is found by how it is written; else it is the first line. */
function lineOfField({ text, above }: Block, field: string): number {
  const name = field.replace(/[^\w-]/g, '\\$&');
  const found = new RegExp(`^[ \\t{,]*(?:\\[+)?["']?${name}["']?[ \\t]*(?:[:=.]|\\]|$)`, 'm').exec(text);
  return above + (found === null ? 1 : lineAt(text, found.index + found[0].search(/\S|$/)));
}
