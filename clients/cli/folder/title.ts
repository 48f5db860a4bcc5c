import { withoutDate } from './dates.ts';

export interface Heading {
  readonly text: string;
  /** Whether it starts the text. */
  readonly startsText: boolean;
  /** The text after it. */
  readonly rest: string;
}

/** The first `# heading` outside fenced code blocks, where a `#` usually starts a comment. */
export function firstHeading(body: string): Heading | undefined {
  let fence: string | undefined;
  let offset = 0;
  let opens = true;
  for (const line of body.split('\n')) {
    offset += line.length + 1;
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const text = /^ {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?\s*$/.exec(line)?.[1];
    if (ticks !== undefined && fence === undefined) fence = ticks;
    else if (fence !== undefined && ticks?.startsWith(fence)) fence = undefined;
    else if (fence === undefined && text)
      return { text: plainText(text), startsText: opens, rest: body.slice(offset) };
    if (line.trim() !== '') opens = false;
  }
  return undefined;
}

/** Converts a heading to plain text: links keep their text, emphasis, code and ids lose their markers. */
const plainText = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s*\{#[\w-]+\}$/, '')
    .replace(/[*`]/g, '');

/** `2024-05-01-how_it-works` -> `How it works`. */
export function titleFromName(name: string): string {
  const words = withoutDate(name)
    .replace(/[-_\s]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
