import { showWrite, waitFlags } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { command, required } from '../../command-line/command.ts';

export const deletePost = command({
  args: { slug: required('slug of the post') },
  flags: waitFlags,
  examples: ['posts delete hello-world', 'posts delete hello-world --yes'],
  async run(context, { slug }, { wait }) {
    if (!(await isConfirmed(context, `Delete ${slug} for good, with its revisions?`))) return;
    const platen = await context.platen();
    const answer = await platen.posts.delete(slug, { signal: context.signal });
    return showWrite(context, platen, { wait }, { answer, done: `Deleted ${slug}` });
  },
});
