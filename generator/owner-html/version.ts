/** Version of the output of `wholeHtml`. Raise it with every change that gives different output. */
export const OWNER_HTML_VERSION = 1;
