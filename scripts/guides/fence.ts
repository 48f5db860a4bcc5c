import { renderMarkdown } from '../../generator/markdown/render.ts';

/**
 * The HTML of a code block, drawn as in posts: highlighted, with titles and line marks. Braces are written as
 * references, because mdsvex inserts the result into a Svelte component.
 */
export function fenceHtml(code: string, language = '', info = ''): string {
  const fence = '`'.repeat(longestRun(code) + 3);
  const { html } = renderMarkdown(`${fence}${language} ${info}\n${code}\n${fence}`);
  return html.replaceAll('{', '&#123;').replaceAll('}', '&#125;');
}

const longestRun = (code: string): number =>
  Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
