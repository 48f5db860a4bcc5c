import { parseDate } from '../../folder/dates.ts';
import { MAX_IMAGE_BYTES } from '../../folder/image-files.ts';
import type { SourceFiles } from '../archive/source-files.ts';
import { plainText } from '../html/dom.ts';
import type { ImportReport } from '../import-report.ts';
import { barePost, type ImportedPost, type ImportedSettings, type ImportSource } from '../imported-blog.ts';
import { type GhostData, type GhostPost, readGhostExport } from './ghost-export.ts';

/** Stands in exports for the address of the site, which they do not have. */
const SITE = /__GHOST_URL__/g;

/**
 * Opens an export of Ghost: its JSON, or a folder or zip with it and with `content/images`.
 *
 * @param siteUrl address of the site, from which images are fetched that the export does not have
 */
export async function readGhost(
  files: SourceFiles,
  report: ImportReport,
  siteUrl: string | undefined,
): Promise<ImportSource> {
  const path =
    files.paths.filter((name) => /\.json$/i.test(name) && !/(?:^|\/)package\.json$/.test(name))[0] ?? '';
  const data = await readGhostExport(files, path);
  report.count('members', data.members.length);
  report.count('newsletters', data.newsletters.length);
  report.count('comments', data.comments.length);
  const settings = settingsOf(data);
  const lookUp = createLookUp(data);
  return {
    settings,
    siteUrl,
    redirects: [{ from: '/rss/', to: '/rss.xml' }],
    async *posts() {
      for (const post of data.posts) yield postOf(post, lookUp);
    },
    imageAt: (address) => imageAt(files, address),
  };
}

function settingsOf({ settings }: GhostData): ImportedSettings {
  const values = new Map(settings.map(({ key, value }) => [key, value]));
  const text = (key: string) => {
    const value = values.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    name: text('title'),
    description: text('description'),
    language: text('locale') ?? text('lang') ?? text('default_locale'),
    accentColor: text('accent_color'),
    navigation: navigationOf(text('navigation')),
  };
}

function navigationOf(json: string | undefined): ImportedSettings['navigation'] {
  if (json === undefined) return undefined;
  try {
    const links: unknown = JSON.parse(json);
    if (!Array.isArray(links)) return undefined;
    return links.flatMap((link: unknown) =>
      typeof link === 'object' && link !== null && 'label' in link && 'url' in link
        ? { label: String(link.label), url: String(link.url).replace(SITE, '') || '/' }
        : [],
    );
  } catch {
    return undefined;
  }
}

/** What posts refer to, by their ids. */
function createLookUp({ posts_meta, posts_tags, tags, users, posts_authors }: GhostData) {
  const meta = new Map(posts_meta.map((one) => [one.post_id, one]));
  const tagOf = new Map(tags.map((one) => [one.id, one]));
  const userOf = new Map(users.map((one) => [one.id, one]));
  const [tagLinks, authorLinks] = [byPost(posts_tags), byPost(posts_authors)];
  return {
    metaOf: (post: GhostPost) => meta.get(post.id),
    tagsOf: (post: GhostPost) =>
      (tagLinks.get(post.id) ?? []).flatMap(({ tag_id }) => tagOf.get(tag_id) ?? []),
    authorsOf(post: GhostPost) {
      const linked = (authorLinks.get(post.id) ?? []).flatMap(({ author_id }) => userOf.get(author_id) ?? []);
      return linked.length > 0
        ? linked
        : [userOf.get(post.author_id ?? '')].filter((user) => user !== undefined);
    },
  };
}

interface Link {
  readonly post_id: string;
  readonly sort_order?: number | null | undefined;
}

/** The links of each post, in their order. */
function byPost<One extends Link>(links: readonly One[]): Map<string, One[]> {
  const found = new Map<string, One[]>();
  for (const link of [...links].sort((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0))) {
    const some = found.get(link.post_id);
    if (some) some.push(link);
    else found.set(link.post_id, [link]);
  }
  return found;
}

function postOf(post: GhostPost, lookUp: ReturnType<typeof createLookUp>): ImportedPost {
  const remarks: string[] = [];
  const tell = (message: string) => void remarks.push(message);
  const meta = lookUp.metaOf(post);
  const image = addressOf(post.feature_image ?? post.image);
  const tags = lookUp.tagsOf(post);
  const internal = tags.filter(({ name, visibility }) => visibility === 'internal' || name?.startsWith('#'));
  if (internal.length > 0)
    tell(`its internal tags are left out: ${internal.map(({ name }) => name).join(', ')}`);
  if (post.codeinjection_head || post.codeinjection_foot) tell('code that was injected into it is left out');
  return {
    ...barePost,
    title: post.title ?? '',
    slug: post.slug ?? '',
    type: post.type === 'page' || post.page ? 'page' : 'post',
    status: statusOf(post, Boolean(meta?.email_only), tell),
    date: dateOf(post.published_at),
    tags: tags.filter((tag) => !internal.includes(tag)).flatMap(({ name }) => name ?? []),
    description:
      plainText(meta?.meta_description ?? post.meta_description ?? post.custom_excerpt ?? '') || undefined,
    previewImage: addressOf(meta?.og_image ?? post.og_image),
    canonicalUrl: webAddress(addressOf(post.canonical_url)),
    cover: image === undefined ? undefined : { url: image, alt: meta?.feature_image_alt ?? '' },
    author: authorOf(lookUp.authorsOf(post), tell),
    featured: Boolean(post.featured),
    language: post.locale || undefined,
    body: bodyOf(post, tell),
    remarks,
  };
}

/** What was for members alone must not become public here. */
function statusOf(
  post: GhostPost,
  isEmail: boolean,
  tell: (message: string) => void,
): ImportedPost['status'] {
  const { status, visibility } = post;
  const isPublic = !visibility || visibility === 'public';
  if (status === 'draft' || !status) return 'draft';
  if (!isPublic) {
    tell(`is for ${visibility} in Ghost: it is a draft here, because Platen has no members`);
    return 'draft';
  }
  if (status === 'sent' || isEmail) {
    tell('was an e-mail only in Ghost: it is a draft here');
    return 'draft';
  }
  if (status === 'scheduled') {
    tell(`is scheduled for ${dateOf(post.published_at) ?? 'an unknown time'}`);
    return dateOf(post.published_at) === undefined ? 'draft' : 'scheduled';
  }
  if (status === 'published') return 'published';
  tell(`has the status ${status} in Ghost: it is a draft here`);
  return 'draft';
}

function bodyOf(
  { html, markdown, mobiledoc, lexical }: GhostPost,
  tell: (message: string) => void,
): ImportedPost['body'] {
  if (html) return { html: html.replace(SITE, '') };
  if (markdown) return { markdown: markdown.replace(SITE, '') };
  if (mobiledoc || lexical) tell('has no HTML in the export: open it in Ghost, save it, and export again');
  return { html: '' };
}

function authorOf(
  [first, ...others]: readonly GhostData['users'][number][],
  tell: (message: string) => void,
): ImportedPost['author'] {
  if (!first?.name) return undefined;
  if (others.length > 0)
    tell(
      `has several authors: the post shows ${first.name}, not ${others.map(({ name }) => name).join(', ')}`,
    );
  const [url, image] = [webAddress(addressOf(first.website)), addressOf(first.profile_image ?? first.image)];
  return {
    name: first.name.slice(0, 100),
    ...(url !== undefined && { url }),
    ...(image !== undefined && { image }),
  };
}

const webAddress = (text: string | undefined): string | undefined =>
  text !== undefined && /^https?:/.test(text) && URL.canParse(text) ? text : undefined;

const addressOf = (text: string | null | undefined): string | undefined =>
  text?.replace(SITE, '') || undefined;

const dateOf = (value: string | number | null | undefined): string | undefined => {
  if (typeof value !== 'number') return value ? parseDate(value) : undefined;
  return Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : undefined;
};

/** An image of the folder `content/images`, whatever size of it the address names. */
async function imageAt(files: SourceFiles, address: string): Promise<Uint8Array | null> {
  const [, inner] = /\/content\/images\/(?:size\/[^/]+\/(?:format\/[^/]+\/)?)?([^?#]+)/.exec(address) ?? [];
  if (inner === undefined) return null;
  const path = [`content/images/${inner}`, `images/${inner}`].find((one) => files.has(one));
  return path === undefined ? null : files.bytes(path, MAX_IMAGE_BYTES);
}
