import type { Identity } from '../../generator/edge/identity.ts';
import { type Config, readConfig } from '../config/config.ts';
import { edgeVariables } from '../config/edge-settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where nothing is said of an edge, it is the folder: so what the environment says of another is left aside. */
export function otherConfig(environment: Variables, given: Variables): Config {
  const identity = identityIn(given);
  const others = Object.entries(environment).filter(([name]) => !(name in edgeVariables));
  const { AWS_REGION } = environment;
  const config = readConfig({ AWS_REGION, ...Object.fromEntries(others), ...given });
  return identity && config.edge.kind === 's3' ? { ...config, edge: { ...config.edge, identity } } : config;
}

const ofIdentity = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'];

/** Who asks for the other edge; null where nothing is said of that. */
function identityIn(given: Variables): Identity | null {
  for (const name of Object.keys(given)) {
    if (name.startsWith('AWS_') && name !== 'AWS_REGION' && !ofIdentity.includes(name)) {
      throw new Error(`${name} is the same for both edges: set it in the environment`);
    }
  }
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = given;
  if (given.AWS_PROFILE) return { kind: 'profile', name: given.AWS_PROFILE };
  if (id && secret) return { kind: 'keys', id, secret, token: token ?? null };
  if (!id && !secret && !token) return null;
  throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed together');
}
