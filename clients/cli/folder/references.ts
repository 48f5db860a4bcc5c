import { posix } from 'node:path';
import { pathOfReference } from './image-files.ts';
import { mapText } from './prose.ts';
import { withoutExtension } from './slugs.ts';

/**
 * A place in Markdown that names an address: a link, an image, a definition, or an attribute of HTML. Its
 * repetitions have limits, so that a file of brackets does not take for ever.
 */
const REFERENCE =
  /(!?\[(?:[^\]\\[]|\\.|\[[^\][]{0,300}\]){0,1000}\]\([ \t]*)(<[^>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)(?=[ \t\n]*(?:"|'|\(|\)))|(^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*)(<[^>\n]*>|\S+)|(\b(?:src|href|poster)[ \t]*=[ \t]*["'])([^"'\n]*)(?=["'])/gm;

/**
 * Replaces the addresses in a Markdown text outside its code. `replace` returns null for an address that stays. An
 * image within the text of a link is replaced, too.
 */
export function replaceReferences(
  markdown: string,
  replace: (address: string, isImage: boolean) => string | null,
): string {
  const replaceIn = (text: string): string =>
    text.replace(REFERENCE, (whole, ...parts: (string | undefined)[]) => {
      const [before = parts[2] ?? parts[4] ?? '', written = parts[3] ?? parts[5] ?? ''] = parts;
      const opening = before.startsWith('[') && before.includes('![') ? replaceIn(before) : before;
      const isBracketed = written.startsWith('<') && written.endsWith('>');
      const address = isBracketed ? written.slice(1, -1) : written;
      const made = replace(address, before.startsWith('!') || /^(?:src|poster)/.test(before));
      if (made === null) return whole.startsWith(before) ? opening + whole.slice(before.length) : whole;
      return opening + (isBracketed && /[\s()<>]/.test(made) ? `<${made}>` : made);
    });
  return mapText(markdown, replaceIn);
}

/** Finds the post that a link of the folder leads to. */
export interface LinkTargets {
  /** The slug of the post at an address, as a file of the folder names it. */
  find(file: string, address: string): string | undefined;
}

/** Leaves links as they are. */
export const noLinkTargets: LinkTargets = { find: () => undefined };

/** A file with its slug and the addresses that it had on its earlier site. */
export interface Addressed {
  readonly file: string;
  readonly slug: string;
  readonly oldAddresses: readonly string[];
}

/** Folders of generators above the posts, which are no part of addresses. */
const CONTENT_ROOT = /^(?:content|src\/content|src\/pages|src\/posts|docs|src|source)\//;

export function createLinkTargets(posts: readonly Addressed[]): LinkTargets {
  const slugs = new Map<string, string>();
  const add = (key: string, slug: string) => {
    if (!slugs.has(key)) slugs.set(key, slug);
  };
  for (const { file, slug } of posts) add(file.toLowerCase(), slug);
  for (const { file, slug, oldAddresses } of posts) {
    const address = keyOf(withoutExtension(file));
    for (const key of [address, address.replace(CONTENT_ROOT, ''), ...oldAddresses.map(keyOf)])
      add(key, slug);
    const [, year, month, day, name] =
      /(?:^|\/)(?:_posts\/(?:.*\/)?)?(\d{4})-(\d\d)-(\d\d)-([^/]+)$/.exec(address) ?? [];
    // The address that Jekyll gives a post unless it is told otherwise, and the name in its `post_url`.
    if (name !== undefined) {
      add(`${year}/${month}/${day}/${name}`, slug);
      add(`${year}-${month}-${day}-${name}`, slug);
    }
  }
  return {
    find(file, address) {
      const path = pathOfReference(address);
      if (path === null) return undefined;
      const isRooted = path.startsWith('/');
      const folder = posix.dirname(file);
      const inner = isRooted ? path.slice(1) : posix.join(folder, path);
      // A page has an address of its own, so some write links as seen from it.
      const deeper = posix.join(withoutExtension(file), path);
      const places = isRooted ? [inner] : [inner, deeper, path];
      for (const place of places) {
        const slug =
          slugs.get(posix.normalize(place).toLowerCase()) ?? slugs.get(keyOf(withoutExtension(place)));
        if (slug !== undefined) return slug;
      }
      return isRooted ? slugs.get(keyOf(`content/${withoutExtension(inner)}`)) : undefined;
    },
  };
}

/** An address without what differs between ways to write it: case, slashes at its ends, `index`, `.html`. */
const keyOf = (address: string): string =>
  posix
    .normalize(address.toLowerCase())
    .replace(/\.html?$/, '')
    .replace(/(?:^|\/)index$/, '')
    .replace(/^\/+|\/+$/g, '');
