/** An image that is not accepted. The message is fit for whoever sent it and says what the image does or lacks. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}
