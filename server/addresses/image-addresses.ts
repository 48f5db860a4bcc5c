import { MEDIA_SCHEME } from '../../generator/edge-paths.ts';

/** Whether an address is a reference to an uploaded image (server/media/references.ts). */
export const isReference = (address: string): boolean => address.startsWith(MEDIA_SCHEME);

/**
 * The address of today for a reference. Every other address stays as it is. `mediaUrl` is the URL of uploaded images,
 * without a trailing slash.
 */
export const resolveAddress = (address: string, mediaUrl: string): string =>
  isReference(address) ? mediaUrl + address.slice(MEDIA_SCHEME.length) : address;
