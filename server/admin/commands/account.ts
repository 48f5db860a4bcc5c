import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import type { ListedAccount } from '../../accounts/accounts.ts';
import { tierNames } from '../../tiers/tier.ts';
import { type Command, command } from '../command.ts';

const account = z.string();
const json = z.boolean().default(false);
const email = z
  .string('is missing')
  .pipe(z.email({ pattern: z.regexes.html5Email, error: 'must be an email address' }));
const tier = z.enum(tierNames, {
  error: ({ input }) =>
    `${input === undefined ? 'is missing: name' : 'must be'} one of ${tierNames.join(', ')}`,
});
const subject = z.string('is missing').min(1, 'must not be empty').max(255, 'must be at most 255 characters');
const name = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters');

const create = command({
  name: 'account create',
  summary: 'Create an account with a first API key, which is shown only once',
  usage: '--email <address> --tier <tier> [--name <name>] [--subject <sub>] [--json]',
  positionals: [],
  options: { email: 'string', tier: 'string', name: 'string', subject: 'string', json: 'boolean' },
  input: z.object({ email, tier, name: name.optional(), subject: subject.optional(), json }),
  async run({ accounts }, given) {
    const { accountId, secret } = await accounts.create({
      email: given.email,
      name: given.name ?? given.email.replace(/@.*/, ''),
      tier: given.tier,
      subject: given.subject ?? null,
    });
    if (given.json) return JSON.stringify({ account_id: accountId, key: secret });
    return `Account  ${accountId}\nAPI key  ${secret}   (shown only once: keep it)`;
  },
});

const newKey = command({
  name: 'account new-key',
  summary: 'Create another API key for an account, for example after a lost key; it is shown only once',
  usage: '<id or email> [--json]',
  positionals: ['account'],
  options: { json: 'boolean' },
  input: z.object({ account, json }),
  async run({ accounts }, given) {
    const { account, secret } = await accounts.newKey(given.account);
    if (given.json) return JSON.stringify({ account_id: account.id, key: secret });
    return `API key  ${secret}   (shown only once: keep it)`;
  },
});

const list = command({
  name: 'account list',
  summary: 'List every account, oldest first',
  usage: '[--json]',
  positionals: [],
  options: { json: 'boolean' },
  input: z.object({ json }),
  async run({ accounts }, given) {
    const listed = await accounts.list();
    return given.json ? JSON.stringify(listed.map(accountJson)) : listed.map(accountLine).join('\n');
  },
});

const setTier = command({
  name: 'account set-tier',
  summary: 'Move an account to another tier; its blogs are rebuilt',
  usage: `<id or email> <${tierNames.join('|')}>`,
  positionals: ['account', 'tier'],
  options: {},
  input: z.object({ account, tier }),
  async run({ accounts }, given) {
    const { account, blogs } = await accounts.setTier(given.account, given.tier);
    if (account.tier === given.tier) return `${account.email} already has the tier ${given.tier}`;
    const rebuilt = blogs === 1 ? '1 blog is' : `${blogs} blogs are`;
    return `${account.email} has moved from ${account.tier} to ${given.tier}; ${rebuilt} rebuilt`;
  },
});

const suspend = command({
  name: 'account suspend',
  summary: 'Block all keys and sessions of an account; its blogs stay online',
  usage: '<id or email> [--json]',
  details:
    'Its scheduled posts wait until it is reinstated. To take its blogs offline, use `blog take-down`.',
  positionals: ['account'],
  options: { json: 'boolean' },
  input: z.object({ account, json }),
  async run({ accounts }, given) {
    const { account, isChanged } = await accounts.suspend(given.account);
    if (given.json) return suspensionJson(account);
    return isChanged ? `${account.email} is suspended` : `${account.email} was already suspended`;
  },
});

const reinstate = command({
  name: 'account reinstate',
  formerName: 'account resume',
  summary: 'Unblock the keys and sessions of a suspended account',
  usage: '<id or email> [--json]',
  details: 'Scheduled posts that became due during the suspension are published.',
  positionals: ['account'],
  options: { json: 'boolean' },
  input: z.object({ account, json }),
  async run({ accounts }, given) {
    const { account, isChanged } = await accounts.reinstate(given.account);
    if (given.json) return suspensionJson(account);
    return isChanged ? `${account.email} is no longer suspended` : `${account.email} was not suspended`;
  },
});

const remove = command({
  name: 'account delete',
  summary: 'Delete an account with its blogs, posts, images and credentials, for good',
  usage: '<id or email> --yes [--json]',
  positionals: ['account'],
  options: { yes: 'boolean', json: 'boolean' },
  input: z.object({
    account,
    yes: z.literal(true, 'is missing: a deleted account cannot be restored'),
    json,
  }),
  async run({ removal }, given) {
    const { account, blogs } = await removal.deleteNamedAccount(given.account);
    if (given.json) return JSON.stringify({ account_id: account.id, email: account.email, blogs });
    return `${account.email} is deleted, with ${blogs === 1 ? '1 blog' : `${blogs} blogs`}`;
  },
});

const link = command({
  name: 'account link',
  summary:
    'Link a subject (sub) of the identity provider to an account, so that its sessions open the account',
  usage: '<id or email> <sub>',
  positionals: ['account', 'subject'],
  options: {},
  input: z.object({ account, subject }),
  async run({ accounts }, given) {
    const { email } = await accounts.link(given.account, given.subject);
    return `sessions of ${given.subject} now open the account of ${email}`;
  },
});

export const accountCommands: readonly Command[] = [
  create,
  newKey,
  list,
  setTier,
  suspend,
  reinstate,
  remove,
  link,
];

const suspensionJson = ({ id, email, suspendedAt }: Account): string =>
  JSON.stringify({ account_id: id, email, suspended_at: suspendedAt });

const accountJson = (account: ListedAccount) => ({
  account_id: account.id,
  email: account.email,
  name: account.name,
  tier: account.tier,
  blogs: account.blogs,
  subject: account.externalId,
  suspended_at: account.suspendedAt,
  created_at: account.createdAt,
});

const accountLine = ({ id, email, tier, blogs, suspendedAt }: ListedAccount): string =>
  [
    id,
    tier.padEnd(10),
    (blogs === 1 ? '1 blog' : `${blogs} blogs`).padEnd(9),
    email,
    ...(suspendedAt ? ['(suspended)'] : []),
  ].join('  ');
