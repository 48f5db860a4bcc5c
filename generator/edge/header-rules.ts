import { join } from 'node:path';
import { HEADERS_FILE } from '../addresses.ts';

/** A section of a `_headers` file: the pattern of its paths, and its header lines in order. */
interface Section {
  readonly matches: RegExp;
  /** A header with its value; null removes a header that an earlier section set. */
  readonly headers: readonly (readonly [name: string, value: string | null])[];
}

export type HeaderRules = readonly Section[];

/** Parses the subset of `_headers` syntax that Platen writes: path patterns with `*`, `Name: value`, `! Name`. */
export function parseHeaderRules(text: string): HeaderRules {
  const sections: { matches: RegExp; headers: [string, string | null][] }[] = [];
  for (const line of text.split('\n')) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!/^\s/.test(line)) sections.push({ matches: patternToRegExp(content), headers: [] });
    else sections.at(-1)?.headers.push(parseHeaderLine(content));
  }
  return sections;
}

/** The headers of a path (absolute and decoded). */
export function headersFor(rules: HeaderRules, path: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const section of rules) {
    if (!section.matches.test(path)) continue;
    for (const [name, value] of section.headers) {
      if (value === null) headers.delete(name);
      else headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
  }
  return headers;
}

const patternToRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

function parseHeaderLine(line: string): [string, string | null] {
  if (line.startsWith('!')) return [line.slice(1).trim(), null];
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** Path of a blog folder's `_headers` file. */
export const headersFilePath = (folder: string): string => join(folder, HEADERS_FILE);
