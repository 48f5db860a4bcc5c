import type { Call, OptionsOf } from '../call.ts';
import type { AccountExport, CreateToken, ExportAccountQuery, PurchasePack } from '../generated/types.ts';
import { List } from '../list.ts';

export const accountOf = (call: Call) => ({
  profile: (options?: OptionsOf<'getProfile'>) => call('getProfile', {}, options),
  /** Up to 5,000 posts; if it is `truncated`, go on with its `next` as `after`. */
  export: (query: ExportAccountQuery = {}, options?: OptionsOf<'exportAccount'>) =>
    call('exportAccount', { query }, options),
  /** All parts of the export, one after the other. */
  async *exportParts(options?: OptionsOf<'exportAccount'>): AsyncGenerator<AccountExport, void, undefined> {
    let after: string | undefined;
    do {
      const part = await call('exportAccount', { query: { after } }, options);
      yield part;
      after = part.next;
    } while (after !== undefined);
  },
  /** Deletes the account for good, with everything that belongs to it. */
  delete: (options?: OptionsOf<'deleteAccount'>) => call('deleteAccount', {}, options),
});
export type Account = ReturnType<typeof accountOf>;

/** Tokens with chosen scopes, for one blog or all of them. */
export const tokensOf = (call: Call) => ({
  /** Tokens and API keys of the account. */
  list: (options?: OptionsOf<'listTokens'>) => new List(() => call('listTokens', {}, options), {}),
  /** The only answer with the token itself. */
  create: (token: CreateToken, options?: OptionsOf<'createToken'>) =>
    call('createToken', { body: token }, options),
  revoke: (id: string, options?: OptionsOf<'revokeToken'>) => call('revokeToken', { path: { id } }, options),
});
export type Tokens = ReturnType<typeof tokensOf>;

/** Packs: posts beyond the quota of a month. */
export const packsOf = (call: Call) => ({
  purchase: (pack: PurchasePack, options?: OptionsOf<'purchasePack'>) =>
    call('purchasePack', { body: pack }, options),
  balance: (options?: OptionsOf<'getPackBalance'>) => call('getPackBalance', {}, options),
});
export type Packs = ReturnType<typeof packsOf>;
