import type { ReadableEdge } from '../../generator/edge/edge.ts';
import type { ConfiguredEdge } from '../../generator/edge/edge-kind.ts';
import { createFramePages } from '../../generator/layouts/frame-pages.ts';
import { createLayoutPool } from '../../generator/layouts/pool.ts';
import { headersFile } from '../../generator/render/headers.ts';
import { createRenderer, type Renderer } from '../../generator/render/renderer.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../runtime/log.ts';
import { type SiteSettings, siteSettingsOf } from '../site/site-settings.ts';
import { createSnapshots, type Snapshots } from '../site/snapshots.ts';

/** What reads and renders blogs, for the builder and for the operator commands. */
export interface BuildTools extends SiteSettings {
  readonly snapshots: Snapshots;
  readonly renderer: Renderer;
}

export interface OpenBuildTools extends BuildTools {
  /** Closes threads and connections. */
  close(): Promise<void>;
}

export function openBuildTools(config: Config, log: Log): OpenBuildTools {
  const snapshots = createSnapshots(config.databaseFile);
  const layouts = createLayoutPool();
  const renderer = createRenderer({
    threads: config.renderThreads,
    framePages: createFramePages({
      pool: layouts,
      onRefused: (refusal) => log.warn(refusal, 'a layout failed; the default theme is used instead'),
    }),
  });
  return {
    snapshots,
    renderer,
    ...siteSettingsOf(config),
    async close() {
      await renderer.close();
      await layouts.close();
      await snapshots.close();
    },
  };
}

/** Opens an edge, to build blogs to it. */
export const openBuildEdge = async (
  edge: ConfiguredEdge,
  options: { readonly unfinishedFolder?: string } = {},
): Promise<ReadableEdge> => edge.open({ ...options, defaultHeaders: await headersFile() });
