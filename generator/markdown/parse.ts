import { markdownToHTML, type Options } from 'comrak';
import { MarkdownRefused } from './refused.ts';

/** GFM with footnotes. Raw HTML passes: the sanitiser comes next. Extensions of the syntax are switched on here. */
const options: Options = {
  extension: {
    autolink: true,
    // Emphasis that ends at CJK punctuation (`**注：**あ`), which the plain rules miss.
    cjkFriendlyEmphasis: true,
    footnotes: true,
    strikethrough: true,
    table: true,
    // `<script>`, `<title>` and the like become text. As tags they would swallow the rest of the post.
    tagfilter: true,
    tasklist: true,
  },
  render: { unsafe: true, tasklistClasses: true },
};

/** Short rows of a table are filled up with empty cells, each about 150 bytes of the parser's memory. */
const MAX_TABLE_CELLS = 2_000_000;
const DELIMITER_ROWS = /^[-|:>+*.)\d \t\v\f]*\|[-|:>+*.)\d \t\v\f]*$/gm;

let trap: unknown = null;

/**
 * Markdown to unsafe HTML. Throws `MarkdownRefused` on a table that would not fit in memory.
 * After any other error the parser's memory cannot be trusted: every later call in this thread throws as well.
 */
export function parseToHtml(source: string): string {
  if (trap !== null) throw new Error('The Markdown parser failed before in this thread', { cause: trap });
  refuseVastTables(source);
  try {
    return markdownToHTML(source, options);
  } catch (error) {
    trap = error;
    throw error;
  }
}

/** An upper bound, from the widest delimiter row and the number of lines, keeps the check linear. */
function refuseVastTables(source: string): void {
  const columns = Math.max(0, ...widths(source));
  if (columns < 2) return;
  const lines = source.match(/\r\n?|\n/g)?.length ?? 0;
  if (columns * lines > MAX_TABLE_CELLS) {
    throw new MarkdownRefused(
      `The post's tables are too large: ${columns} columns in a post of ${lines} lines.`,
    );
  }
}

function widths(source: string): number[] {
  return (source.match(DELIMITER_ROWS) ?? []).map((row) => row.split('|').length);
}
