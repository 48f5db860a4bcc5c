import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { secretPattern } from './domain/credential.ts';
import { logLevels } from './log.ts';

/** Everything that an operator can set, checked and complete. Only this module reads the environment. */
export type Config = Readonly<z.infer<typeof environment>>;

const DEFAULT_PORT = 8080;

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be at most 65535');

const environment = z
  .object({
    PORT: port.default(DEFAULT_PORT),
    PLATEN_DATA_DIR: z.string().min(1).default('./data'),
    PLATEN_PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .refine((url) => !/[?#]/.test(url), 'must end before any ? or #')
      .optional(),
    PLATEN_BLOG_HOST: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i, 'must be a host name, with or without a port')
      .refine((host) => port.safeParse(host.split(':')[1] ?? '80').success, 'must have a port up to 65535')
      .optional(),
    PLATEN_API_KEY: z
      .string()
      .regex(secretPattern, 'must be pk_live_ and at least 32 letters, digits, hyphens or underscores')
      .optional(),
    PLATEN_OWNER_EMAIL: z.email('must be an email address').default('owner@localhost'),
    LOG_LEVEL: z.enum(logLevels).default('info'),
  })
  .transform((env) => {
    const publicUrl = withoutSlash(env.PLATEN_PUBLIC_URL ?? `http://localhost:${env.PORT}`);
    const dataDir = resolve(env.PLATEN_DATA_DIR);
    return {
      port: env.PORT,
      dataDir,
      databaseFile: resolve(dataDir, 'platen.db'),
      edgeDir: resolve(dataDir, 'edge'),
      /** Without a trailing slash; the API is at its `/v1`. */
      publicUrl,
      /** Blogs are at `<protocol of the public address>//<slug>.<blog host>/`. */
      blogHost: (env.PLATEN_BLOG_HOST ?? `localhost:${env.PORT}`).toLowerCase(),
      blogProtocol: new URL(publicUrl).protocol,
      apiKey: env.PLATEN_API_KEY,
      ownerEmail: env.PLATEN_OWNER_EMAIL,
      logLevel: env.LOG_LEVEL,
      markdownThreads: Math.max(1, availableParallelism() - 1),
      cardThreads: availableParallelism(),
    };
  });

/** Reads the configuration out of environment variables. Throws an error that names the variable at fault. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is one that is not set, as in `PORT= npm start` and in compose files.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`configuration: ${problems.join('; ')}`);
}

/** Absolute address of a blog's front page, with a trailing slash. */
export const blogUrl = ({ blogProtocol, blogHost }: Config, blogSlug: string): string =>
  `${blogProtocol}//${blogSlug}.${blogHost}/`;
