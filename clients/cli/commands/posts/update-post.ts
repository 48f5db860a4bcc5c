import type { UpdatePost } from '../../../sdk/index.ts';
import { showWrite, versionOf, waitFlags } from '../../answers/answers.ts';
import { command, optional, required } from '../../command-line/command.ts';
import { UsageError } from '../../terminal/errors.ts';
import { changesBetween, documentOf, type PostDocument, readDocument } from './document.ts';
import { fieldFlags } from './field-flags.ts';
import { readInput } from './input.ts';

export const updatePost = command({
  about:
    'A file with front matter makes the post what it says: what it does not have any more is removed. A file ' +
    'without front matter changes the text, and the title if it begins with one; options change what they ' +
    'name. The status stays: see publish, schedule, unpublish.',
  args: {
    slug: required('slug of the post'),
    file: optional('file with Markdown, or - for standard input', { isPath: true }),
  },
  flags: { ...fieldFlags, ...waitFlags },
  examples: [
    'posts update hello-world --title "Hello again" --tag ink --tag paper',
    'posts update hello-world hello.md',
    'posts get hello-world | sed s/colour/color/ | platen posts update hello-world -',
  ],
  async run(context, { slug, file }, { wait, ...given }) {
    const document = await readInput(context, file, given);
    const platen = await context.platen();
    const { signal } = context;
    const { ifMatch, changes } =
      document === null ? { ifMatch: undefined, changes: {} } : await fromDocument(document);
    const fields: UpdatePost = {
      ...changes,
      ...(given.title !== undefined && { title: given.title }),
      ...(given.slug !== undefined && { slug: given.slug }),
      ...(given.tag !== undefined && { tags: given.tag.filter((tag) => tag !== '') }),
      ...(given.description !== undefined && {
        meta: { ...changes.meta, description: given.description || null },
      }),
    };
    if (Object.keys(fields).length === 0) {
      if (document === null)
        throw new UsageError('nothing to change: give a file, - for standard input, or options');
      context.terminal.tell(`${slug} says that already.\n`);
      return;
    }
    const answer = await platen.posts.update(slug, fields, { ifMatch, signal });
    return showWrite(
      context,
      platen,
      { wait },
      { answer, done: `Changed ${answer.slug}`, url: urlOf(answer) },
    );

    /** What a text changes in the post as it is now, and the version of that. */
    async function fromDocument(
      after: PostDocument,
    ): Promise<{ ifMatch: string | undefined; changes: UpdatePost }> {
      if (!after.hasFrontMatter) {
        const { content, title } = after.post;
        return { ifMatch: undefined, changes: { content, ...(after.title !== undefined && { title }) } };
      }
      const post = await platen.posts.get(slug, { signal });
      return {
        ifMatch: versionOf(post),
        changes: changesBetween(readDocument(documentOf(post), slug), titled(after, post.title)),
      };
    }
  },
});

/** A text without a title keeps the one that the post has. */
export const titled = (document: PostDocument, title: string): PostDocument =>
  document.title === undefined ? { ...document, post: { ...document.post, title } } : document;

/** A draft has an address that nobody can read yet. */
export const urlOf = ({
  status,
  url,
}: {
  readonly status: string;
  readonly url: string;
}): string | undefined => (status === 'published' ? url : undefined);
