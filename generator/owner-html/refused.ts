/** HTML of an owner that cannot be put on pages. The message is fit for the owner. */
export class OwnerHtmlRefused extends Error {
  override readonly name = 'OwnerHtmlRefused';
}
