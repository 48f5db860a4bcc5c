import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.ts';

export interface Reading {
  /** Lists that were read, and different links that were followed. */
  readonly lists: number;
  readonly links: number;
  /** Links that led to a page that was not there. */
  readonly broken: readonly string[];
}

/** A reader who goes over a blog's lists again and again, and follows every link that is new to them. */
export interface LinkReader {
  /** Until told to stop. */
  run(): Promise<Reading>;
  stop(): void;
}

/** Between two lists: a reader is not to be what the server works for most. */
const REST_MS = 5;
/** Lists behind the front page that are read in each round: new posts come to stand on these. */
const LISTS_DEEP = 5;

export function createLinkReader(client: Client): LinkReader {
  let stopped = false;
  return {
    async run() {
      const followed = new Set<string>();
      const broken: string[] = [];
      let lists = 0;
      while (!stopped) {
        let next: string | undefined = '/';
        for (let depth = 0; next !== undefined && depth < LISTS_DEEP && !stopped; depth += 1) {
          const from: string = next;
          const list = await client.ask(from);
          // Whoever led here has been told of already.
          if (list.status !== 200) break;
          lists += 1;
          const links = [...list.text.matchAll(/ href="(\/[^"#?]*)"/g)].flatMap(([, link]) => link ?? []);
          const fresh = [...new Set(links)].filter((link) => !followed.has(link));
          await Promise.all(
            fresh.map(async (link) => {
              followed.add(link);
              const { status } = await client.ask(link);
              if (status !== 200) broken.push(`${from} led to ${link}, which was answered with ${status}`);
            }),
          );
          next = /<a rel="next" href="([^"]+)"/.exec(list.text)?.[1];
          await sleep(REST_MS);
        }
      }
      return { lists, links: followed.size, broken };
    },
    stop() {
      stopped = true;
    },
  };
}
