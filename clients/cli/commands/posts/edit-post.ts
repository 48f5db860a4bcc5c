import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Platen, PreconditionFailedError, type UpdatePost } from '../../../sdk/index.ts';
import { printJson, showWrite, versionOf, waitFlags } from '../../answers/answers.ts';
import { command, required } from '../../command-line/command.ts';
import type { Context } from '../../command-line/context.ts';
import { UsageError } from '../../terminal/errors.ts';
import { edit, editorOf } from '../../terminal/programs.ts';
import { onOneLine } from '../../terminal/shown-text.ts';
import { changesBetween, documentOf, readDocument } from './document.ts';
import { decodeText } from './input.ts';
import { titled, urlOf } from './update-post.ts';

export const editPost = command({
  about:
    'Opens the post as Markdown with front matter in $VISUAL or $EDITOR, and sends what you changed. If ' +
    'somebody else has changed the post meanwhile, nothing is sent, and your text stays in a file.',
  args: { slug: required('slug of the post') },
  flags: waitFlags,
  examples: ['posts edit hello-world', 'EDITOR="code --wait" platen posts edit hello-world'],
  async run(context, { slug }, { wait }) {
    const { terminal, environment, signal } = context;
    const editor = editorOf(environment, process.platform, terminal.prompts !== null);
    if (editor === null)
      throw new UsageError('there is no terminal for an editor: set EDITOR, or use platen posts update');
    const platen = await context.platen();
    const post = await platen.posts.get(slug, { signal });
    const before = documentOf(post);
    const file = join(await mkdtemp(join(tmpdir(), 'platen-edit-')), `${slug}.md`);
    await writeFile(file, before, { mode: 0o600 });
    await edit(editor, file);
    const after = decodeText(await readFile(file), file);
    const changes = await keeping(context, { slug, file }, () =>
      changesOf(context, { slug, title: post.title, before, after, file }),
    );
    if (Object.keys(changes).length === 0) {
      await rm(dirname(file), { recursive: true, force: true });
      if (context.common.json) printJson(context, { ...post, receipt: null });
      else terminal.tell('Nothing was changed.\n');
      return;
    }
    const answer = await keeping(context, { slug, file }, () =>
      send(platen, { slug, changes, ifMatch: versionOf(post), signal }),
    );
    await rm(dirname(file), { recursive: true, force: true });
    return showWrite(
      context,
      platen,
      { wait },
      { answer, done: `Changed ${answer.slug}`, url: urlOf(answer) },
    );
  },
});

interface Edited {
  readonly slug: string;
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly file: string;
}

function changesOf({ terminal }: Context, { slug, title, before, after, file }: Edited): UpdatePost {
  if (after === before) return {};
  const edited = titled(readDocument(after, file), title);
  for (const remark of edited.remarks) terminal.tell(`${onOneLine(remark)}\n`);
  if (edited.status !== undefined)
    terminal.tell('The status stays as it is: see platen posts publish, schedule and unpublish.\n');
  return changesBetween(readDocument(before, slug), edited);
}

interface Sending {
  readonly slug: string;
  readonly changes: UpdatePost;
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
}

async function send(platen: Platen, { slug, changes, ifMatch, signal }: Sending) {
  try {
    return await platen.posts.update(slug, changes, { ifMatch, signal });
  } catch (error) {
    if (!(error instanceof PreconditionFailedError)) throw error;
    const message = `${slug} was changed in Platen while you edited it, so your text was not sent`;
    throw new PreconditionFailedError(error.code, message, error);
  }
}

/** Runs what may fail after the work of editing is done: the text stays in its file then. */
async function keeping<Result>(
  { terminal }: Context,
  { slug, file }: { readonly slug: string; readonly file: string },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    terminal.tell(`Your text is in ${file}: platen posts update ${slug} ${file} sends it.\n`);
    throw error;
  }
}
