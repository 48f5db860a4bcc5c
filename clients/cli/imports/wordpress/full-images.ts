/** The size that WordPress adds to the name of an image that it has made smaller, or cut. */
const SIZED =
  /(\bsrc=["'])([^"']+?)-(?:\d{2,4}x\d{2,4}|scaled)(\.(?:jpe?g|png|gif|webp))(\?[^"']*)?(?=["'])/gi;

/** Shows the images that the library has in their full size: Platen makes the sizes that browsers need itself. */
export function withFullImages(html: string, files: ReadonlySet<string>): string {
  return html.replace(SIZED, (whole, before: string, stem: string, extension: string) => {
    const named = [stem + extension, `${stem}-scaled${extension}`];
    const found = named
      .flatMap((full) => [full, full.replace(/^http:/, 'https:'), full.replace(/^https:/, 'http:')])
      .find((address) => files.has(address));
    return found === undefined ? whole : before + found;
  });
}
