/**
 * The page of an owner's redirect. Plain, because a blog may have thousands, and a new theme must not rewrite them all.
 * It begins as `generator/edge/redirect.ts` expects. `to` is an absolute URL as URL parsers print it.
 */
export function redirectHtml(to: string): string {
  const url = to.replaceAll('&', '&amp;');
  return (
    `<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"/>` +
    `<meta http-equiv="refresh" content="0; url=${url}"/>` +
    `<title>Moved</title><meta name="robots" content="noindex"/><link rel="canonical" href="${url}"/></head>` +
    `<body><p>This page has moved to <a href="${url}">${url}</a>.</p></body></html>\n`
  );
}
