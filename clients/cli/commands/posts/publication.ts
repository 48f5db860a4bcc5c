import { showWrite, waitFlags } from '../../answers/answers.ts';
import { command, required } from '../../command-line/command.ts';
import { text } from '../../command-line/flags.ts';
import { UsageError } from '../../terminal/errors.ts';
import { shownTime } from '../../terminal/moments.ts';
import { timeFlag } from './times.ts';

const args = { slug: required('slug of the post') };

export const publishPost = command({
  args,
  flags: { date: text('time', 'when it was first published, in the past: its place in lists'), ...waitFlags },
  examples: ['posts publish hello-world', 'posts publish hello-world --date 2019-03-14'],
  async run(context, { slug }, { date, wait }) {
    const published_at = date === undefined ? undefined : timeFlag('--date', date);
    if (published_at !== undefined && Date.parse(published_at) > Date.now())
      throw new UsageError(
        `--date is in the future: platen posts schedule ${slug} ${date} publishes it then`,
      );
    const fields = published_at === undefined ? undefined : { published_at };
    const platen = await context.platen();
    const answer = await platen.posts.publish(slug, fields, { signal: context.signal });
    return showWrite(
      context,
      platen,
      { wait },
      { answer, done: `Published ${answer.slug}`, url: answer.url },
    );
  },
});

export const unpublishPost = command({
  args,
  flags: waitFlags,
  examples: ['posts unpublish hello-world'],
  async run(context, { slug }, { wait }) {
    const platen = await context.platen();
    const answer = await platen.posts.unpublish(slug, { signal: context.signal });
    return showWrite(context, platen, { wait }, { answer, done: `${answer.slug} is a draft again` });
  },
});

export const schedulePost = command({
  args: { ...args, time: required('such as 2026-03-14T09:30 (in your time zone), 2026-03-14T09:30Z or +2h') },
  flags: waitFlags,
  examples: ['posts schedule hello-world 2026-03-14T09:30', 'posts schedule hello-world +2h'],
  async run(context, { slug, time }, { wait }) {
    const scheduled_at = timeFlag('the time', time);
    const platen = await context.platen();
    const answer = await platen.posts.schedule(slug, { scheduled_at }, { signal: context.signal });
    const done = `${answer.slug} will be published at ${shownTime(answer.scheduled_at)}`;
    return showWrite(context, platen, { wait }, { answer, done });
  },
});
