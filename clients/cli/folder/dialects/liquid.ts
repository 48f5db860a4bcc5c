import { lineAt } from '../file-message.ts';
import { piecesOf } from '../prose.ts';
import type { Remark } from './containers.ts';
import { attributesOf, embed, fenced } from './embeds.ts';

/**
 * `{% name arguments %}` and `{{ output }}` of Jekyll and Eleventy. Their length has a limit, so that a file of tags that
 * are never closed is read in time.
 */
const LIQUID =
  /\{%-?[ \t\n]*(\w+)((?:"[^"]{0,500}"|'[^']{0,500}'|[^"'%]|%(?!\})){0,1000}?)-?%\}|\{\{-?((?:"[^"]{0,500}"|'[^']{0,500}'|[^"'}]){0,1000}?)-?\}\}/g;

/** A tag whose text, up to `end…`, is taken as it is. */
const BLOCK = /\{%-?\s{0,50}(raw|comment|highlight|mermaid)\b([^%]{0,500}?)-?%\}/g;

const ends = {
  raw: /\{%-?\s{0,50}endraw\s{0,50}-?%\}/g,
  comment: /\{%-?\s{0,50}endcomment\s{0,50}-?%\}/g,
  highlight: /\{%-?\s{0,50}endhighlight\s{0,50}-?%\}/g,
  mermaid: /\{%-?\s{0,50}endmermaid\s{0,50}-?%\}/g,
};
type BlockName = keyof typeof ends;

/** Replaces blocks with their text. Each kind that is not closed is looked for once. */
function replaceBlocks(
  source: string,
  make: (name: BlockName, rest: string, inner: string) => string,
): string {
  let result = '';
  let at = 0;
  const unclosed = new Set<string>();
  for (const { 0: opening, 1: found, 2: rest = '', index } of source.matchAll(BLOCK)) {
    const name = found as BlockName;
    if (index < at || unclosed.has(name)) continue;
    const end = ends[name];
    end.lastIndex = index + opening.length;
    const closing = end.exec(source);
    if (closing === null) {
      unclosed.add(name);
      continue;
    }
    const inner = source.slice(index + opening.length, closing.index);
    result += source.slice(at, index) + make(name, rest, inner);
    at = closing.index + closing[0].length;
  }
  return result + source.slice(at);
}

/**
 * Turns the common tags of Liquid into what Platen has: highlighted code, links to posts, videos, includes of those, and
 * paths of the site. Other tags stay as they are written, and are named.
 */
export function convertLiquid(markdown: string, remark: Remark): string {
  if (!/\{[{%]/.test(markdown)) return markdown;
  // What stands in such a block must not be read again, so it waits under a mark that no text has.
  const kept: string[] = [];
  const keep = (text: string, lines: string) => `\uFDD0${kept.push(text) - 1}\uFDD0${lines}\uFDD0`;
  const source = markdown.replaceAll('\uFDD0', '');
  const withoutBlocks = replaceBlocks(source, (name, rest, inner) => {
    const lines = '\n'.repeat(inner.split('\n').length - 1);
    if (name === 'raw') return keep(inner, lines);
    if (name === 'comment') return lines;
    return keep(fenced(name === 'mermaid' ? name : (attributesOf(rest).positional[0] ?? ''), inner), lines);
  });
  let result = '';
  for (const { text, isCode, offset } of piecesOf(withoutBlocks)) {
    result += isCode ? text : text.replace(LIQUID, (...found) => convertTag(found, offset));
  }
  return result.replace(/\uFDD0(\d+)\uFDD0\n*\uFDD0/g, (_, n: string) => kept[Number(n)] ?? '');

  function convertTag(found: readonly unknown[], offset: number): string {
    const [whole = '', name, rest = '', output] = found.slice(0, 4).map((part) => part as string | undefined);
    const made = name === undefined ? outputOf((output ?? '').trim()) : tagOf(name, rest.trim());
    if (made !== undefined) return made;
    const at = found.find((part) => typeof part === 'number') ?? 0;
    const what = name === undefined ? 'the output' : 'the tag';
    remark(
      `Platen runs no Liquid: ${what} ${whole.replace(/\s+/g, ' ').slice(0, 60)} stays as it is written`,
      lineAt(withoutBlocks, offset + at),
    );
    return whole;
  }
}

function tagOf(name: string, rest: string): string | undefined {
  if (name === 'post_url' || name === 'link') return rest;
  if (name === 'include' || name === 'include_relative' || name === 'include_cached' || name === 'render') {
    const [file = '', ...more] = rest.split(/\s+/);
    return embed(file.replace(/["',]/g, ''), attributesOf(more.join(' ')));
  }
  if (/^(?:assign|capture|endcapture)$/.test(name)) return undefined;
  return embed(name, attributesOf(rest));
}

/** `site.baseurl`, and paths with the filters that add it. */
function outputOf(expression: string): string | undefined {
  if (/^site\.(?:baseurl|url)$/.test(expression)) return '';
  const path =
    /^(["'])(.*?)\1\s*\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.baseurl)\b[^|]*$/.exec(
      expression,
    )?.[2];
  if (path !== undefined) return path;
  return /^(["'])(.*?)\1$/.exec(expression)?.[2];
}
