import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.ts';

export interface LinkReport {
  /** List pages that were read, and distinct links that were followed. */
  readonly lists: number;
  readonly links: number;
  /** Descriptions of broken links. */
  readonly broken: readonly string[];
}

/** A reader that reads a blog's list pages continuously and follows every new link. */
export interface LinkReader {
  /** Reads until `stop` is called. */
  run(): Promise<LinkReport>;
  stop(): void;
}

/** Pause after each list page, so that the reader does not dominate the server's load. */
const PAUSE_MS = 5;
/** List pages per round, from the front page on: new posts appear on these. */
const LIST_PAGES_PER_ROUND = 5;

export function createLinkReader(client: Client): LinkReader {
  let stopped = false;
  return {
    async run() {
      const followed = new Set<string>();
      const broken: string[] = [];
      let lists = 0;
      while (!stopped) {
        let next: string | undefined = '/';
        for (let depth = 0; next !== undefined && depth < LIST_PAGES_PER_ROUND && !stopped; depth += 1) {
          const from: string = next;
          const list = await client.requestPage(from);
          // The link to this page is already reported as broken.
          if (list.status !== 200) break;
          lists += 1;
          const links = [...list.text.matchAll(/ href="(\/[^"#?]*)"/g)].flatMap(([, link]) => link ?? []);
          const fresh = [...new Set(links)].filter((link) => !followed.has(link));
          await Promise.all(
            fresh.map(async (link) => {
              followed.add(link);
              const { status } = await client.requestPage(link);
              if (status !== 200) broken.push(`${from} links to ${link}, which returned ${status}`);
            }),
          );
          next = /<a rel="next" href="([^"]+)"/.exec(list.text)?.[1];
          await sleep(PAUSE_MS);
        }
      }
      return { lists, links: followed.size, broken };
    },
    stop() {
      stopped = true;
    },
  };
}
