/** The interface's "Scopes" table. `*` grants every other one. */
export const scopes = [
  '*',
  'posts:read',
  'posts:write',
  'blogs:read',
  'blogs:write',
  'analytics:read',
  'search:read',
  'account:read',
  'account:write',
  'packs:read',
  'packs:write',
  'domains:read',
  'domains:write',
  'media:write',
  'media:read',
] as const;
export type Scope = (typeof scopes)[number];

export const grants = (held: readonly Scope[], needed: Scope): boolean =>
  held.includes('*') || held.includes(needed);
