/**
 * Who asks for an edge, where that is not who the SDK finds in the environment (`AWS_ACCESS_KEY_ID` and what else it
 * knows).
 */
export type Identity =
  | { readonly kind: 'keys'; readonly id: string; readonly secret: string; readonly token: string | null }
  | { readonly kind: 'profile'; readonly name: string };

/** What a client of the SDK is given for that. */
export function asClientOptions(identity: Identity | undefined) {
  if (identity === undefined) return {};
  if (identity.kind === 'profile') return { profile: identity.name };
  const { id: accessKeyId, secret: secretAccessKey, token } = identity;
  return { credentials: { accessKeyId, secretAccessKey, ...(token !== null && { sessionToken: token }) } };
}
