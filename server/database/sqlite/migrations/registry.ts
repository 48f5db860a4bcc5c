import type { Migration } from 'kysely';
import * as initialSchema from './0001-initial-schema.ts';
import * as listsByDate from './0002-lists-by-date.ts';
import * as pagesAndSeries from './0003-pages-and-series.ts';
import * as imageReferences from './0004-image-references.ts';
import * as addresses from './0005-addresses.ts';
import * as relatedPosts from './0006-related-posts.ts';
import * as picturesOfBlogs from './0007-pictures-of-blogs.ts';
import * as listSizes from './0008-list-sizes.ts';
import * as serverSettings from './0009-server-settings.ts';
import * as languagesOfPosts from './0010-languages-of-posts.ts';

/** A new migration is one file, and one line here. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial-schema': initialSchema,
  '0002-lists-by-date': listsByDate,
  '0003-pages-and-series': pagesAndSeries,
  '0004-image-references': imageReferences,
  '0005-addresses': addresses,
  '0006-related-posts': relatedPosts,
  '0007-pictures-of-blogs': picturesOfBlogs,
  '0008-list-sizes': listSizes,
  '0009-server-settings': serverSettings,
  '0010-languages-of-posts': languagesOfPosts,
};
