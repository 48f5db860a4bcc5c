import { z } from 'zod';
import { scopes } from '../access/scope.ts';
import { filledLine, storableText, timestamp } from '../wire/text.ts';
import type { ListedCredential, MintedToken, TokenRequest } from './token.ts';

const MAX_NAME = 100;
/** Ten years; null gives no expiry at all. */
const MAX_EXPIRES_IN = 3_650;

const expiresIn = z
  .int('must be a whole number of days, or null')
  .min(1, 'must be at least 1 day')
  .max(MAX_EXPIRES_IN, `must be at most ${MAX_EXPIRES_IN} days`)
  .nullable()
  .default(null)
  .meta({ description: 'Days until it expires; null means never.', example: 90 });

const scopeList = z
  .array(z.enum(scopes))
  .min(1, 'must name at least one scope')
  .transform((names) => [...new Set(names)])
  .meta({
    description: 'At most the scopes of the credential that creates it.',
    example: ['posts:read', 'posts:write'],
  });

const everyScope = scopeList.default(['*']).meta({ default: ['*'] });

const name = filledLine(MAX_NAME).meta({ example: 'Laptop' });

export const createApiKeyBody = z
  .object({
    name: name.default('Default'),
    /** Not in the interface: with it, a key with limited scopes can create a key, too. */
    scopes: everyScope,
    expires_in: expiresIn,
  })
  .meta({ id: 'CreateApiKey' });

export const createTokenBody = z
  .object({
    name,
    scopes: everyScope,
    blog_id: storableText()
      .nullable()
      .default(null)
      .meta({ format: 'uuid', description: 'If null, every blog of the account.' }),
    expires_in: expiresIn,
  })
  .meta({ id: 'CreateToken' });

const prefix = z.string().meta({ example: 'pk_live_0123' });

/** Null means every blog of the account. */
const boundTo = z.uuid().nullable().meta({ example: null });

const sharedFields = {
  id: z.uuid(),
  name: z.string().meta({ example: 'Laptop' }),
  scopes: z.array(z.enum(scopes)).meta({ example: ['posts:read', 'posts:write'] }),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
};

export const createdApiKey = z
  .object({
    ...sharedFields,
    key: z.string().meta({
      description: 'The secret. It is shown only once.',
      example: `pk_live_${'0123456789abcdef'.repeat(3)}`,
    }),
    prefix,
  })
  .meta({ id: 'CreatedApiKey' });

export const createdToken = createdApiKey.extend({ blog_id: boundTo }).meta({ id: 'CreatedToken' });

const listedApiKey = z
  .object({ ...sharedFields, key_prefix: prefix, last_used_at: timestamp.nullable() })
  .meta({ id: 'ApiKey' });

export const apiKeyList = z.object({ data: z.array(listedApiKey) }).meta({ id: 'ApiKeyList' });

const listedToken = listedApiKey.extend({ blog_id: boundTo }).meta({ id: 'Token' });

export const tokenList = z.object({ data: z.array(listedToken) }).meta({ id: 'TokenList' });

export const revoked = z.object({ revoked: z.literal(true) }).meta({ id: 'Revoked' });

export const parseTokenRequest = (body: z.infer<typeof createApiKeyBody>): TokenRequest => ({
  name: body.name,
  scopes: body.scopes,
  expiresInDays: body.expires_in,
});

export const presentCreatedApiKey = (token: MintedToken): z.infer<typeof createdApiKey> => ({
  id: token.id,
  name: token.name,
  key: token.secret,
  prefix: token.prefix,
  scopes: [...token.scopes],
  expires_at: token.expiresAt,
  created_at: token.createdAt,
});

export const presentCreatedToken = (token: MintedToken): z.infer<typeof createdToken> => ({
  ...presentCreatedApiKey(token),
  blog_id: token.blogId,
});

export const presentApiKeys = (listed: readonly ListedCredential[]): z.infer<typeof apiKeyList> => ({
  data: listed.map(presentListed),
});

export const presentTokens = (listed: readonly ListedCredential[]): z.infer<typeof tokenList> => ({
  data: listed.map((token) => ({ ...presentListed(token), blog_id: token.blogId })),
});

const presentListed = (token: ListedCredential): z.infer<typeof listedApiKey> => ({
  id: token.id,
  name: token.name,
  key_prefix: token.prefix,
  scopes: [...token.scopes],
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt,
  created_at: token.createdAt,
});
