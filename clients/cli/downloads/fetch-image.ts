import { MAX_IMAGE_BYTES } from '../folder/image-files.ts';

/** An image that cannot be had. The message is the end of a sentence about it. */
export class ImageError extends Error {
  /** Whether its host did not answer at all. */
  readonly isUnreachable: boolean;
  constructor(message: string, isUnreachable = false) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

export interface FetchLimits {
  /** Milliseconds until an image has to be there. @default 20,000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 20_000;
export const MAX_REDIRECTS = 5;
/** Hosts that choose a kind for the browser would else choose AVIF. */
const ACCEPTED = 'image/webp, image/png, image/jpeg, image/gif';

/** Downloads an image from any host: the command runs on its user's own machine. Throws an ImageError. */
export async function fetchImage(
  address: string,
  { timeoutMs = TIMEOUT_MS, signal }: FetchLimits = {},
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    const response = await follow(address, either);
    if (!response.ok) throw new ImageError(`is not there (status ${response.status})`);
    return await readBody(response);
  } catch (error) {
    if (error instanceof ImageError) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) throw new ImageError(`did not come within ${timeoutMs / 1_000} s`, true);
    throw new ImageError(`could not be fetched: ${reasonOf(error)}`, true);
  }
}

async function follow(first: string, signal: AbortSignal): Promise<Response> {
  let address = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(address, { signal, redirect: 'manual', headers: { accept: ACCEPTED } });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, address)) throw new ImageError('redirects to nothing');
    const next = new URL(location, address);
    if (!/^https?:$/.test(next.protocol)) throw new ImageError(`redirects to ${next.protocol}`);
    address = next.href;
  }
  throw new ImageError(`redirects more than ${MAX_REDIRECTS} times`);
}

async function readBody(response: Response): Promise<Uint8Array> {
  const tooLarge = new ImageError('has more than 5 MB, the most that an image may have: make it smaller');
  if (Number(response.headers.get('content-length')) > MAX_IMAGE_BYTES) {
    await response.body?.cancel();
    throw tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length > MAX_IMAGE_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.message : String(error);
}

const signatures: readonly (readonly [string, RegExp])[] = [
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG/],
  ['gif', /^GIF8/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** The extension for an image of a kind that Platen takes. Throws an ImageError for every other. */
export function extensionOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const found = signatures.find(([, signature]) => signature.test(start))?.[0];
  if (found !== undefined) return found;
  if (/^(?:\s*<(?:\?xml|svg))/i.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1')))
    throw new ImageError('is an SVG, which can carry scripts: Platen takes JPEG, PNG, GIF and WebP');
  throw new ImageError('is no JPEG, PNG, GIF or WebP: Platen takes no other images');
}
