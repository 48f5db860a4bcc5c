import { z } from 'zod';
import type { McpServerSettings } from '../settings.ts';
import * as answers from './answers.ts';
import { Refusal, type Registrar } from './register-tool.ts';
import * as schema from './schemas.ts';

/** The API's limit for the alt text of a cover. */
const MAX_ALT = 500;

const data = z.string().min(1).describe('The picture in base64: JPEG, PNG, GIF or WebP, at most 5 MB');
const shared = {
  filename: z.string().describe('For the list of images').optional(),
  alt: z.string().max(MAX_ALT).describe('What the picture shows').optional(),
  blog: schema.blog,
};
const uploadInput = z.strictObject({ data, ...shared });
const localInput = z.strictObject({
  path: z.string().min(1).describe('Path of the picture on this machine, in place of data').optional(),
  data: data.optional(),
  ...shared,
});

/** Uploading pictures: as base64, and by their path if the server runs on the user's machine. */
export function registerImageTools(
  register: Registrar,
  { platen, activeBlog, readImage }: McpServerSettings,
): void {
  const input: z.ZodType<z.output<typeof localInput>> = readImage === null ? uploadInput : localInput;
  register(
    'upload_image',
    {
      title: 'Upload a picture',
      description: 'Stores a picture and gives the address to use in a post.',
      input,
      output: answers.image,
      annotations: { destructiveHint: false },
    },
    async ({ path, data: base64, filename, alt = '', blog }, { signal }) => {
      const bytes = await bytesOf({ path, base64, readImage });
      const name = filename ?? path?.split(/[\\/]/).at(-1);
      const options = { filename: name, blog: blog ?? activeBlog.current(), signal };
      const image = await platen.images.upload(bytes, options);
      const label = alt.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ');
      return { text: `Stored. In Markdown: ![${label}](${image.url})`, data: image };
    },
  );
}

interface Source {
  readonly path: string | undefined;
  readonly base64: string | undefined;
  readonly readImage: McpServerSettings['readImage'];
}

async function bytesOf({ path, base64, readImage }: Source): Promise<Uint8Array> {
  if (path !== undefined && base64 !== undefined) throw new Refusal('Give either path or data, not both.');
  if (path !== undefined && readImage !== null) return readImage(path);
  if (base64 === undefined) throw new Refusal('Give path or data.');
  // White space is removed first: a pattern that allows it in two places takes hours on megabytes of it.
  const text = base64.replace(/^data:[\w/+.-]+;base64,/, '').replace(/\s+/g, '');
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new Refusal('data is not base64.');
  return Buffer.from(text, 'base64');
}
