import { markdownToHTML, type Options } from 'comrak';
import { checkHtmlLimits, checkSourceLimits } from './limits.ts';

/** GFM and extensions. Raw HTML passes: the sanitiser comes next. extend.ts handles the new elements. */
const options: Options = {
  extension: {
    alerts: true,
    autolink: true,
    // Emphasis that ends at CJK punctuation (`**注：**あ`), which the CommonMark rules miss.
    cjkFriendlyEmphasis: true,
    footnotes: true,
    // `$`…`$` and fences in the language `math`; and `$…$`, `$$…$$`.
    mathCode: true,
    mathDollars: true,
    strikethrough: true,
    table: true,
    // `<script>`, `<title>` and the like become text. As tags they would swallow the rest of the post.
    tagfilter: true,
    tasklist: true,
  },
  render: { unsafe: true, fullInfoString: true, tasklistClasses: true },
};

let fatalError: unknown = null;

/**
 * Parses Markdown to unsafe HTML. Throws `MarkdownRefused` if the source exceeds a limit (limits.ts). After any other
 * error the parser's memory may be corrupt: every later call in this thread throws as well.
 */
export function parseToHtml(source: string): string {
  if (fatalError !== null)
    throw new Error('The Markdown parser failed before in this thread', { cause: fatalError });
  checkSourceLimits(source);
  const html = parse(source);
  checkHtmlLimits(html);
  return html;
}

function parse(source: string): string {
  try {
    return markdownToHTML(source, options);
  } catch (error) {
    fatalError = error;
    throw error;
  }
}
