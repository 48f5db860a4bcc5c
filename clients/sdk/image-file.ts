import { PlatenError } from './errors.ts';
import type { UploadImage } from './generated/types.ts';

/** An image in memory: a file of a form, bytes, or base64 as the API takes it. */
export type ImageFile = Blob | Uint8Array | ArrayBuffer | UploadImage;

export interface ImageName {
  /** Shown in lists of images; a File has its own. */
  readonly filename?: string | undefined;
}

type ImageType = UploadImage['content_type'];

/** First bytes of each type that the API takes, in Latin-1. */
const signatures: readonly (readonly [type: ImageType, start: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];
const SIGNATURE_BYTES = 12;

/** The body of an upload. Bytes and files get the type that they have, whatever their name says. */
export async function uploadBody(image: ImageFile, { filename }: ImageName): Promise<UploadImage | FormData> {
  if (!(image instanceof Blob || image instanceof Uint8Array || image instanceof ArrayBuffer)) {
    return filename === undefined ? image : { ...image, filename };
  }
  // Bytes of a SharedArrayBuffer cannot be in a Blob, so bytes are copied.
  const blob = image instanceof Blob ? image : new Blob([new Uint8Array(image)]);
  const start = new Uint8Array(await blob.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const form = new FormData();
  form.append('file', new Blob([blob], { type: typeOf(start) }), filename ?? nameOf(image));
  return form;
}

function typeOf(start: Uint8Array): ImageType {
  const text = String.fromCharCode(...start);
  const found = signatures.find(([, signature]) => signature.test(text));
  if (found) return found[0];
  throw new PlatenError('invalid_call', 'the file is no image of a known type: JPEG, PNG, GIF or WebP');
}

const nameOf = (image: object): string =>
  'name' in image && typeof image.name === 'string' && image.name !== '' ? image.name : 'image';
