/** Owner HTML cannot be put on pages. The message is for the owner. */
export class OwnerHtmlRefused extends Error {
  override readonly name = 'OwnerHtmlRefused';
}
