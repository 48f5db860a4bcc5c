/** A rejected image. The message is for the client and is a predicate of the image: "has more than 2000 frames". */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}
