import { showWrite, waitFlags } from '../../answers/answers.ts';
import { pageFlags, showList } from '../../answers/show-list.ts';
import { command, type Group, required } from '../../command-line/command.ts';
import { text } from '../../command-line/flags.ts';

const list = command({
  flags: { from: text('path', 'only the one at this address'), ...pageFlags },
  examples: ['redirects list', 'redirects list --all --json'],
  async run(context, _args, { from, page, perPage, all }) {
    const platen = await context.platen();
    const found = platen.redirects.list({ from, page, per_page: perPage }, { signal: context.signal });
    return showList(
      context,
      found,
      { all },
      {
        columns: [
          { name: 'from', value: ({ from }) => from },
          { name: 'to', value: ({ to }) => to },
          { name: 'id', value: ({ id }) => id, isWhole: true },
        ],
        empty: 'No redirects. platen redirects set makes one.',
      },
    );
  },
});

const set = command({
  args: {
    from: required('a path on the blog, such as /2019/hello.html'),
    to: required('a path, or an address'),
  },
  flags: waitFlags,
  examples: ['redirects set /2019/hello.html /hello/', 'redirects set /about.php https://example.org/about'],
  async run(context, { from, to }, { wait }) {
    const platen = await context.platen();
    const answer = await platen.redirects.set({ from, to }, { signal: context.signal });
    const [redirect] = answer.data;
    const done = `${redirect?.from ?? from} -> ${redirect?.to ?? to} (${redirect?.result})`;
    return showWrite(context, platen, { wait }, { answer, done });
  },
});

const remove = command({
  args: { from: required('its address, such as /2019/hello.html, or its id') },
  flags: waitFlags,
  examples: ['redirects remove /2019/hello.html'],
  async run(context, { from }, { wait }) {
    const { signal } = context;
    const platen = await context.platen();
    const answer = from.startsWith('/')
      ? await platen.redirects.removeAt(from, { signal })
      : await platen.redirects.remove(from, { signal });
    return showWrite(context, platen, { wait }, { answer, done: `Removed the redirect ${from}` });
  },
});

export const redirects: Group = {
  commands: [
    { name: 'list', summary: 'List the redirects of a blog, by address', load: async () => list },
    {
      name: 'set',
      summary: 'Set a redirect, in place of the one that the address has',
      load: async () => set,
    },
    { name: 'remove', summary: 'Remove a redirect', load: async () => remove },
  ],
};
