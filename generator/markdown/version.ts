/** Stored with each rendering. Raise it with every change to the output of `renderMarkdown`. */
export const MARKDOWN_VERSION = 9;
