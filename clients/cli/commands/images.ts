import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { printJson, showDone } from '../answers/answers.ts';
import { isConfirmed } from '../answers/confirmation.ts';
import { pageFlags, showList } from '../answers/show-list.ts';
import { command, type Group, required, some } from '../command-line/command.ts';
import { CommandError } from '../terminal/errors.ts';
import { counted } from '../terminal/shown-text.ts';

/** Limit of the API, in bytes. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

export const upload = command({
  about:
    'JPEG, PNG, GIF or WebP, at most 5 MB each. The address goes into Markdown: ![what it shows](address).',
  args: { file: some('image files', { isPath: true }) },
  examples: ['upload press.jpg', 'upload *.png --json'],
  async run(context, { file: files }) {
    const { terminal, cwd, signal, common } = context;
    const platen = await context.platen();
    const uploaded: { file: string; url: string }[] = [];
    for (const [at, file] of files.entries()) {
      const bytes = await readImage(resolve(cwd, file), file);
      if (files.length > 1 && terminal.columns !== null) terminal.tell(`${at + 1}/${files.length} ${file}\n`);
      const { url } = await platen.images.upload(bytes, { filename: basename(file), signal });
      uploaded.push({ file, url });
      if (!common.json) terminal.print(`${url}\n`);
    }
    if (common.json) printJson(context, uploaded);
  },
});

async function readImage(path: string, shown: string): Promise<Uint8Array> {
  const failed = ({ code, message }: NodeJS.ErrnoException) => {
    throw new CommandError(
      code === 'ENOENT' ? `there is no file ${shown}` : `${shown} cannot be read (${code ?? message})`,
    );
  };
  // A large file is not read to be refused.
  const { size } = await stat(path).catch(failed);
  if (size > MAX_IMAGE_BYTES)
    throw new CommandError(`${shown} has ${Math.ceil(size / 1_048_576)} MB: an image has at most 5 MB`);
  return readFile(path).catch(failed);
}

const list = command({
  flags: pageFlags,
  examples: ['images list', 'images list --all --json'],
  async run(context, _args, { page, perPage, all }) {
    const platen = await context.platen();
    return showList(
      context,
      platen.images.list({ page, per_page: perPage }, { signal: context.signal }),
      { all },
      {
        columns: [
          { name: 'file', value: ({ filename }) => filename },
          { name: 'pixels', value: ({ width, height }) => `${width}x${height}` },
          { name: 'bytes', value: ({ bytes }) => bytes, isNumber: true },
          { name: 'posts', value: ({ used_in: posts }) => posts, isNumber: true },
          { name: 'url', value: ({ url }) => url, isWhole: true },
          { name: 'id', value: ({ id }) => id, isWhole: true },
        ],
        empty: 'No images. platen upload stores one.',
      },
    );
  },
});

const remove = command({
  args: { id: required('id of the image, from images list') },
  examples: ['images delete 0199b6e2-0000-7000-8000-000000000000'],
  async run(context, { id }) {
    if (!(await isConfirmed(context, `Delete the image ${id} for good? Posts that show it will miss it.`)))
      return;
    const platen = await context.platen();
    const answer = await platen.images.delete(id, { signal: context.signal });
    const { published } = answer.used_in;
    return showDone(
      context,
      answer,
      `Deleted ${id}${published > 0 ? `: ${counted(published, 'published post')} miss it now` : ''}`,
    );
  },
});

export const images: Group = {
  commands: [
    { name: 'list', summary: 'List uploaded images, newest first', load: async () => list },
    { name: 'delete', summary: 'Delete an image for good', load: async () => remove },
  ],
};
