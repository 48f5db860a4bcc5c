import type { LineMessage } from '../file-message.ts';
import { isSlug, slugFromWords } from '../slugs.ts';
import { createFieldReader, type FieldReader } from './field-reader.ts';
import * as value from './field-values.ts';
import type { SplitFile } from './front-matter.ts';
import { clampTags } from './tags.ts';

/** Limits of the API. */
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 1_000;
const MAX_NAME = 100;

export type PostStatus = 'draft' | 'published' | 'scheduled';

/** What front matter says about a post, under the names of Hugo, Jekyll, Zola, Eleventy, Astro, Docusaurus and Platen. */
export interface Fields {
  readonly type: 'post' | 'page';
  readonly title: string | undefined;
  readonly slug: string | undefined;
  /** Undefined: published, or scheduled if the date is in the future. */
  readonly status: PostStatus | undefined;
  /** ISO 8601 in UTC. */
  readonly date: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly canonicalUrl: string | undefined;
  /** A path as written, or an address. */
  readonly cover: { readonly url: string; readonly alt: string } | undefined;
  readonly previewImage: string | undefined;
  readonly author: value.FileAuthor | undefined;
  readonly series: { readonly name: string; readonly part: number | undefined } | undefined;
  readonly featured: boolean;
  readonly unlisted: boolean;
  readonly translations: Readonly<Record<string, string>>;
  /** Language tag, as written. */
  readonly language: string | undefined;
  /** Earlier addresses of the post on its blog. */
  readonly oldAddresses: readonly string[];
  /** Whether its generator writes no page for it. */
  readonly isUnwritten: boolean;
}

export interface ReadFields {
  readonly fields: Fields;
  /** Why the file cannot be published. */
  readonly errors: readonly LineMessage[];
  /** What was left out or changed. */
  readonly remarks: readonly LineMessage[];
}

/** `isJekyll`: words of a list without commas are separated by spaces, as Jekyll reads them. */
export function readFields(file: SplitFile, { isJekyll = false } = {}): ReadFields {
  const reader = createFieldReader(file);
  const { slug, ...addresses } = readAddresses(reader, file);
  const fields: Fields = {
    ...readPublication(reader, file),
    ...readTexts(reader, isJekyll),
    ...readDetails(reader),
    ...addresses,
    slug,
  };
  return { fields, errors: reader.errors, remarks: reader.remarks };
}

function readTexts(reader: FieldReader, isJekyll: boolean) {
  const title = reader.need(['title'], value.line);
  if (title !== undefined && [...title].length > MAX_TITLE) {
    reader.refuse('title', `has more than ${MAX_TITLE} characters`);
  }
  const named = ['description', 'summary', 'excerpt', 'meta.description'];
  const whole = reader.take(named, value.line);
  const description = whole && [...whole].slice(0, MAX_DESCRIPTION).join('');
  if (description !== whole) {
    reader.remark(reader.named(named) ?? '', `was cut to ${MAX_DESCRIPTION} characters`);
  }
  return { title, description, tags: readTags(reader, isJekyll) };
}

function readTags(reader: FieldReader, isJekyll: boolean): string[] {
  const groups = [
    ['tags', 'tag', 'taxonomies.tags'],
    ['categories', 'category', 'taxonomies.categories'],
  ];
  const all = groups.flatMap((names) => {
    const isSpaced = isJekyll && /s$/.test(reader.named(names) ?? '');
    return reader.need(names, isSpaced ? value.spacedWords : value.words) ?? [];
  });
  const { tags, notes } = clampTags(all);
  const field = reader.named(groups.flat()) ?? 'tags';
  for (const note of notes) reader.remark(field, note);
  return tags;
}

function readPublication(reader: FieldReader, { data }: SplitFile) {
  const isDraft = reader.need(['draft'], value.truth);
  const isPublished = reader.need(['published'], publishedField(data.published));
  const given = reader.need(['status'], value.status);
  const field = [
    'date',
    'published_at',
    'publishDate',
    'pubDate',
    'pubDatetime',
    'publishedAt',
    'scheduled_at',
  ];
  // Platen dates changes itself: this only names a date that is none.
  reader.take(
    ['updated', 'updated_at', 'lastmod', 'last_modified_at', 'updatedDate', 'modified'],
    value.date,
  );
  if (isDraft === true && given !== undefined && /^publi/.test(given)) {
    reader.refuse('status', `is ${given}, but \`draft\` is true`);
  }
  return {
    status: isDraft === true || isPublished === false ? ('draft' as const) : statusOf(given),
    date: reader.need(field, value.date),
  };
}

/** Jekyll has `published: false`; others have a date there. */
const publishedField = (given: unknown) =>
  /^\d{4}-/.test(String(given)) ? value.text.transform(() => undefined) : value.truth;

function statusOf(given: string | undefined): PostStatus | undefined {
  if (given === undefined) return undefined;
  if (given === 'scheduled' || given === 'future') return 'scheduled';
  return /^publi/.test(given) ? 'published' : 'draft';
}

function readDetails(reader: FieldReader) {
  const [author, ...others] = reader.take(['author', 'authors'], value.authors) ?? [];
  const named = reader.named(['author', 'authors']) ?? '';
  if (others.length > 0) reader.remark(named, `has several names: the post shows ${author?.name}`);
  if (author && author.name.length > MAX_NAME) reader.refuse(named, `has more than ${MAX_NAME} characters`);
  const series = reader.take(['series', 'series.name'], value.firstName);
  const part = reader.take(['series_order', 'series_part', 'seriesOrder', 'series_weight'], value.count);
  if (series && series.length > MAX_NAME) reader.refuse('series', `has more than ${MAX_NAME} characters`);
  const covers = ['cover_image', 'cover', 'image', 'featured_image', 'featuredImage', 'hero', 'heroImage'];
  return {
    type: isPage(reader) ? ('page' as const) : ('post' as const),
    canonicalUrl: reader.need(
      ['canonical_url', 'canonical', 'canonicalURL', 'canonicalUrl'],
      value.webAddress,
    ),
    cover: reader.take([...covers, 'thumbnail', 'banner', 'header', 'images'], value.cover),
    previewImage: reader.take(['og_image', 'ogImage', 'meta.og_image'], value.text),
    author: author === undefined ? undefined : author,
    series: series === undefined ? undefined : { name: series, part },
    featured: reader.take(['featured', 'pinned'], value.truth) ?? false,
    unlisted: reader.take(['unlisted', 'hidden'], value.truth) ?? false,
    translations: reader.take(['translations'], value.translations) ?? {},
    language: reader.take(['language', 'lang'], value.text),
  };
}

function isPage(reader: FieldReader): boolean {
  const type = reader.take(['type'], value.text);
  return type === 'page' || (type === undefined && reader.take(['page'], value.truth) === true);
}

function readAddresses(reader: FieldReader, { data }: SplitFile) {
  const aliases = ['aliases', 'redirect_from', 'redirectFrom'].flatMap(
    (name) => reader.take([name], value.addresses) ?? [],
  );
  const isUnwritten = /^false$/i.test(String(data.permalink));
  const given = reader.need(['slug'], value.text);
  // Of Zola: the whole address. `url` of Hugo and `permalink` of the others may have a template in it.
  const zola = reader.take(['path'], value.text);
  const permalink = isUnwritten ? undefined : reader.take(['permalink', 'url'], value.text);
  const address = zola ?? (permalink && /^\/?[^{}:]*$/.test(permalink) ? permalink : undefined);
  const last =
    address
      ?.replace(/(?:\/index)?\.html?$|\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  const words = given?.replaceAll('/', ' ') ?? zola?.replaceAll('/', ' ') ?? last;
  const slug = given !== undefined && isSlug(given) ? given : slugFromWords(words) || undefined;
  if (given !== undefined && slug === undefined) {
    reader.refuse('slug', 'must be lower-case letters (a-z), digits and hyphens');
  } else if (given !== undefined && slug !== given) reader.remark('slug', `became ${slug}`);
  const oldAddresses = [...aliases, ...(address === undefined ? [] : [address])];
  return { slug, oldAddresses: oldAddresses.flatMap(pathOf), isUnwritten };
}

/** The path of an address, with a leading slash. That of another site is no earlier address of this one. */
function pathOf(address: string): string[] {
  const path = `/${address.trim().replace(/^\/+/, '')}`;
  return /^[a-z]+:/i.test(address) || path === '/' ? [] : [path];
}
