import type { Request, Response } from 'express';
import { createBytesReader, parseJsonBody, type SentBody } from '../http/body.ts';
import { IMAGE_MAX_BYTES, IMAGE_TYPE_LIST, imageTypeFromName } from '../image-processing/image.ts';
import { type FormPart, parseForm } from '../input/multipart.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { DomainError } from '../runtime/errors.ts';

/** Room for the largest image in base64, with line breaks and escaped slashes. */
const BODY_MAX_BYTES = 8 * 1_048_576;

const readBytes = createBytesReader(BODY_MAX_BYTES);

/**
 * Reads an upload: JSON, or a form (`multipart/form-data`) whose field `file` is the image. A form is converted to
 * the equivalent JSON, which is then validated. Rejects with `bad_request` or `unsupported_media_type`.
 */
export async function readUpload(req: Request, res: Response): Promise<SentBody> {
  const bytes = await readBytes(req, res).catch(throwImageLimit);
  if (bytes.length > 0 && !req.is(['json', '+json', 'multipart/form-data'])) {
    throw new DomainError(
      'unsupported_media_type',
      `send the image (${IMAGE_TYPE_LIST}) as base64 in JSON with Content-Type: application/json, or as the field "file" of a form with Content-Type: multipart/form-data`,
    );
  }
  if (!req.is('multipart/form-data')) return { body: parseJsonBody(req, bytes) };
  const parts = parseForm(bytes, req.get('Content-Type') ?? '');
  const files = parts.filter(({ name }) => name === 'file');
  const [file] = files;
  if (!file)
    throw invalidRequest([{ field: 'file', message: 'is missing: send the image in the form field "file"' }]);
  if (files.length > 1) throw invalidRequest([{ field: 'file', message: 'must be one file' }]);
  return {
    body: { data: file.bytes.toString('base64'), filename: file.filename, content_type: declaredType(file) },
    formFields: parts.map(({ name }) => name),
  };
}

/** Reports the image limit instead of the body limit, because that is what the client can act on. */
function throwImageLimit(error: unknown): never {
  const isTooLarge = error instanceof Error && 'status' in error && error.status === 413;
  if (!isTooLarge) throw error;
  throw new DomainError('bad_request', `the image is larger than ${IMAGE_MAX_BYTES} bytes (5 MB)`);
}

/** The declared media type. If a client does not know it (missing, or octet-stream), the file name decides. */
function declaredType({ type, filename }: FormPart): string {
  const declared =
    type === 'application/octet-stream' || type === '' ? imageTypeFromName(filename ?? '') : type;
  if (declared === null) {
    const message = `must be ${IMAGE_TYPE_LIST}, by its Content-Type or its name`;
    throw invalidRequest([{ field: 'file', message }]);
  }
  return declared;
}
