import { showDone, showFields } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { command, type Group } from '../../command-line/command.ts';
import { shownTime } from '../../terminal/moments.ts';

const get = command({
  examples: ['account get', 'account get --json'],
  async run(context) {
    const platen = await context.platen();
    const profile = await platen.account.profile({ signal: context.signal });
    return showFields(context, profile, {
      name: profile.name,
      email: profile.email,
      plan: profile.plan,
      created: shownTime(profile.created_at),
      id: profile.id,
    });
  },
});

const exportAll = command({
  about: 'A line for each part of up to 5,000 posts.',
  examples: ['account export > account.ndjson'],
  async run(context) {
    const platen = await context.platen();
    for await (const part of platen.account.exportParts({ signal: context.signal }))
      context.terminal.print(`${JSON.stringify(part)}\n`);
  },
});

const remove = command({
  examples: ['account delete'],
  async run(context) {
    const { signal } = context;
    const platen = await context.platen();
    const { email } = await platen.account.profile({ signal });
    const question = `Delete the account ${email} for good, with its blogs, posts, images and keys?`;
    if (!(await isConfirmed(context, question))) return;
    const answer = await platen.account.delete({ signal });
    return showDone(context, answer, answer.message);
  },
});

export const account: Group = {
  commands: [
    { name: 'get', summary: 'Show the account and its plan', load: async () => get },
    {
      name: 'export',
      summary: 'Print everything that the account has, as JSON',
      load: async () => exportAll,
    },
    {
      name: 'delete',
      summary: 'Delete the account for good, with everything in it',
      load: async () => remove,
    },
  ],
};
