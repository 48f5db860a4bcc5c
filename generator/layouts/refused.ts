/**
 * An owner's layout cannot be used. The message is for the owner, and names the line and the column if they are known.
 */
export class LayoutRefused extends Error {
  override readonly name = 'LayoutRefused';
}
