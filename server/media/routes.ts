import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { ImageLibrary } from './image-library.ts';
import type { Images } from './images.ts';
import * as schema from './schemas.ts';
import { readUpload } from './upload-body.ts';

interface ImagesRoutes {
  readonly images: Images;
  readonly imageLibrary: ImageLibrary;
  readonly blogs: Blogs;
  readonly config: { readonly mediaUrl: string };
}

export const imagesEndpoints = ({ images, imageLibrary, blogs, config }: ImagesRoutes): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/upload',
    id: 'uploadImage',
    idempotent: true,
    summary: 'Upload an image, as base64 in JSON or as the field "file" of a form',
    description:
      'Limited to 10 images a minute for each account. The total size of its images depends on the plan.',
    selectsBlog: true,
    form: schema.uploadForm,
    scope: 'media:write',
    body: schema.uploadBody,
    readBody: readUpload,
    status: 201,
    response: schema.uploadedImage,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const { data, content_type: type, filename } = call.body;
      const upload = { bytes: data, type, filename };
      const image = await call.withIdempotency(blog.id, (once) =>
        once(() => images.upload(call.caller, blog, upload)),
      );
      return schema.presentUploaded(image, config.mediaUrl);
    },
  }),
  endpoint({
    method: 'get',
    path: '/media',
    id: 'listImages',
    summary: 'List uploaded images, newest first',
    selectsBlog: true,
    scope: 'media:read',
    query: schema.listImagesQuery,
    status: 200,
    response: schema.imagePage,
    async handle(call) {
      const { caller, query } = call;
      const blog = await selectBlog(blogs, call);
      const page = { page: query.page, perPage: query.per_page };
      return schema.presentImages(query, await imageLibrary.list(caller, blog, page), config.mediaUrl);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/media/:id',
    id: 'deleteImage',
    summary: 'Delete an image permanently',
    description:
      'Its URL stops working. Posts that use it are not changed; the response lists the published posts that still do. ' +
      'Blogs whose icon it is get the default icon back.',
    scope: 'media:write',
    status: 200,
    response: schema.deletedImage,
    handle: async ({ caller, params }) =>
      schema.presentDeletedImage(await imageLibrary.remove(caller, params.id ?? '')),
  }),
];
