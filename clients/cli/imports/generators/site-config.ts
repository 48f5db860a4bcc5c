import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { readSource } from '../../folder/source-file.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedSettings } from '../imported-blog.ts';

/** What the configuration of Hugo or Jekyll says about a site. */
export interface SiteConfig {
  readonly settings: ImportedSettings;
  readonly siteUrl: string | undefined;
  /** Patterns of addresses: by section of Hugo, under `posts` for Jekyll. */
  readonly permalinks: Readonly<Record<string, string>>;
  /** Whether addresses end in `.html`, as Hugo makes them if asked. */
  readonly isUgly: boolean;
}

const FILES = {
  hugo: ['hugo', 'config', 'config/_default/hugo', 'config/_default/config'].flatMap((name) =>
    ['toml', 'yaml', 'yml', 'json'].map((extension) => `${name}.${extension}`),
  ),
  jekyll: ['_config.yml', '_config.yaml', '_config.toml'],
};

const text = z.string().optional().catch(undefined);
const link = z.object({
  name: text,
  url: text,
  pageRef: text,
  weight: z.number().optional().catch(undefined),
});
const menus = z
  .object({ main: z.array(link).optional().catch(undefined) })
  .optional()
  .catch(undefined);
const config = z.object({
  title: text,
  description: text,
  subtitle: text,
  tagline: text,
  lang: text,
  locale: text,
  languageCode: text,
  defaultContentLanguage: text,
  url: text,
  baseURL: text,
  baseurl: text,
  permalink: text,
  permalinks: z.record(z.string(), z.unknown()).optional().catch(undefined),
  uglyURLs: z.boolean().optional().catch(undefined),
  params: z.object({ description: text, subtitle: text }).optional().catch(undefined),
  menu: menus,
  menus,
});

/** Reads the configuration at the root of a folder. A site without one is read with what its generator has by default. */
export async function readSiteConfig(
  folder: string,
  kind: 'hugo' | 'jekyll',
  report: ImportReport,
): Promise<SiteConfig> {
  for (const file of FILES[kind]) {
    const source = await readSource(folder, file).catch(() => null);
    if (source === null) continue;
    try {
      return configOf(config.parse(parsed(file, source)), kind);
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      report.remark(file, `cannot be read (${reason}): the settings of the site are not carried`);
      break;
    }
  }
  return { settings: {}, siteUrl: undefined, permalinks: {}, isUgly: false };
}

function parsed(file: string, source: string): unknown {
  if (file.endsWith('.toml')) return parseToml(source);
  return file.endsWith('.json') ? JSON.parse(source) : (parseYaml(source) ?? {});
}

function configOf(found: z.infer<typeof config>, kind: 'hugo' | 'jekyll'): SiteConfig {
  const links = (found.menus ?? found.menu)?.main ?? [];
  const site = kind === 'hugo' ? (found.baseURL ?? found.baseurl) : found.url;
  return {
    settings: {
      name: found.title,
      description: found.description ?? found.params?.description ?? found.subtitle ?? found.tagline,
      language: found.languageCode ?? found.locale ?? found.lang ?? found.defaultContentLanguage,
      navigation: [...links]
        .sort((a, b) => (a.weight ?? 0) - (b.weight ?? 0))
        .flatMap(({ name, url, pageRef }) => {
          const address = url ?? pageRef;
          return name && address ? { label: name, url: address } : [];
        }),
    },
    siteUrl: site !== undefined && /^https?:\/\//.test(site) && URL.canParse(site) ? site : undefined,
    permalinks:
      kind === 'jekyll'
        ? found.permalink === undefined
          ? {}
          : { posts: found.permalink }
        : patternsOf(found.permalinks ?? {}),
    isUgly: found.uglyURLs ?? false,
  };
}

/** Hugo has the patterns by section, or since 0.112 by kind of page and section. */
function patternsOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const { page } = given;
  const nested = typeof page === 'object' && page !== null ? Object.entries(page) : [];
  const patterns = [...Object.entries(given), ...nested];
  return Object.fromEntries(
    patterns.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
