import { openPostPositions } from '../live/post-positions.ts';
import { wireRequest } from '../load/generate-load.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import type { Scratch } from '../support/scratch.ts';

/** The measured server with its credentials. */
export interface MeasuredServer {
  readonly scratch: Scratch;
  readonly port: number;
  readonly key: string;
  readonly dataDir: string;
}

export function apiHeaders({ port, key }: MeasuredServer, blog: SeededBlog) {
  return {
    Host: `localhost:${port}`,
    Authorization: `Bearer ${key}`,
    'X-Blog-Id': blog.id,
    'Content-Type': 'application/json',
    Prefer: 'handling=strict',
  };
}

/** A GET request, as wire text, for a post from the middle of a blog. */
export function getPostRequest(served: MeasuredServer, blog: SeededBlog): string {
  const places = openPostPositions(served.dataDir, blog.id);
  const { slug } = places.postAt(0.5);
  places.close();
  return wireRequest('GET', `/v1/posts/${slug}`, apiHeaders(served, blog));
}
