/** Version of the output of `closeHtml`. Raise it with every change that gives different output. */
export const OWNER_HTML_VERSION = 1;
