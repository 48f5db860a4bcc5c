import type { LayoutData } from './data.ts';

/**
 * What layouts can read of a value: the fields of an object, the entries of a list, or neither. Types derive it from
 * the data, so a variable that is not described here is a type error.
 */
export type Shape =
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly entries: Shape }
  | 'plain';

type ShapeOf<T> = T extends string | number | boolean
  ? 'plain'
  : T extends readonly (infer Entry)[]
    ? { readonly entries: ShapeOf<Entry> }
    : { readonly fields: { readonly [Name in keyof T]-?: ShapeOf<NonNullable<T[Name]>> } };

const fields = <const Fields extends Readonly<Record<string, Shape>>>(named: Fields) => ({ fields: named });
const listOf = <const Entry extends Shape>(entries: Entry) => ({ entries });

const link = fields({ label: 'plain', url: 'plain' });
const postLink = fields({ title: 'plain', url: 'plain', lang: 'plain' });
const entry = fields({
  ...postLink.fields,
  type: 'plain',
  date: 'plain',
  updated: 'plain',
  tags: listOf(link),
  description: 'plain',
  author: 'plain',
  author_url: 'plain',
  author_image: 'plain',
  cover: fields({ url: 'plain', alt: 'plain', width: 'plain', height: 'plain' }),
});

/**
 * All variables of layouts, with all that can be read of them. `post` exists on posts only, other lists may be empty
 * and other values nil, but their names are no mistakes anywhere.
 */
export const layoutVariables: ShapeOf<LayoutData & { readonly content: string }> = fields({
  content: 'plain',
  blog: fields({
    name: 'plain',
    description: 'plain',
    url: 'plain',
    language: 'plain',
    author: fields({ name: 'plain', url: 'plain', image: 'plain' }),
    icon: 'plain',
    navigation: listOf(link),
    social_links: listOf(link),
  }),
  page: fields({
    kind: 'plain',
    title: 'plain',
    url: 'plain',
    path: 'plain',
    lang: 'plain',
    direction: 'plain',
    tag: link,
    newer: 'plain',
    older: 'plain',
  }),
  post: fields({
    ...entry.fields,
    reading_minutes: 'plain',
    word_count: 'plain',
    related: listOf(postLink),
    series: fields({ name: 'plain', url: 'plain', part: 'plain', previous: postLink, next: postLink }),
    newer: postLink,
    older: postLink,
  }),
  posts: listOf(entry),
  newest: listOf(entry),
  featured: listOf(entry),
  words: fields({
    archive: 'plain',
    tags: 'plain',
    search: 'plain',
    featured: 'plain',
    series: 'plain',
    related_posts: 'plain',
    newer_posts: 'plain',
    older_posts: 'plain',
    newer: 'plain',
    older: 'plain',
    previous_part: 'plain',
    next_part: 'plain',
  }),
});
