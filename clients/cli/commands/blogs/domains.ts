import { showFields, showWrite, waitFlags } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { command, type Group, required } from '../../command-line/command.ts';
import { withLines } from '../../terminal/shown-text.ts';

const get = command({
  examples: ['domains get', 'domains get --blog notes'],
  async run(context) {
    const platen = await context.platen();
    const domain = await platen.domain.get({ signal: context.signal });
    if (domain.hostname === null && !context.common.json)
      return context.terminal.tell('The blog has no custom domain. platen domains register sets one.\n');
    return showFields(context, domain, {
      domain: domain.hostname,
      status: domain.status,
      'point it to': domain.cname_target,
    });
  },
});

const register = command({
  args: { hostname: required('such as blog.example.org') },
  flags: waitFlags,
  examples: ['domains register blog.example.org --blog notes'],
  async run(context, { hostname }, { wait }) {
    const platen = await context.platen();
    const answer = await platen.domain.register({ hostname }, { signal: context.signal });
    const done = `Registered ${answer.hostname} (${answer.status})`;
    await showWrite(context, platen, { wait }, { answer, done });
    if (!context.common.json) context.terminal.print(`${withLines(answer.instructions)}\n`);
  },
});

const remove = command({
  flags: waitFlags,
  examples: ['domains remove --blog notes'],
  async run(context, _args, { wait }) {
    const platen = await context.platen();
    const { hostname } = await platen.domain.get({ signal: context.signal });
    if (
      hostname !== null &&
      !(await isConfirmed(context, `Remove ${hostname}? Its pages will not be found any more.`))
    )
      return;
    const answer = await platen.domain.remove({ signal: context.signal });
    return showWrite(
      context,
      platen,
      { wait },
      { answer, done: hostname ? `Removed ${hostname}` : 'There was none' },
    );
  },
});

export const domains: Group = {
  commands: [
    {
      name: 'get',
      summary: 'Show the custom domain, and whether its DNS points to the server',
      load: async () => get,
    },
    {
      name: 'register',
      summary: 'Register a custom domain, in place of any other',
      load: async () => register,
    },
    { name: 'remove', summary: 'Remove the custom domain', load: async () => remove },
  ],
};
