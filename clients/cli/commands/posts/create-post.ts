import type { CreatePost } from '../../../sdk/index.ts';
import { showWrite, waitFlags } from '../../answers/answers.ts';
import { command, optional } from '../../command-line/command.ts';
import { text, toggle } from '../../command-line/flags.ts';
import { createBody } from '../../deploy/send/bodies.ts';
import { UsageError } from '../../terminal/errors.ts';
import { shownTime } from '../../terminal/moments.ts';
import { fieldFlags } from './field-flags.ts';
import { readInput } from './input.ts';
import { timeFlag } from './times.ts';

export const createPost = command({
  about:
    'The file may have front matter, with the fields of platen deploy. The post is a draft unless the front ' +
    'matter or an option says otherwise. Pictures must have addresses: platen upload gives them one, and ' +
    'platen deploy does so by itself.',
  args: { file: optional('file with Markdown, or - for standard input', { isPath: true }) },
  flags: {
    ...fieldFlags,
    publish: toggle('publish it'),
    schedule: text('time', 'publish it at this time, such as 2026-03-14T09:30 or +2h'),
    page: toggle('a page outside lists and feeds, such as /about/'),
    ...waitFlags,
  },
  examples: [
    'posts create hello.md --publish',
    'posts create --title "Hello" --content "My **first** post." --publish',
    'posts create --title "Notes" - < notes.md',
  ],
  async run(context, { file }, { publish, schedule, page, wait, ...given }) {
    if (publish && schedule !== undefined) throw new UsageError('give --publish or --schedule, not both');
    const document = await readInput(context, file, given);
    if (document === null) throw new UsageError('give a file, - for standard input, or --content');
    const title = given.title ?? document.title;
    if (title === undefined)
      throw new UsageError('the post has no title: give --title, or one in the front matter');
    const scheduled = schedule === undefined ? undefined : timeFlag('--schedule', schedule);
    const status = scheduled !== undefined ? 'scheduled' : publish ? 'published' : document.post.status;
    const { slug: slugOfFile, ...body } = createBody(
      { ...document.post, title, status, date: scheduled ?? document.post.date },
      new Map(),
    );
    const slug = given.slug ?? slugOfFile;
    const post: CreatePost = {
      ...body,
      content: document.post.content,
      ...(slug !== '' && { slug }),
      ...(given.tag !== undefined && { tags: [...given.tag] }),
      ...(given.description !== undefined && { meta: { ...body.meta, description: given.description } }),
      ...(page && { type: 'page' }),
    };
    const platen = await context.platen();
    const answer = await platen.posts.create(post, { signal: context.signal });
    const done = {
      draft: `Created the draft ${answer.slug}. platen posts publish ${answer.slug} publishes it`,
      scheduled: `Created ${answer.slug}, to be published at ${shownTime(scheduled ?? document.post.date ?? null)}`,
      published: `Published ${answer.slug}`,
    }[answer.status];
    return showWrite(context, platen, { wait }, { answer, done, url: answer.url });
  },
});
