import { z } from 'zod';
import { imageTypes } from '../domain/image.ts';

/** A PNG of one pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Base64 (RFC 4648) of either alphabet, padded or not; line breaks may stand in it, as MIME writes them. A `data:`
 * address is not base64. What it decodes to is judged by the service.
 */
const base64 = z
  .string()
  .refine(
    (text) => !text.startsWith('data:'),
    'must be the base64 alone, without "data:...;base64," before it',
  )
  .transform((text) => text.replace(/\s+/g, ''))
  .refine(isBase64, 'must be base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .meta({ format: 'byte', description: 'The image in base64: at most 5 MB before that.', example: DOT });

function isBase64(text: string): boolean {
  const unpadded = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text;
  const isWhole = unpadded.length % 4 !== 1 && (unpadded === text || text.length % 4 === 0);
  return isWhole && !/[^A-Za-z0-9+/_-]/.test(unpadded);
}

export const uploadBody = z
  .object({
    data: base64,
    filename: z
      .string()
      .optional()
      .meta({ description: 'Only told: images are stored under names of their own.', example: 'dot.png' }),
    content_type: z.enum(imageTypes).meta({ example: 'image/png' }),
  })
  .meta({ id: 'UploadImage' });

/** What `readUpload` takes in place of JSON. */
export const uploadForm = z
  .object({ file: z.file().describe('The image: at most 5 MB.') })
  .meta({ id: 'UploadForm' });

export const uploadedImage = z
  .object({
    url: z
      .url()
      .meta({ description: 'To be used in Markdown.', example: 'https://media.example.org/019a2f6e.png' }),
  })
  .meta({ id: 'UploadedImage' });

/** An image's address: its path on the edge, with the media host in place of the folder. */
export const presentUploaded = (
  image: { readonly path: string },
  mediaUrl: string,
): z.infer<typeof uploadedImage> => ({ url: `${mediaUrl}${image.path.slice('media'.length)}` });
