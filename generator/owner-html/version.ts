/** Version of what `wholeHtml` makes of an owner's HTML. Raised with every change that makes something else of it. */
export const OWNER_HTML_VERSION = 1;
