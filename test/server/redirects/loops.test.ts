import { expect, it } from 'vitest';
import { assertNoLoops } from '../../../server/redirects/loops.ts';

const BLOG_URL = 'https://ink.example/';
const ORIGINS = new Set(['https://ink.example', 'https://ink.blogs.example']);

const file = (n: number) => `${n}.html`;
const redirect = (from: number, to: number | string) => ({
  path: file(from),
  target: typeof to === 'number' ? `/${file(to)}?x` : to,
  field: `redirects[${from}].from`,
});

/** Stored redirects, and how often each was looked up. */
function stored(redirects: readonly ReturnType<typeof redirect>[]) {
  const targets = new Map(redirects.map(({ path, target }) => [path, target]));
  const lookedUp: string[] = [];
  const find = async (paths: readonly string[]) => {
    lookedUp.push(...paths);
    return new Map(paths.flatMap((path) => (targets.has(path) ? [[path, targets.get(path) ?? '']] : [])));
  };
  return { find, lookedUp };
}

const chain = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => redirect(from + at, from + at + 1));

it('a loop is found through stored redirects and those of the request', async () => {
  const inputs = [redirect(100, '/elsewhere/'), redirect(5, 0)];
  const back = assertNoLoops(inputs, stored(chain(0, 5)).find, ORIGINS);
  await expect(back).rejects.toThrow(
    /^redirects\[5\]\.from: \/5\.html leads back to itself by way of the redirect at \/0\.html, then .*2\.html and 2 more$/,
  );
  const own = assertNoLoops([redirect(1, `${BLOG_URL}1.html#part`)], stored([]).find, ORIGINS);
  await expect(own).rejects.toThrow(/\/1\.html leads to itself$/);
  const hosts = [redirect(1, 'https://ink.blogs.example/2.html'), redirect(2, `${BLOG_URL}1.html`)];
  await expect(assertNoLoops(hosts, stored([]).find, ORIGINS)).rejects.toThrow(/leads back to itself/);
  const together = assertNoLoops([redirect(1, 2), redirect(2, 1)], stored([redirect(2, 9)]).find, ORIGINS);
  await expect(together).rejects.toThrow(/leads back to itself/);
});

it.each([
  ['a redirect that is replaced is no part of the way', [redirect(2, 9), redirect(1, 2)], [redirect(2, 1)]],
  ['a way into a loop of others leads not back to it', [redirect(1, 2)], [redirect(2, 3), redirect(3, 2)]],
  ['a way to another site ends', [redirect(1, 2)], [redirect(2, 'https://other.example/1.html')]],
])('%s', async (_what, inputs, present) => {
  await expect(assertNoLoops(inputs, stored(present).find, ORIGINS)).resolves.toBeUndefined();
});

it('a way back in twenty hops is found, and in more is not: browsers have given up by then', async () => {
  await expect(assertNoLoops([redirect(19, 0)], stored(chain(0, 19)).find, ORIGINS)).rejects.toThrow();
  await expect(assertNoLoops([redirect(20, 0)], stored(chain(0, 20)).find, ORIGINS)).resolves.toBeUndefined();
});

it('ten thousand redirects that lead to one another are each read once, while the event loop runs', async () => {
  const { find, lookedUp } = stored(chain(0, 10_000));
  const inputs = Array.from({ length: 1_000 }, (_, at) => redirect(at * 10, at * 10 + 1));
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 0);
  await assertNoLoops(inputs, find, ORIGINS);
  clearInterval(timer);
  expect(lookedUp.length).toBe(new Set(lookedUp).size);
  expect(lookedUp.length).toBeLessThanOrEqual(10_000);
  expect(ticks).toBeGreaterThan(5);
});
