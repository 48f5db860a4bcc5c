import { printJson, showDone } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { command, type Group, required } from '../../command-line/command.ts';
import { timeIn } from '../../terminal/moments.ts';
import { table } from '../../terminal/table.ts';

const SIZES = ['100', '300'] as const;

const balance = command({
  examples: ['packs balance'],
  async run(context) {
    const { terminal } = context;
    const platen = await context.platen();
    const found = await platen.packs.balance({ signal: context.signal });
    if (context.common.json) return printJson(context, found);
    terminal.print(
      table(
        terminal,
        [
          { name: 'purchased', value: ({ purchased_at: at }) => timeIn(terminal, at) },
          { name: 'left', value: ({ balance }) => balance, isNumber: true },
          { name: 'pack', value: ({ id }) => id, isWhole: true },
        ],
        found.packs,
      ),
    );
    terminal.tell(`${found.total_remaining} posts left in packs.\n`);
  },
});

const purchase = command({
  args: { size: required('posts in the pack', { choices: SIZES }) },
  examples: ['packs purchase 100'],
  async run(context, { size }) {
    if (!(await isConfirmed(context, `Buy a pack of ${size} posts?`))) return;
    const platen = await context.platen();
    const answer = await platen.packs.purchase(
      { pack_type: size === '300' ? '300' : '100' },
      { signal: context.signal },
    );
    return showDone(
      context,
      answer,
      `Bought a pack of ${answer.pack_type} posts: ${answer.balance} are left in packs`,
    );
  },
});

export const packs: Group = {
  commands: [
    {
      name: 'balance',
      summary: 'Show the posts that are left in packs, in the order of their use',
      load: async () => balance,
    },
    { name: 'purchase', summary: 'Buy a pack of posts', load: async () => purchase },
  ],
};
