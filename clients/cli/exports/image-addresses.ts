/** An uploaded image as an export of the API lists it. */
export interface ExportedImage {
  readonly url: string;
  readonly filename: string | null;
}

/** `<blog id>/<file>`, by which an image is known wherever the service and its images are. */
const imageKey = (address: string): string => address.split('/').slice(-2).join('/');

/** What the key of an image may follow: any host, or the service's own path. */
const ADDRESS = /^(?:(?:https?:)?\/\/[^?#\s]+|\/media)\/([\da-f-]{36}\/[\w.-]+)$/i;

/** The images of an account, and the files that they become. */
export interface ImageFiles {
  /** The image that an address of any time leads to, with its file in the folder; undefined for every other address. */
  find(address: string): { readonly url: string; readonly file: string } | undefined;
}

/**
 * Gives every image a file: the name that it was uploaded with. If several have it, with a part of their ids, so that each
 * run gives the same.
 */
export function createImageFiles(images: readonly ExportedImage[]): ImageFiles {
  const names = images.map(({ url, filename }) => ({ url, key: imageKey(url), name: nameOf(url, filename) }));
  const counts = new Map<string, number>();
  for (const { name } of names) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const files = new Map(
    names.map(({ url, key, name }) => {
      const isUnique = counts.get(name.toLowerCase()) === 1;
      return [key, { url, file: `images/${isUnique ? name : withId(name, key)}` }];
    }),
  );
  return { find: (address) => files.get(ADDRESS.exec(address)?.[1]?.toLowerCase() ?? '') };
}

/** The name of the upload as a file name anywhere, with the extension of what it is. */
function nameOf(url: string, filename: string | null): string {
  const file = url.split('/').at(-1) ?? '';
  const [, stem = '', extension = ''] = /^(.*)(\.\w+)$/.exec(file) ?? [];
  const words = (filename ?? '')
    .replace(/\.\w+$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, 80);
  return `${words || stem}${extension}`;
}

const withId = (name: string, key: string): string => {
  const id = key.replace(/\.\w+$/, '').slice(-12);
  return name.replace(/(\.\w+)$/, `-${id}$1`);
};
