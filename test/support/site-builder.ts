import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { v7 as uuid } from 'uuid';
import { hostFilePath } from '../../generator/addresses.ts';
import { buildEverything } from '../../generator/build.ts';
import type { CardPool } from '../../generator/cards/pool.ts';
import type { Edge } from '../../generator/edge/edge.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import { createFramePages } from '../../generator/layouts/frame-pages.ts';
import { createLayoutPool } from '../../generator/layouts/pool.ts';
import { allPageKeys, buildPages } from '../../generator/pages/page-kinds.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import type { Caller } from '../../server/access/caller.ts';
import { insertAccount } from '../../server/accounts/store.ts';
import type { Blog } from '../../server/blogs/blog.ts';
import { createServices, type Services } from '../../server/compose.ts';
import { type Config, readConfig } from '../../server/config/config.ts';
import type { Clock } from '../../server/runtime/clock.ts';
import { loadSite } from '../../server/site/load-site.ts';
import { siteSettingsOf } from '../../server/site/site-settings.ts';
import { createSnapshots } from '../../server/site/snapshots.ts';
import { defaultTiers } from '../../server/tiers/tier.ts';
import { memoryManifest } from './manifest.ts';

/** A database and services of a test's own, with a clock that advances by a millisecond at each reading. */
export interface Workshop {
  readonly config: Config;
  /** The folder of its edge. */
  readonly edgeDir: string;
  readonly services: Services;
  readonly caller: Caller;
  readonly clock: TickingClock;
  newBlog(slug: string, caller?: Caller): Promise<Blog>;
  /** Creates another account of the same tier. */
  newCaller(email: string): Promise<Caller>;
  close(): Promise<void>;
}

/** Opens a workshop with these variables and the usual ones of tests. */
export async function openWorkshop(env: Readonly<Record<string, string>> = {}): Promise<Workshop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  return workshopIn(dataDir, env, tickingClock(), (services) => newCaller(services, 'a@example.org'));
}

/** Opens another workshop on a copy of a workshop's data folder, with the same caller and clock. */
export const reopenWorkshop = (dataDir: string, { caller, clock }: Workshop): Promise<Workshop> =>
  workshopIn(dataDir, {}, clock, async () => caller);

async function workshopIn(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  clock: TickingClock,
  callerIn: (services: Services) => Promise<Caller>,
): Promise<Workshop> {
  const config = readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env });
  const services = await createServices(config, { clock });
  const caller = await callerIn(services);
  return {
    config,
    edgeDir: join(dataDir, 'edge'),
    services,
    caller,
    clock,
    newCaller: (email) => newCaller(services, email),
    newBlog: async (slug, owner = caller) => {
      const { blog } = await services.blogs.create(owner, {
        slug,
        name: `Blog ${slug}`,
        description: 'A blog.',
      });
      return blog;
    },
    async close() {
      await services.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** A clock that advances by a millisecond at each reading, and by days on request. */
interface TickingClock extends Clock {
  skip(days: number): void;
}

function tickingClock(): TickingClock {
  let milliseconds = Date.UTC(2026, 0, 1);
  return {
    skip(days) {
      milliseconds += days * 24 * 60 * 60 * 1000;
    },
    now() {
      milliseconds += 1;
      return new Date(milliseconds).toISOString();
    },
  };
}

async function newCaller({ db, clock }: Services, email: string): Promise<Caller> {
  const accountId = uuid();
  await insertAccount(db, {
    id: accountId,
    email,
    name: 'A',
    tier: 'enterprise',
    createdAt: clock.now(),
  });
  return { credentialId: uuid(), accountId, tier: defaultTiers.enterprise, scopes: ['*'], boundBlogId: null };
}

/** A substitute for drawing cards in tests about other things. */
export const plainCards: CardPool = {
  draw: async (card) => Buffer.from(JSON.stringify(card)),
  close: async () => {},
};

const layouts = createLayoutPool();
const framePages = createFramePages({
  pool: layouts,
  onRefused({ message }) {
    throw new Error(message);
  },
});

/** Builds a blog from scratch, with an empty manifest and an edge in memory. */
export async function cleanBuild({ config }: Workshop, blog: Blog): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const edge: Edge = {
    concurrency: 16,
    write: async (path, bytes) => void files.set(path, Buffer.from(bytes).toString()),
    remove: async (paths) => paths.forEach((path) => void files.delete(path)),
    invalidate: async () => 0,
  };
  let folder = '';
  const snapshots = createSnapshots(config.databaseFile);
  await snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blog.id, siteSettingsOf(config));
    if (!site) throw new Error('no such blog');
    folder = site.blog.folder;
    // A fresh renderer with nothing cached, on this thread.
    const { render } = createRenderer({ framePages });
    const { undrawnCards } = await buildEverything({
      site,
      edge,
      manifest: memoryManifest(),
      renderer: { render, renderInThread: render, threads: 1 },
      isRetry: false,
    });
    for (const page of await buildPages(site, undrawnCards)) {
      if (page.body.kind !== 'card') continue;
      await edge.write(sitePath(folder, page.path), await plainCards.draw(page.body.card));
    }
    if ((await allPageKeys(site)).length === 0) throw new Error('a site without pages');
  });
  await snapshots.close();
  return filesOf(files, folder);
}

/** The files of one blog on an edge. */
function filesOf(edge: ReadonlyMap<string, string>, folder: string): Map<string, string> {
  const own = sitePath(folder, '');
  return new Map(
    [...edge].flatMap(([path, content]) => {
      if (path.startsWith(own)) return [[path.slice(own.length), content] as const];
      const isHost = path.startsWith('hosts/') && JSON.parse(content).blog === folder;
      return isHost ? [[`/${path}`, content] as const] : [];
    }),
  );
}

/** The files of a blog on a folder edge, by path. The path of a host file begins with a slash. */
export function readEdge(edgeDir: string, folder: string): Map<string, string> {
  const hosts = [...readFiles(join(edgeDir, 'hosts'))].flatMap(([name, content]) =>
    JSON.parse(content).blog === folder ? [[hostFilePath(name), content] as const] : [],
  );
  return new Map([...readFiles(join(edgeDir, 'sites', folder)), ...hosts]);
}

function readFiles(root: string): Map<string, string> {
  if (!existsSync(root)) return new Map();
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.sort().map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

/** Paths of files that are on one side only or differ; print these for two edges that should be equal. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

/**
 * Internal links of a blog's pages to missing files, each with its page. Links to translations are excluded, since
 * authors may name missing pages.
 */
export function brokenLinks(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = [];
  for (const [path, content] of files) {
    if (!path.endsWith('.html')) continue;
    const ours = content.replace(/<a [^<>]*hreflang=[^<>]*>/g, '');
    for (const [, href = ''] of ours.matchAll(/href="(\/[^"#]*)"/g)) {
      const target = decodeURIComponent(href).slice(1);
      if (!files.has(target.endsWith('/') || target === '' ? `${target}index.html` : target))
        broken.push(`${path}: ${href}`);
    }
  }
  return broken;
}

/**
 * Links to missing pages, on pages that a reader can reach from the front page. Feeds are excluded, since pages
 * announce them before they exist.
 */
export function deadEnds(files: ReadonlyMap<string, string>): string[] {
  if (!files.has('index.html')) return [];
  const seen = new Set(['index.html']);
  const missing: string[] = [];
  for (const path of seen) {
    const links = brokenLinks(new Map([[path, files.get(path) ?? '']])).map(
      (link) => link.split(': /')[1] ?? '',
    );
    for (const link of links.filter((to) => to === '' || to.endsWith('/'))) {
      const to = `${decodeURIComponent(link)}index.html`;
      if (files.has(to)) seen.add(to);
      else missing.push(`${path}: /${link}`);
    }
  }
  return missing;
}

/** One-segment paths that are not posts. */
const noPosts = /^(?:archive|page|search|tags)$/;

/** Missing posts to which lists, feeds and sitemaps link; there may never be any. */
export function announcedInVain(files: ReadonlyMap<string, string>): string[] {
  const lists = /^(?:index\.html|page\/|tags\/|archive\/)|\.xml$|feed\.json$/;
  const vain: string[] = [];
  for (const [path, content] of files) {
    if (!lists.test(path)) continue;
    for (const [, slug = ''] of content.matchAll(
      /[">](?:https?:\/\/[^/"<]+)?\/([a-z][a-z0-9-]*)\/(?=["<])/g,
    )) {
      if (!noPosts.test(slug) && !files.has(`${slug}/index.html`)) vain.push(`${path}: ${slug}`);
    }
  }
  return vain;
}
