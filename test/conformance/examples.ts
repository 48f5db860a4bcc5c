import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseToHtml } from '../../generator/markdown/parse.ts';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import { sanitise } from '../../generator/markdown/sanitise.ts';

export interface Example {
  readonly example: number;
  readonly markdown: string;
  readonly html: string;
}

/** Numbers of a suite's examples that come out otherwise, and why they must. */
export type Deviations = Readonly<Record<string, readonly number[]>>;

export function readExamples(corpus: string, name: string): Example[] {
  const parsed: unknown = JSON.parse(readFileSync(join(corpus, 'markdown', `${name}.json`), 'utf8'));
  return Array.isArray(parsed) ? parsed.filter(isExample) : [];
}

/** Numbers of the examples whose HTML, before the sanitiser, is not what the suite expects. */
export function deviationsOfParser(examples: readonly Example[]): number[] {
  return examples
    .filter(({ markdown, html }) => withoutTaskClasses(parseToHtml(markdown)) !== html)
    .map(({ example }) => example);
}

/** Numbers of the examples for which the whole pipeline does more than sanitise what the suite expects. */
export function deviationsOfPipeline(examples: readonly Example[]): number[] {
  return examples
    .filter(({ markdown, html }) => {
      return withoutTaskClasses(withoutAnchors(renderMarkdown(markdown).html)) !== sanitise(html);
    })
    .map(({ example }) => example);
}

export function numbers(deviations: Deviations): number[] {
  return Object.values(deviations)
    .flat()
    .toSorted((one, other) => one - other);
}

function isExample(value: unknown): value is Example {
  return (
    typeof value === 'object' &&
    value !== null &&
    'example' in value &&
    'markdown' in value &&
    'html' in value
  );
}

function withoutTaskClasses(html: string): string {
  return html.replace(/ class="(?:contains-task-list|task-list-item|task-list-item-checkbox)"/g, '');
}

function withoutAnchors(html: string): string {
  return html.replace(/<a class="anchor" [^>]*><\/a>/g, '').replace(/(<h[1-6]) id="[^"]*"/g, '$1');
}
