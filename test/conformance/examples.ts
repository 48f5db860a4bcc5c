import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sanitizeHtml from 'sanitize-html';
import { parseToHtml } from '../../generator/markdown/parse.ts';
import { finishHtml, renderMarkdown } from '../../generator/markdown/render.ts';

export interface Example {
  readonly example: number;
  readonly markdown: string;
  readonly html: string;
}

/** Numbers of the suite's examples that differ, by the reason why they must. */
export type Deviations = Readonly<Record<string, readonly number[]>>;

export function readExamples(corpus: string, name: string): Example[] {
  const parsed: unknown = JSON.parse(readFileSync(join(corpus, 'markdown', `${name}.json`), 'utf8'));
  return Array.isArray(parsed) ? parsed.filter(isExample) : [];
}

/** Numbers of the examples whose HTML, straight from the parser, differs from the suite's by at least a letter. */
export function deviationsOfParser(examples: readonly Example[]): number[] {
  return deviations(examples, ({ markdown, html }) => withoutMarks(parseToHtml(markdown)) === html);
}

/** Numbers of the examples that the whole pipeline renders differently if the sanitiser forbids nothing. */
export function deviationsWithoutPolicy(examples: readonly Example[]): number[] {
  return deviations(
    examples,
    ({ markdown, html }) =>
      withoutAdditions(finishHtml(canonical(parseToHtml(markdown))).html) === canonical(html),
  );
}

/** Numbers of the examples that the whole pipeline renders differently. */
export function deviationsOfPipeline(examples: readonly Example[]): number[] {
  return deviations(
    examples,
    ({ markdown, html }) => withoutAdditions(renderMarkdown(markdown).html) === canonical(html),
  );
}

export function numbers(deviations: Deviations): number[] {
  return Object.values(deviations)
    .flat()
    .toSorted((one, other) => one - other);
}

function deviations(examples: readonly Example[], isAsExpected: (example: Example) => boolean): number[] {
  return examples.filter((example) => !isAsExpected(example)).map(({ example }) => example);
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

/** HTML serialised by the sanitiser, without its policy. */
function canonical(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    allowedSchemesAppliedToAttributes: [],
    selfClosing: ['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'],
  });
}

const CODE = /(<pre><code(?: [^>]*)?>)(.*?)(<\/code><\/pre>)/gs;

/** Removes everything that we add to the output of a specification. */
function withoutAdditions(html: string): string {
  return withoutMarks(html)
    .replace(/<a class="anchor" [^>]*><\/a>/g, '')
    .replace(
      /<figure><img ([^>]*)\/><figcaption>([^<]*)<\/figcaption><\/figure>/g,
      '<p><img $1title="$2" /></p>',
    )
    .replace(/(<h[1-6]) id="[^"]*"/g, '$1')
    .replace(
      / rel="nofollow ugc noopener"| loading="lazy" decoding="async"| aria-label="(?:Inc|C)omplete(?:d)? task"/g,
      '',
    )
    .replace(/(<t[hd]) class="align-(left|center|right)"/g, '$1 align="$2"')
    .replace(/<div class="table" tabindex="0">|(?<=<\/table>)<\/div>/g, '')
    .replace(/<pre tabindex="0"/g, '<pre')
    .replace(CODE, (_, open: string, code: string, close: string) => {
      const plain = code
        .replace(/<\/?(?:span|mark)[^>]*>/g, '')
        .replace(/&#x27;/g, "'")
        .replace(/&quot;/g, '"');
      return open + plain + close;
    });
}

/** Removes the marks that the parser leaves for us: task lists, and the words after the language of a fence. */
function withoutMarks(html: string): string {
  return html.replace(
    / class="(?:contains-task-list|task-list-item|task-list-item-checkbox)"| data-meta="[^"]*"/g,
    '',
  );
}
