import { z } from 'zod';
import type { SourceFiles } from '../archive/source-files.ts';
import { parseJson } from '../archive/source-files.ts';
import { ImportError } from '../import-error.ts';

/** Bytes of an export's JSON: what a text in memory may have, with room for what is made of it. */
const MAX_JSON = 400 * 1_048_576;

const text = z.string().nullish();
const id = z.union([z.string(), z.number()]).transform(String);

const post = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  markdown: text,
  mobiledoc: text,
  lexical: text,
  feature_image: text,
  /** Ghost before 1.0. */
  image: text,
  featured: z.union([z.boolean(), z.number()]).nullish(),
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  status: text,
  visibility: text,
  locale: text,
  published_at: z.union([z.string(), z.number()]).nullish(),
  custom_excerpt: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  canonical_url: text,
  meta_description: text,
  og_image: text,
  author_id: id.nullish(),
});

const data = z.object({
  posts: z.array(post),
  posts_meta: z
    .array(
      z.object({
        post_id: id,
        meta_description: text,
        og_image: text,
        feature_image_alt: text,
        email_only: z.union([z.boolean(), z.number()]).nullish(),
      }),
    )
    .default([]),
  tags: z.array(z.object({ id, name: text, slug: text, visibility: text })).default([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() })).default([]),
  users: z.array(z.object({ id, name: text, website: text, profile_image: text, image: text })).default([]),
  posts_authors: z
    .array(z.object({ post_id: id, author_id: id, sort_order: z.number().nullish() }))
    .default([]),
  settings: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
  members: z.array(z.unknown()).default([]),
  newsletters: z.array(z.unknown()).default([]),
  products: z.array(z.unknown()).default([]),
  comments: z.array(z.unknown()).default([]),
});

export type GhostData = z.infer<typeof data>;
export type GhostPost = z.infer<typeof post>;

const database = z.object({ data: z.looseObject({ posts: z.array(z.unknown()) }) });
const document = z.union([z.object({ db: z.array(database).min(1) }).transform(({ db }) => db[0]), database]);

/** The database of an export. Throws an ImportError if it is none of Ghost. */
export async function readGhostExport(files: SourceFiles, path: string): Promise<GhostData> {
  const json = parseJson(await files.text(path, MAX_JSON), (line) => files.placeOf(path, line));
  const found = document.safeParse(json);
  if (!found.success) throw new ImportError(`${files.placeOf(path)} is no export of Ghost: it has no posts`);
  const parsed = data.safeParse(found.data?.data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ImportError(
    `${files.placeOf(path)} is no export of Ghost that is known: data.${issue?.path.join('.')}: ${issue?.message}`,
  );
}

/** Whether a file may be an export of Ghost, by its beginning. */
export const looksLikeGhost = (start: string): boolean => /^\s*\{\s*"(?:db|meta|data)"\s*:/.test(start);
