import { stringify } from 'yaml';
import { printJson, showWrite, waitFlags } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { showList, wholeListFlags } from '../../answers/show-list.ts';
import { command, optional, required } from '../../command-line/command.ts';
import { timeIn } from '../../terminal/moments.ts';
import { withLines } from '../../terminal/shown-text.ts';
import { urlOf } from './update-post.ts';

export const listRevisions = command({
  args: { slug: required('slug of the post'), revision: optional('id of the revision to print') },
  flags: wholeListFlags,
  examples: [
    'posts revisions hello-world',
    'posts revisions hello-world 0199b6e2-0000-7000-8000-000000000000',
  ],
  async run(context, { slug, revision }, { all }) {
    const { terminal, signal } = context;
    const platen = await context.platen();
    if (revision === undefined) {
      return showList(
        context,
        platen.posts.revisions.list(slug, { signal }),
        { all },
        {
          columns: [
            { name: 'id', value: ({ id }) => id, isWhole: true },
            {
              name: 'written',
              value: ({ written_at: at }) => timeIn(terminal, at),
            },
            { name: 'title', value: ({ title }) => title },
          ],
          empty: `${slug} has not been changed yet.`,
        },
      );
    }
    const found = await platen.posts.revisions.get(slug, revision, { signal });
    if (context.common.json) return printJson(context, found);
    const { title, tags, content_md: content } = found;
    const text = `---\n${stringify({ title, tags })}---\n\n${content.replace(/\n?$/, '\n')}`;
    terminal.print(terminal.columns === null ? text : withLines(text));
  },
});

export const restoreRevision = command({
  args: { slug: required('slug of the post'), revision: required('id of the revision') },
  flags: waitFlags,
  examples: ['posts restore hello-world 0199b6e2-0000-7000-8000-000000000000'],
  async run(context, { slug, revision }, { wait }) {
    const question = `Put that revision in place of the text of ${slug}? The present one becomes a revision.`;
    if (!(await isConfirmed(context, question))) return;
    const platen = await context.platen();
    const answer = await platen.posts.revisions.restore(slug, revision, { signal: context.signal });
    return showWrite(
      context,
      platen,
      { wait },
      { answer, done: `Restored ${answer.slug}`, url: urlOf(answer) },
    );
  },
});
