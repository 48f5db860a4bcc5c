import { Platen } from '../../sdk/index.ts';
import { pageFlags, showList } from '../answers/show-list.ts';
import { command, some } from '../command-line/command.ts';
import { text } from '../command-line/flags.ts';

const words = some('words that posts must contain; the last one may be incomplete');

export const search = command({
  args: { words },
  flags: pageFlags,
  examples: ['search black ink', 'search --blog notes --json ink'],
  async run(context, { words }, { page, perPage, all }) {
    const platen = await context.platen();
    const query = { q: words.join(' '), page, per_page: perPage };
    return showList(
      context,
      platen.search(query, { signal: context.signal }),
      { all },
      {
        columns: [
          { name: 'slug', value: ({ slug }) => slug },
          { name: 'title', value: ({ title }) => title },
          { name: 'excerpt', value: ({ excerpt }) => excerpt },
        ],
        empty: 'Nothing found.',
      },
    );
  },
});

export const discover = command({
  about: 'Needs no key.',
  args: { words },
  flags: { tag: text('tag', 'only posts with this tag'), ...pageFlags },
  examples: ['discover letterpress', 'discover --tag ink press --url https://platen.example.org'],
  async run(context, { words }, { tag, page, perPage, all }) {
    const { url, key } = await context.signIn();
    const platen = new Platen({ url, apiKey: key });
    const query = { q: words.join(' '), tag, page, per_page: perPage };
    return showList(
      context,
      platen.discover(query, { signal: context.signal }),
      { all },
      {
        columns: [
          { name: 'title', value: ({ title }) => title },
          { name: 'blog', value: ({ blog_name: blog }) => blog },
          { name: 'url', value: ({ url }) => url, isWhole: true },
        ],
        empty: 'Nothing found.',
      },
    );
  },
});
