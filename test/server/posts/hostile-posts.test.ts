// Slow: sends posts that take the parser almost a second each.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const MEBI = 1 << 20;
const post = (content: string) => ({ title: 'A post', content, status: 'published' });
/** Takes most of a second in the parser, and then exceeds a limit. */
const hostile = (n: number) => post(`${n}\n\n${'*a '.repeat(MEBI / 7)}${' a*'.repeat(MEBI / 7)}`);

let platen: TestPlaten;
let attacker: { key: string };
let other: { key: string };
beforeAll(async () => {
  platen = await startTestPlaten();
  attacker = await accountWithBlog();
  other = await accountWithBlog();
});
afterAll(() => platen.close());

async function accountWithBlog(): Promise<{ key: string }> {
  const account = await platen.account({ tier: 'scale' });
  const { key } = account;
  const created = await platen.call(
    'POST',
    '/blogs',
    { name: 'A blog', slug: `b-${account.accountId}` },
    { key },
  );
  expect(created.status).toBe(201);
  return account;
}

describe('one account sends six hostile posts at once', () => {
  it('another account’s post is accepted and read before the hostile ones are refused with the reason', async () => {
    const { key } = other;
    expect((await platen.call('POST', '/posts', post('Warm.'), { key })).status).toBe(201);

    let answered = 0;
    const attack = Array.from({ length: 6 }, (_, n) =>
      platen.call('POST', '/posts', hostile(n), { key: attacker.key }).finally(() => {
        answered += 1;
      }),
    );
    await sleep(300);
    const created = await platen.call('POST', '/posts', post('Some *text*.'), { key });
    const read = await platen.call('GET', `/posts/${created.json.slug}`, undefined, { key });
    expect(created.status).toBe(201);
    expect(read.json.content_html).toContain('<em>text</em>');
    expect(answered).toBeLessThan(6);

    for (const { status, json } of await Promise.all(attack)) {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: 'bad_request',
        message: expect.stringMatching(
          // On a busy machine, the parser may time out before it reaches the limit.
          /^content: The post (?:has too many levels of emphasis within each other: [\d,]+, 1,000 are allowed|takes longer than 5000 ms to render)\.$/,
        ),
      });
    }
  });

  it('a batch continues after hostile posts, and judges each post by itself', async () => {
    const posts = Array.from({ length: 40 }, (_, n) =>
      post(n === 20 ? '# a\n'.repeat(60_000) : `Post ${n}.`),
    );
    const { status, json } = await platen.call('POST', '/posts:batch', { posts }, { key: attacker.key });
    expect(status).toBe(200);
    const statuses = json.results.map((result: { status: number }) => result.status);
    expect(statuses.filter((one: number) => one === 201)).toHaveLength(39);
    expect(statuses[20]).toBe(400);
    expect(json.results[20].error.message).toContain('too many paragraphs');
  });
});
