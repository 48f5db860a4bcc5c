/** The folders of an edge, which hold every file that Platen writes there. */
export const SITES_FOLDER = 'sites/';
export const HOSTS_FOLDER = 'hosts/';
export const MEDIA_FOLDER = 'media/';

/** The edge path of a blog's file. A path with a leading slash is outside the blog's folder. */
export const sitePath = (blogSlug: string, path: string): string =>
  path.startsWith('/') ? path.slice(1) : `${SITES_FOLDER}${blogSlug}/${path}`;

/** The folder of a blog's images on the edge. */
export const mediaFolder = (blogId: string): string => `${MEDIA_FOLDER}${blogId}/`;
