import type { CreatedApiKey, CreatedToken, CreateToken } from '../../../sdk/index.ts';
import { printJson, showDone } from '../../answers/answers.ts';
import { isConfirmed } from '../../answers/confirmation.ts';
import { showList, wholeListFlags } from '../../answers/show-list.ts';
import { command, type Group, optional, required } from '../../command-line/command.ts';
import type { Context } from '../../command-line/context.ts';
import { count, texts } from '../../command-line/flags.ts';
import { timeIn } from '../../terminal/moments.ts';
import { onOneLine } from '../../terminal/shown-text.ts';

interface Credential {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly key_prefix: string;
  readonly last_used_at: string | null;
}

const columnsOf = (terminal: Context['terminal']) => [
  { name: 'name', value: ({ name }: Credential) => name },
  { name: 'begins', value: ({ key_prefix: prefix }: Credential) => prefix },
  { name: 'scopes', value: ({ scopes }: Credential) => scopes.join(' ') },
  { name: 'last used', value: ({ last_used_at: at }: Credential) => timeIn(terminal, at) || 'never' },
  { name: 'expires', value: ({ expires_at: at }: Credential) => timeIn(terminal, at) || 'never' },
  { name: 'id', value: ({ id }: Credential) => id, isWhole: true },
];

/** The server knows the scopes, and names them if one is wrong. */
type Scope = NonNullable<CreateToken['scopes']>[number];

const creationFlags = {
  scope: texts('scope', 'such as posts:write; repeat it for more (*, everything)'),
  days: count('days until it expires (never)'),
};

/** Prints the secret alone on standard output, so that it can go straight into a file. */
function showSecret({ terminal, common }: Context, created: CreatedApiKey | CreatedToken): void {
  if (common.json) printJson({ terminal }, created);
  else {
    const scopes = created.scopes.join(' ');
    terminal.tell(
      `Created ${onOneLine(created.name)} (${scopes}). This is the only time that it is shown:\n`,
    );
    terminal.print(`${created.key}\n`);
  }
}

const listKeys = command({
  flags: wholeListFlags,
  examples: ['keys list --blog notes'],
  async run(context, _args, { all }) {
    const platen = await context.platen();
    const empty = 'No keys are bound to this blog. platen keys create makes one.';
    return showList(
      context,
      platen.apiKeys.list({ signal: context.signal }),
      { all },
      { columns: columnsOf(context.terminal), empty },
    );
  },
});

const createKey = command({
  args: { name: optional('what it is for') },
  flags: creationFlags,
  examples: ['keys create ci --blog notes --scope posts:read --scope posts:write', 'keys create ci > key'],
  async run(context, { name }, { scope, days }) {
    const platen = await context.platen();
    const fields = { name, scopes: scope as Scope[] | undefined, expires_in: days };
    return showSecret(context, await platen.apiKeys.create(fields, { signal: context.signal }));
  },
});

const revokeKey = command({
  args: { id: required('id of the key, from keys list') },
  examples: ['keys revoke 0199b6e2-0000-7000-8000-000000000000'],
  async run(context, { id }) {
    if (!(await isConfirmed(context, `Revoke the key ${id}? Whatever uses it stops working.`))) return;
    const platen = await context.platen();
    return showDone(context, await platen.apiKeys.revoke(id, { signal: context.signal }), `Revoked ${id}`);
  },
});

export const keys: Group = {
  commands: [
    { name: 'list', summary: 'List the API keys that are bound to a blog', load: async () => listKeys },
    {
      name: 'create',
      summary: 'Create an API key that is bound to a blog, and print it once',
      load: async () => createKey,
    },
    { name: 'revoke', summary: 'Revoke an API key of a blog', load: async () => revokeKey },
  ],
};

const listTokens = command({
  flags: wholeListFlags,
  examples: ['tokens list'],
  async run(context, _args, { all }) {
    const platen = await context.platen();
    const empty = 'No tokens. platen tokens create makes one.';
    return showList(
      context,
      platen.tokens.list({ signal: context.signal }),
      { all },
      { columns: columnsOf(context.terminal), empty },
    );
  },
});

const createToken = command({
  about: 'It is for every blog of the account, or with --blog for that one.',
  args: { name: required('what it is for') },
  flags: creationFlags,
  examples: ['tokens create ci --scope posts:write --days 90', 'tokens create agent --blog notes > token'],
  async run(context, { name }, { scope, days }) {
    const platen = await context.platen();
    const { signal, common } = context;
    const blog = common.blog === undefined ? undefined : await platen.blogs.get(common.blog, { signal });
    const fields = { name, scopes: scope as Scope[] | undefined, expires_in: days, blog_id: blog?.id };
    return showSecret(context, await platen.tokens.create(fields, { signal }));
  },
});

const revokeToken = command({
  args: { id: required('id of the token, from tokens list') },
  examples: ['tokens revoke 0199b6e2-0000-7000-8000-000000000000'],
  async run(context, { id }) {
    if (!(await isConfirmed(context, `Revoke the token ${id}? Whatever uses it stops working.`))) return;
    const platen = await context.platen();
    return showDone(context, await platen.tokens.revoke(id, { signal: context.signal }), `Revoked ${id}`);
  },
});

export const tokens: Group = {
  commands: [
    { name: 'list', summary: 'List the tokens and keys of the account', load: async () => listTokens },
    { name: 'create', summary: 'Create a token, and print it once', load: async () => createToken },
    { name: 'revoke', summary: 'Revoke a token or key of the account', load: async () => revokeToken },
  ],
};
