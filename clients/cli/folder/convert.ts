import { convertContainers, type Remark } from './dialects/containers.ts';
import { convertLiquid } from './dialects/liquid.ts';
import { convertFences, convertKramdown, convertMdx, convertToc } from './dialects/marks.ts';
import { convertShortcodes } from './dialects/shortcodes.ts';
import type { SiteGenerator } from './generator.ts';

/**
 * Turns what generators add to Markdown into what Platen has. What is tied to a place in a file comes first, so that the
 * lines that are named are those of the file.
 */
export function convertMarkdown(
  markdown: string,
  { file, generator }: { readonly file: string; readonly generator: SiteGenerator },
  remark: Remark,
): string {
  if (generator === 'platen' || generator === 'exact') return markdown;
  const runsLiquid = generator === 'jekyll' || generator === 'eleventy';
  let text = markdown;
  if (runsLiquid) text = convertLiquid(text, remark);
  else text = convertShortcodes(text, remark);
  if (/\.mdx$/i.test(file)) text = convertMdx(text, remark);
  if (generator === 'jekyll') text = convertKramdown(text);
  return convertContainers(convertToc(convertFences(text)), remark);
}
