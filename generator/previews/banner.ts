const STYLE =
  'position:sticky;top:0;z-index:10;margin:0;padding:.6em 1em;background:#1f2937;color:#fff;' +
  'font:600 15px/1.4 system-ui,sans-serif;text-align:center';

/** A banner that marks a page as a preview and shows when its link expires. */
export function previewBanner(expiresAt: string): string {
  const day = new Date(expiresAt).toLocaleDateString('en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    `<aside lang="en" dir="ltr" aria-label="Preview" style="${STYLE}">Preview: the post as it is now. ` +
    `Whoever has this link can read it until ${day}.</aside>`
  );
}
