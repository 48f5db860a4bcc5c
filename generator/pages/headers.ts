import { HEADERS_FILE } from '../addresses.ts';
import type { PageKind } from './page-kind.ts';

/** The HTTP headers of the blog's files. They depend only on the blog. */
export const headers: PageKind = {
  name: 'headers',
  stage: 'headers',
  allKeys: async () => ['headers:all'],
  affectedKeys: async () => [],
  build: async ({ blog }) => [{ key: 'headers:all', path: HEADERS_FILE, body: { kind: 'headers', blog } }],
};
