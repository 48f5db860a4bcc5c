import * as schema from '../../schemas/images.ts';
import type { Blogs } from '../../services/blogs.ts';
import type { Images } from '../../services/images.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { selectBlog } from '../select-blog.ts';
import { readUpload } from '../upload-body.ts';

interface ImagesRoutes {
  readonly images: Images;
  readonly blogs: Blogs;
  readonly config: { readonly mediaUrl: string };
}

export const imagesEndpoints = ({ images, blogs, config }: ImagesRoutes): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/upload',
    id: 'uploadImage',
    summary: 'Upload an image, as base64 in JSON or as the field "file" of a form',
    description: 'An account may upload 10 images a minute.',
    selectsBlog: true,
    form: schema.uploadForm,
    scope: 'media:write',
    body: schema.uploadBody,
    read: readUpload,
    status: 201,
    response: schema.uploadedImage,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const upload = { bytes: call.body.data, type: call.body.content_type };
      return schema.presentUploaded(await images.upload(call.caller, blog, upload), config.mediaUrl);
    },
  }),
];
