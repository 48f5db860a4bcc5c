import { printJson, showFields } from '../../answers/answers.ts';
import { command, type Group, required } from '../../command-line/command.ts';
import { profileNamed } from '../../profiles/sign-in.ts';
import { table } from '../../terminal/table.ts';

const list = command({
  examples: ['profiles list'],
  async run(context) {
    const { terminal, common } = context;
    const { current, profiles } = await context.profiles.load();
    const rows = Object.entries(profiles).map(([name, { url, blog }]) => ({
      name,
      url,
      blog,
      in_use: name === current,
    }));
    if (common.json) return printJson(context, rows);
    if (rows.length === 0) return terminal.tell('No profiles. platen login makes one.\n');
    terminal.print(
      table(
        terminal,
        [
          { name: 'profile', value: ({ name }) => name },
          { name: 'server', value: ({ url }) => url },
          { name: 'blog', value: ({ blog }) => blog },
          { name: 'in use', value: ({ in_use: used }) => (used ? 'yes' : '') },
        ],
        rows,
      ),
    );
  },
});

const use = command({
  args: { name: required('name of the profile') },
  examples: ['profiles use work'],
  async run(context, { name }) {
    const settings = await context.profiles.load();
    const { url, blog } = profileNamed(name, settings);
    await context.profiles.save({ ...settings, current: name });
    return showFields(context, { profile: name, url, blog }, { profile: name, server: url, blog });
  },
});

export const profiles: Group = {
  commands: [
    { name: 'list', summary: 'List the profiles of this machine', load: async () => list },
    { name: 'use', summary: 'Choose the profile that commands use', load: async () => use },
  ],
};
