import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AssetNames, assetsOf } from './assets.ts';
import { type GuideTools, htmlOfSource, renderComponent } from './compile-guide.ts';
import { EXAMPLE_PICTURE } from './examples.ts';
import { type FinishedGuide, finishGuide } from './finish-guide.ts';
import { decisionPage, type Guide, guides, overview } from './guide-list.ts';
import { createLinkResolver, rootOf } from './links.ts';
import type { SearchedSection } from './searched-section.ts';

type Built = Guide & FinishedGuide;

/**
 * Stands for the path of the public URL on the pages outside `/docs/`, because only the server knows it. The server
 * inserts it, and its own addresses for those of a server on this machine (`server/guides/site.ts`).
 */
const PUBLIC_PATH = '%PUBLIC_PATH%';

/**
 * Builds the pages of `/docs/` and those at the root of the public host into `guides` of `dist`, from the compiled
 * templates there and the repository's Markdown.
 */
export async function buildGuides(tools: GuideTools): Promise<void> {
  const target = join(tools.dist, 'guides');
  const decisions = (await readdir(join(tools.root, 'docs/decisions'))).sort().map(decisionPage);
  const all = [overview, ...guides, ...decisions];
  const resolveLink = createLinkResolver(all);
  const built: Built[] = [];
  for (const guide of all) {
    built.push({ ...guide, ...finishGuide(guide, await htmlOfSource(tools, guide.file), resolveLink) });
  }
  const { names, files } = await assetsOf(tools.dist, JSON.stringify(searchIndexOf(built)));
  const pages = new Map<string, string>(files);
  for (const page of built) {
    pages.set(`${page.path}index.html`, await renderGuide(tools.dist, page, built, names));
  }
  for (const [file, component, root] of [
    ['search/index.html', 'search', '../'],
    ['home.html', 'home', `${PUBLIC_PATH}/docs/`],
    ['not-found.html', 'not-found', `${PUBLIC_PATH}/docs/`],
  ] as const) {
    pages.set(
      file,
      await renderComponent(templateOf(tools.dist, component), { root, assets: names, guides }),
    );
  }
  for (const picture of [EXAMPLE_PICTURE, 'icon.svg']) {
    pages.set(picture, await readFile(join(tools.root, 'templates/guides', picture), 'utf8'));
  }
  await replaceFolder(target, pages);
}

const templateOf = (dist: string, name: string): string => join(dist, 'templates/guides', `${name}.js`);

function renderGuide(dist: string, page: Built, all: readonly Built[], assets: AssetNames): Promise<string> {
  const place = guides.findIndex(({ path }) => path === page.path);
  const titled = (index: number) => all.find(({ path }) => path === guides[index]?.path) ?? null;
  return renderComponent(templateOf(dist, 'guide'), {
    root: rootOf(page),
    assets,
    guides,
    page,
    previous: place > 0 ? titled(place - 1) : null,
    next: place >= 0 ? titled(place + 1) : page === overview ? titled(0) : null,
  });
}

/** Decision records are for those who follow a link to them: search does not find them. */
const searchIndexOf = (built: readonly Built[]): SearchedSection[] =>
  built
    .filter(({ path }) => guides.some((guide) => guide.path === path))
    .flatMap(({ path, label, sections }) =>
      sections.map(({ id, heading, text }) => ({
        address: id === '' ? path : `${path}#${id}`,
        guide: label,
        heading,
        text,
      })),
    );

/** Does not rewrite unchanged files, because a running server may read them. */
async function replaceFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, content] of files) {
    const file = join(folder, name);
    if ((await readFile(file, 'utf8').catch(() => null)) === content) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(file.slice(join(folder, '/').length))) await rm(file);
  }
}
