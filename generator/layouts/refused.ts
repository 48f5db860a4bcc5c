/**
 * An owner's layout that cannot be used. The message is fit for the owner, and names the line and the column where
 * there is one.
 */
export class LayoutRefused extends Error {
  override readonly name = 'LayoutRefused';
}
