import { z } from 'zod';

/** What a post is beside its text, title and tags, as the API takes it. Undefined fields are left unchanged. */
export interface FileDetails {
  readonly type: 'post' | 'page';
  readonly featured: boolean | undefined;
  readonly unlisted: boolean | undefined;
  readonly series: { readonly name: string; readonly part?: number } | undefined;
  readonly canonical_url: string | undefined;
  readonly author: { readonly name: string } | undefined;
  readonly cover_image: { readonly url: string; readonly alt: string } | undefined;
}

/** The details that most files have. */
export const plainDetails: FileDetails = {
  type: 'post',
  featured: undefined,
  unlisted: undefined,
  series: undefined,
  canonical_url: undefined,
  author: undefined,
  cover_image: undefined,
};

const scalar = z
  .union([z.string(), z.number(), z.bigint(), z.boolean()])
  .transform((value) => String(value).trim());
const text = scalar.nullish().transform((value) => value || undefined);
/** One name, of which there may be several. */
const name = z
  .union([
    text,
    z.array(scalar).transform((names) => names[0]),
    z.object({ name: scalar }).transform((author) => author.name),
  ])
  .nullish()
  .transform((value) => value ?? undefined);
const truth = scalar.nullish().transform((value) => (value ? /^(?:true|yes|on)$/i.test(value) : undefined));
/** A path or address, or an object that has one. */
const picture = z
  .union([
    scalar.transform((url) => ({ url, alt: '' })),
    z
      .object({ url: text, image: text, src: text, alt: text })
      .transform(({ url, image, src, alt = '' }) => ({ url: url ?? image ?? src ?? '', alt })),
  ])
  .nullish();

/** Fields of front matter as Hugo, Jekyll, Zola, Eleventy and Astro themes name them. */
const schema = z.object({
  type: text,
  featured: truth,
  unlisted: truth,
  series: name,
  series_order: text,
  canonical_url: text,
  canonicalURL: text,
  author: name,
  authors: name,
  cover_image: picture,
  cover: picture,
  image: picture,
});

/** Reads a post's details from its front matter. What is not understood is left out, with a note. */
export function readDetails(data: unknown): { details: FileDetails; notes: string[] } {
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    const fields = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))];
    return { details: plainDetails, notes: [`not understood: ${fields.join(', ')}`] };
  }
  const { type, featured, unlisted, series, series_order, ...fields } = parsed.data;
  const part = /^[1-9]\d*$/.test(series_order ?? '') ? Number(series_order) : undefined;
  const author = fields.author ?? fields.authors;
  const cover = [fields.cover_image, fields.cover, fields.image].find((one) => one?.url);
  const isFile = cover !== undefined && cover !== null && !/^https?:\/\//.test(cover.url);
  return {
    details: {
      type: type === 'page' ? 'page' : 'post',
      featured,
      unlisted,
      series: series === undefined ? undefined : { name: series, ...(part !== undefined && { part }) },
      canonical_url: fields.canonical_url ?? fields.canonicalURL,
      author: author === undefined ? undefined : { name: author },
      cover_image: isFile ? undefined : (cover ?? undefined),
    },
    notes: isFile ? [`the cover was left out, because it is a file: ${cover.url}`] : [],
  };
}
