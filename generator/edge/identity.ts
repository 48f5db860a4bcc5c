/** Explicit AWS credentials for an edge, in place of those that the SDK finds in the environment. */
export type Identity =
  | { readonly kind: 'keys'; readonly id: string; readonly secret: string; readonly token: string | null }
  | { readonly kind: 'profile'; readonly name: string };

/** The same as options of an AWS SDK client; none for the SDK's default. */
export function toClientOptions(identity: Identity | undefined) {
  if (identity === undefined) return {};
  if (identity.kind === 'profile') return { profile: identity.name };
  const { id: accessKeyId, secret: secretAccessKey, token } = identity;
  return { credentials: { accessKeyId, secretAccessKey, ...(token !== null && { sessionToken: token }) } };
}
