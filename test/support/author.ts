import { expect } from 'vitest';
import type { TierName } from '../../server/tiers/tier.ts';
import type { Answer, TestPlaten } from './platen.ts';

/** An account with a blog of its own, and API calls with its key. */
export interface Author {
  readonly accountId: string;
  readonly key: string;
  readonly blogId: string;
  readonly blogSlug: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Creates a post, published by default, and expects success. */
  // biome-ignore lint/suspicious/noExplicitAny: as in `Answer.json`
  post(fields: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Promise<any>;
}

let blogs = 0;

export async function newAuthor(platen: TestPlaten, tier: TierName = 'scale'): Promise<Author> {
  const account = await platen.account({ tier });
  blogs += 1;
  const blogSlug = `blog-${blogs}`;
  const call: Author['call'] = (method, path, body, headers = {}) =>
    platen.call(method, path, body, { key: account.key, headers });
  const created = await call('POST', '/blogs', { slug: blogSlug, name: `Blog ${blogs}` });
  expect(created.status).toBe(201);
  return {
    ...account,
    blogId: created.json.id,
    blogSlug,
    call,
    async post(fields, headers) {
      const body = { title: 'A title', content: 'Some words.', status: 'published', ...fields };
      const answer = await call('POST', '/posts', body, headers);
      expect(answer.status, answer.text).toBe(201);
      return answer.json;
    },
  };
}
