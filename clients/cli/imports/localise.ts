import { ImageError } from '../downloads/fetch-image.ts';
import { isImageName } from '../folder/image-files.ts';
import { replaceReferences } from '../folder/references.ts';
import type { ImageStore } from './images/image-store.ts';

export interface LocaliseOptions {
  readonly images: ImageStore;
  /** Address of the earlier site. */
  readonly siteUrl: string | undefined;
  /** Tells of an image that stays where it is. */
  readonly tell: (message: string) => void;
}

/** Begins the address of an image that the export itself has. What follows is its path, percent-encoded. */
export const OWN_IMAGE = 'export:/';

/** From a file in a folder of the output to its images. */
const fromPost = (file: string): string => `../${file}`;

/** Images that are fetched at the same time, for one post. */
const AT_ONCE = 4;

/**
 * Makes the images of a text files of the folder, and links to the earlier site links within the blog. An image that
 * cannot be fetched keeps its address.
 */
export async function localise(markdown: string, options: LocaliseOptions): Promise<string> {
  const { siteUrl } = options;
  const wanted = new Set<string>();
  replaceReferences(markdown, (address, isImage) => {
    const isOwn =
      address.startsWith(OWN_IMAGE) || (isImageName(pathOf(address)) && isOfSite(address, siteUrl));
    if (isImage || isOwn) wanted.add(address);
    return null;
  });
  const files = new Map<string, string>();
  const waiting = [...wanted];
  const work = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const file = await localImage(address, options);
      if (file !== undefined) files.set(address, file);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return replaceReferences(markdown, (address, isImage) => {
    const file = files.get(address);
    if (file !== undefined) return file;
    return isImage || isFile(address) ? onSite(address, siteUrl) : withoutSite(address, siteUrl);
  });
}

/** The file of a single image, as a post names it; undefined if it cannot be had. */
export async function localImage(address: string, options: LocaliseOptions): Promise<string | undefined> {
  const { images, siteUrl, tell } = options;
  const whole = absolute(address, siteUrl);
  try {
    return fromPost(await images.fileOf(whole));
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const shown = whole.length > 200 ? `${whole.slice(0, 200)}…` : whole;
    tell(`the image ${shown} ${error.message}`);
    return undefined;
  }
}

const pathOf = (address: string): string => address.split(/[?#]/)[0] ?? '';

function absolute(address: string, siteUrl: string | undefined): string {
  const withScheme = address.startsWith('//') ? `https:${address}` : address;
  return siteUrl !== undefined && URL.canParse(withScheme, siteUrl)
    ? new URL(withScheme, siteUrl).href
    : withScheme;
}

/** Whether an address is one of the earlier site, over http or https, with `www.` or without. */
export function isOfSite(address: string, siteUrl: string | undefined): boolean {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return !/^[a-z][a-z\d+.-]*:|^\/\//i.test(address);
  if (!URL.canParse(address, siteUrl)) return false;
  const [one, other] = [new URL(address, siteUrl), new URL(siteUrl)];
  const hostOf = ({ host }: URL) => host.replace(/^www\./, '');
  return /^https?:$/.test(one.protocol) && hostOf(one) === hostOf(other);
}

/** Whether an address names a file that is no page, such as a recording: it stays where it is. */
const isFile = (address: string): boolean => /\.(?!html?$|php$|md$)\w{2,5}$/i.test(pathOf(address));

/** A path of the earlier site as an address there; null for every other one. */
const onSite = (address: string, siteUrl: string | undefined): string | null =>
  siteUrl !== undefined && /^\/(?!\/)/.test(address) && URL.canParse(address, siteUrl)
    ? new URL(address, siteUrl).href
    : null;

/** A link to the earlier site as a path; null for every other one. */
function withoutSite(address: string, siteUrl: string | undefined): string | null {
  if (!/^https?:\/\//i.test(address) || siteUrl === undefined || !isOfSite(address, siteUrl)) return null;
  const { pathname, search, hash } = new URL(address);
  return `${pathname}${search}${hash}`;
}
