import { pageFlags, showList } from '../../answers/show-list.ts';
import { command } from '../../command-line/command.ts';
import { choice, text } from '../../command-line/flags.ts';
import { timeIn } from '../../terminal/moments.ts';

export const listPosts = command({
  flags: {
    status: choice(['draft', 'published', 'scheduled'], 'status', 'only these'),
    tag: text('tag', 'only posts with this tag'),
    type: choice(['post', 'page'], 'type', 'only these'),
    sort: choice(['created_at', 'updated_at', 'published_at'], 'field', 'order by'),
    order: choice(['desc', 'asc'], 'order', 'newest or oldest first'),
    ...pageFlags,
  },
  examples: [
    'posts list --status draft',
    'posts list --tag ink --all',
    'posts list --json | jq -r ".[].slug"',
  ],
  async run(context, _args, { status, tag, type, sort, order, page, perPage, all }) {
    const platen = await context.platen();
    const query = { status, tag, type, sort, order, page, per_page: perPage };
    return showList(
      context,
      platen.posts.list(query, { signal: context.signal }),
      { all },
      {
        columns: [
          { name: 'slug', value: ({ slug }) => slug },
          { name: 'title', value: ({ title }) => title },
          { name: 'status', value: ({ status }) => status },
          { name: 'published', value: ({ published_at: at }) => timeIn(context.terminal, at) },
          { name: 'tags', value: ({ tags }) => tags.join(', ') },
        ],
        empty: 'No posts. platen posts create writes the first one.',
      },
    );
  },
});
