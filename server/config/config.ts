import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { secretPattern } from '../access/credential.ts';
import { blogSlugPattern, isReservedBlogSlug } from '../addresses/slug.ts';
import { logLevels } from '../runtime/log.ts';
import { defaultTiers } from '../tiers/tier.ts';
import { tierSettings } from '../tiers/tier-settings.ts';
import { edgeProblems, edgeSettingsOf, edgeVariables } from './edge-settings.ts';
import { unknownVariables } from './unknown-variables.ts';

/** All settings, validated and with defaults. Only this module reads the environment. */
export type Config = Readonly<z.infer<typeof environmentSchema>> & {
  /** What an operator should know about the environment: variables that nothing reads. */
  readonly warnings: readonly string[];
};

export const DEFAULT_PORT = 8080;

const listWithOr = new Intl.ListFormat('en', { type: 'disjunction' });

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number')
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, 'must be from 1 to 65535');

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must begin with http:// or https://, such as https://example.org',
});

/**
 * Whether a text is an IP address with or without a port. Node aborts on port 0 and takes larger ports modulo 65536.
 */
function isDnsServer(text: string): boolean {
  const [, host = text, number = '53'] = /^(\[.+\]|[\d.]+)(?::(\d+))?$/.exec(text) ?? [];
  const isPort = Number(number) >= 1 && Number(number) <= 65_535;
  return isPort && isIP(host.replace(/^\[(.+)\]$/, '$1')) !== 0;
}

/** Express's names for ranges of private addresses. */
const privateNetworks = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [, address = text, bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return privateNetworks.includes(text);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The number of proxies in front, or their addresses. */
const trustedProxies = z
  .string()
  .transform((text) =>
    /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((network) => network.trim()),
  )
  .refine(
    (proxies) => typeof proxies === 'number' || proxies.every(isNetwork),
    'must be the number of proxies in front (such as 1), or their addresses or networks (such as 10.0.0.0/8 or loopback), separated by commas',
  );

/** All variables that the server reads. */
const variables = z.object({
  PORT: port.default(DEFAULT_PORT),
  PLATEN_LISTEN: z
    .string()
    .refine(
      (host) => isIP(host) !== 0 || host === 'localhost',
      'must be an IP address of this machine, without a port, or localhost (0.0.0.0 for every IPv4 address, :: for all)',
    )
    .optional(),
  PLATEN_DATA_DIR: z.string().min(1).default('./data'),
  PLATEN_PUBLIC_URL: httpUrl
    .refine((url) => !/[?#]/.test(url), 'must end before any ? or #')
    .refine((url) => !/\/v1\/?$/.test(url), 'must end before /v1: Platen adds it')
    .optional(),
  PLATEN_BLOG_HOST: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i, {
      error:
        'must be a host name such as blogs.example.org or localhost:8080, without https:// and without a path',
      abort: true,
    })
    .refine((host) => port.safeParse(host.split(':')[1] ?? '80').success, 'must have a port up to 65535')
    .optional(),
  PLATEN_BLOG: z
    .string()
    .regex(blogSlugPattern, 'must be the slug of a blog, such as notes')
    .refine((slug) => !isReservedBlogSlug(slug), 'is a reserved slug, which no blog can have')
    .optional(),
  PLATEN_MEDIA_URL: httpUrl.refine((url) => !/[?#]/.test(url), 'must end before any ? or #').optional(),
  PLATEN_API_KEY: z
    .string()
    .regex(secretPattern, 'must be pk_live_ and at least 32 letters, digits, hyphens or underscores')
    .optional(),
  PLATEN_OWNER_EMAIL: z.email('must be an email address').default('owner@localhost'),
  PLATEN_TIERS: tierSettings.default(defaultTiers),
  PLATEN_SESSION_ISSUER: httpUrl.optional(),
  PLATEN_SESSION_JWKS_URL: httpUrl.optional(),
  PLATEN_SESSION_AUDIENCE: z.string().optional(),
  PLATEN_TRUST_PROXY: trustedProxies.default(0),
  PLATEN_DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((server) => server.trim()))
    .refine(
      (servers) => servers.every(isDnsServer),
      'must be IP addresses such as 9.9.9.9 or 10.0.0.2:5353, separated by commas',
    )
    .default([]),
  LOG_LEVEL: z.enum(logLevels, `must be ${listWithOr.format(logLevels)}`).default('info'),
  ...edgeVariables,
});

const environmentSchema = variables
  .superRefine((env, context) => {
    for (const { name, message } of edgeProblems(env)) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .superRefine((env, context) => {
    if (env.PLATEN_SESSION_ISSUER !== undefined) return;
    for (const name of ['PLATEN_SESSION_JWKS_URL', 'PLATEN_SESSION_AUDIENCE'] as const) {
      if (env[name] === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'works only with PLATEN_SESSION_ISSUER: set that too, or remove this',
      });
    }
  })
  .superRefine((env, context) => {
    const message = rootBlogProblem(env);
    if (message !== null) context.addIssue({ code: 'custom', path: ['PLATEN_BLOG'], message });
  })
  .transform((env) => {
    const publicUrl = withoutTrailingSlash(env.PLATEN_PUBLIC_URL ?? `http://localhost:${env.PORT}`);
    const dataDir = resolve(env.PLATEN_DATA_DIR);
    return {
      port: env.PORT,
      /** Undefined: every address of the machine. */
      listen: env.PLATEN_LISTEN,
      dataDir,
      databaseFile: resolve(dataDir, 'platen.db'),
      edge: edgeSettingsOf(env, dataDir),
      /** Without a trailing slash; the API is at its `/v1`. */
      publicUrl,
      /** Blogs are at `<scheme of publicUrl>://<slug>.<blogHost>/`. */
      blogHost: (env.PLATEN_BLOG_HOST ?? `localhost:${env.PORT}`).toLowerCase(),
      blogProtocol: new URL(publicUrl).protocol,
      /** Slug of the blog at the blog host itself; null if there is none. */
      rootBlog: env.PLATEN_BLOG ?? null,
      /** URL of the edge's `media/`, without a trailing slash. */
      mediaUrl: withoutTrailingSlash(env.PLATEN_MEDIA_URL ?? `${publicUrl}/media`),
      apiKey: env.PLATEN_API_KEY,
      ownerEmail: env.PLATEN_OWNER_EMAIL,
      tiers: env.PLATEN_TIERS,
      /** The issuer of accepted session tokens; null if none is accepted. */
      session: env.PLATEN_SESSION_ISSUER
        ? {
            issuer: env.PLATEN_SESSION_ISSUER,
            jwksUrl:
              env.PLATEN_SESSION_JWKS_URL ??
              `${withoutTrailingSlash(env.PLATEN_SESSION_ISSUER)}/.well-known/jwks.json`,
            audience: env.PLATEN_SESSION_AUDIENCE,
          }
        : null,
      /** Express's `trust proxy`: the proxies whose `X-Forwarded-For` is trusted. */
      trustProxy: env.PLATEN_TRUST_PROXY,
      /** Resolvers for checks of custom domains; if empty, the system's. */
      dnsServers: env.PLATEN_DNS_SERVERS,
      logLevel: env.LOG_LEVEL,
      markdownThreads: Math.max(1, availableParallelism() - 1),
      cardProcesses: Math.max(1, availableParallelism() - 1),
      renderThreads: availableParallelism(),
      imageProcesses: Math.max(2, availableParallelism()),
    };
  });

interface HostVariables {
  readonly PLATEN_BLOG?: string | undefined;
  readonly PLATEN_BLOG_HOST?: string | undefined;
  readonly PLATEN_PUBLIC_URL?: string | undefined;
  readonly PLATEN_MEDIA_URL?: string | undefined;
}

/** Why no blog can be at the blog host itself; null if it can, or need not be. */
function rootBlogProblem(env: HostVariables): string | null {
  if (env.PLATEN_BLOG === undefined) return null;
  if (env.PLATEN_BLOG_HOST === undefined)
    return 'works only with PLATEN_BLOG_HOST: set that too, to the host of the blog, or remove this';
  const host = blogHostname({ blogHost: env.PLATEN_BLOG_HOST.toLowerCase() });
  if (host === 'localhost' || isIP(host) !== 0)
    return `PLATEN_BLOG_HOST is ${host}, where the API is: set that to a host name of the blog’s own`;
  for (const name of ['PLATEN_PUBLIC_URL', 'PLATEN_MEDIA_URL'] as const) {
    const url = env[name];
    if (url !== undefined && new URL(url).hostname === host)
      return `PLATEN_BLOG_HOST and ${name} both have the host ${host}: give the blog another one, such as blog.${host}`;
  }
  return null;
}

/** Reads the configuration from environment variables. Throws an error that names each invalid variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable counts as unset, as in `PORT= npm start` and in compose files.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environmentSchema.safeParse(given);
  if (result.success) {
    const warnings = unknownVariables(given, Object.keys(variables.shape));
    return Object.freeze({ ...result.data, warnings });
  }
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`configuration: ${problems.join('; ')}`);
}

/** What determines a blog's URL: its active custom domain, else its slug below the blog host. */
export interface BlogLocation {
  readonly slug: string;
  readonly domain: string | null;
}

/** Addresses of blogs. */
export interface BlogUrl {
  /** Absolute URL of a blog's root, with a trailing slash. */
  (location: BlogLocation): string;
  /** Host name below the blog host, without a port, that a blog with this slug has besides others. */
  readonly subdomainOf: (slug: string) => string;
}

export const blogUrlOf = (config: Pick<Config, 'blogProtocol' | 'blogHost' | 'rootBlog'>): BlogUrl => {
  const { blogProtocol, blogHost, rootBlog } = config;
  // Browsers omit the default port, and URLs on pages must match theirs.
  const defaultPort = blogProtocol === 'https:' ? /:443$/ : /:80$/;
  const host = blogHost.replace(defaultPort, '');
  const ownHost = (slug: string) => (slug === rootBlog ? host : `${slug}.${host}`);
  return Object.assign(({ slug, domain }: BlogLocation) => `${blogProtocol}//${domain ?? ownHost(slug)}/`, {
    subdomainOf: (slug: string) => `${slug}.${blogHostname(config)}`,
  });
};

/** Host name that the DNS of a blog's custom domain must point to. */
export const cnameTarget = (config: Config, blogSlug: string): string =>
  blogSlug === config.rootBlog ? blogHostname(config) : `${blogSlug}.${blogHostname(config)}`;

/** The blog host without its port. */
export const blogHostname = ({ blogHost }: Pick<Config, 'blogHost'>): string => blogHost.replace(/:\d+$/, '');

/** Host names of the API. */
export const apiHosts = (config: Config): string[] =>
  config.rootBlog === null
    ? serviceHosts(config)
    : serviceHosts(config).filter((host) => host !== blogHostname(config));

/** Host names of the service. Their subdomains are its own, too. */
export const serviceHosts = (config: Config): string[] => [
  new URL(config.publicUrl).hostname,
  new URL(config.mediaUrl).hostname,
  blogHostname(config),
];
