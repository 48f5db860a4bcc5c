import type { Call, OptionsOf } from '../call.ts';
import type { GetAnalyticsQuery, GetPostAnalyticsQuery, ListImagesQuery } from '../generated/types.ts';
import { type ImageFile, type ImageName, uploadBody } from '../image-file.ts';
import { List } from '../list.ts';

/** Uploaded images. */
export const imagesOf = (call: Call) => ({
  /** Stores an image of at most 5 MB: a file or bytes, or base64 with its type. Its `url` is for posts. */
  upload: async (image: ImageFile, { filename, ...options }: OptionsOf<'uploadImage'> & ImageName = {}) =>
    call('uploadImage', { body: await uploadBody(image, { filename }) }, options),
  /** Images of a blog, newest first. */
  list: (query: ListImagesQuery = {}, options?: OptionsOf<'listImages'>) =>
    new List((page: ListImagesQuery) => call('listImages', { query: page }, options), query),
  /** Deletes an image. The answer names what still shows it. */
  delete: (id: string, options?: OptionsOf<'deleteImage'>) => call('deleteImage', { path: { id } }, options),
});
export type Images = ReturnType<typeof imagesOf>;

/** Views, by day. */
export const analyticsOf = (call: Call) => ({
  overview: (query: GetAnalyticsQuery = {}, options?: OptionsOf<'getAnalytics'>) =>
    call('getAnalytics', { query }, options),
  post: (slug: string, query: GetPostAnalyticsQuery = {}, options?: OptionsOf<'getPostAnalytics'>) =>
    call('getPostAnalytics', { path: { slug }, query }, options),
});
export type Analytics = ReturnType<typeof analyticsOf>;
