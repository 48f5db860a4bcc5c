/** Stands beside each stored rendering. Raise it with every change of what `renderMarkdown` gives. */
export const MARKDOWN_VERSION = 4;
