import type { Identity } from '../../generator/edge/identity.ts';
import { type Config, readConfig } from '../config/config.ts';
import { edgeVariables } from '../config/edge-settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Configuration of another edge: `given` over the environment. The edge variables of the environment are ignored,
 * because an edge without variables is the folder. Throws if `given` is invalid.
 */
export function otherEdgeConfig(environment: Variables, settings: Variables): Config {
  const credentials = credentialsIn(settings);
  const sharedVariables = Object.entries(environment).filter(([name]) => !(name in edgeVariables));
  const { AWS_REGION } = environment;
  const config = readConfig({ AWS_REGION, ...Object.fromEntries(sharedVariables), ...settings });
  if (credentials === null) return config;
  // An edge in a folder ignores them.
  const edge = { ...config.edge, identity: credentials };
  return { ...config, edge };
}

const credentialVariables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
];

/** Credentials for the other edge; null if the file has none, so those of the environment apply. */
function credentialsIn(settings: Variables): Identity | null {
  for (const name of Object.keys(settings)) {
    if (name.startsWith('AWS_') && name !== 'AWS_REGION' && !credentialVariables.includes(name)) {
      throw new Error(`${name} applies to both edges: set it in the environment`);
    }
  }
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = settings;
  if (settings.AWS_PROFILE) return { kind: 'profile', name: settings.AWS_PROFILE };
  if (id && secret) return { kind: 'keys', id, secret, token: token ?? null };
  if (!id && !secret && !token) return null;
  throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
}
