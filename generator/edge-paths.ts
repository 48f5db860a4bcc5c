/** The folders of an edge, which hold every file that Platen writes there. */
export const SITES_FOLDER = 'sites/';
export const HOSTS_FOLDER = 'hosts/';
export const MEDIA_FOLDER = 'media/';

/** The edge path of a blog's file. A path with a leading slash is outside the blog's folder. */
export const sitePath = (folder: string, path: string): string =>
  path.startsWith('/') ? path.slice(1) : `${SITES_FOLDER}${folder}/${path}`;

/** The folder of a blog's images on the edge. */
export const mediaFolder = (blogId: string): string => `${MEDIA_FOLDER}${blogId}/`;

/**
 * Begins a reference: `platen-media:/<blog id>/<file>`, an uploaded image as the database stores it. It names no host,
 * so that the service and its images can move; pages get today's address (server/media/references.ts). No author can
 * write one: the sanitiser drops links and images with this scheme.
 */
export const MEDIA_SCHEME = 'platen-media:';

/** What an image's path may follow: the URL of any host, or this service's own path for images. */
const MEDIA_ROOT = /^(?:(?:https?:)?\/\/[^?#\s]+|\/media)$/i;

/**
 * The path of an uploaded image below the media folder (`/<blog id>/<file>`) if an address has the form of one: an
 * absolute address on any host, because the service may have moved, or `/media/<blog id>/<file>`. Null for any other.
 * Whether the image exists, and whose it is, is for the caller to find out.
 */
export function imagePathIn(address: string): string | null {
  const start = address.lastIndexOf('/', address.lastIndexOf('/') - 1);
  return MEDIA_ROOT.test(address.slice(0, start)) ? address.slice(start) : null;
}
