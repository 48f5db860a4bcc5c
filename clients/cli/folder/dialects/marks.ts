import { lineAt } from '../file-message.ts';
import { mapText, piecesOf } from '../prose.ts';
import type { Remark } from './containers.ts';
import { embed } from './embeds.ts';

/** Attribute lists of kramdown: `{:.lead}`, `{: #id }`, and its table of contents. */
export const convertKramdown = (markdown: string): string =>
  mapText(markdown, (text) =>
    text
      .replace(/^[ \t]*(?:[-*+]|1\.)[ \t]+[^\n]*\n[ \t]*\{:[ \t]*toc[^}\n]*\}/gim, '[TOC]')
      .replace(/^[ \t]*\{:[^}\n]*\}[ \t]*$/gm, '')
      .replace(/\{:[ \t]*[.#\w][^}\n]*\}/g, ''),
  );

/** Names after the language of a fence, as VuePress and Hugo write them: ```js{1,3} and ```js:line-numbers. */
export const convertFences = (markdown: string): string =>
  markdown
    .replace(/^([ \t]*(?:> ?)*`{3,}[\w+#-]+):line-numbers(=\d+)?/gm, '$1 showLineNumbers$2')
    .replace(/^([ \t]*(?:> ?)*`{3,}[\w+#-]+)(\{[\d, -]+\})/gm, '$1 $2');

/** The table of contents of VuePress. */
export const convertToc = (markdown: string): string =>
  mapText(markdown, (text) => text.replace(/^\[\[toc\]\][ \t]*$/gim, '[TOC]'));

/** MDX: modules are left out, components named. */
export function convertMdx(markdown: string, remark: Remark): string {
  const named = new Set<string>();
  for (const { text, isCode, offset } of piecesOf(markdown)) {
    if (isCode) continue;
    for (const { 1: name = '', index } of text.matchAll(/<([A-Z]\w*)/g)) {
      if (named.has(name) || /^(?:YouTube|Youtube)$/.test(name)) continue;
      named.add(name);
      remark(`Platen runs no components: of <${name}> only the text stays`, lineAt(markdown, offset + index));
    }
  }
  return mapText(markdown, (text) =>
    text
      .replace(
        /^(?:import\s[^\n;]*?(?:from\s*)?["'][^"'\n]*["'];?|export\s+(?:const|let|default)\s[^\n]*;)[ \t]*$/gm,
        '',
      )
      .replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
      .replace(
        /<You[Tt]ube\s+(?:id|videoId|youTubeId|url)=["']([^"']+)["'][^>]*\/?>/g,
        (whole, id: string) => {
          return embed('youtube', { named: { id }, positional: [] }) ?? whole;
        },
      ),
  );
}
