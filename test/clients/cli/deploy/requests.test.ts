import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPatience } from '../../../../clients/cli/deploy/plan/patience.ts';
import { progressDisplay } from '../../../../clients/cli/deploy/progress.ts';
import { createBatches } from '../../../../clients/cli/deploy/send/batches.ts';
import { type CreatePost, ForbiddenError, Platen, RateLimitError } from '../../../../clients/sdk/index.ts';
import { readAll } from '../folder/folder-of.ts';

describe('a rate limit', () => {
  it('pauses all requests once for the time that the server asks for, and none is lost', async () => {
    const pauses: number[] = [];
    const naps: number[] = [];
    let wake = () => {};
    const patiently = createPatience({
      onPause: (seconds) => pauses.push(seconds),
      sleep: (milliseconds) => {
        naps.push(milliseconds);
        return new Promise<void>((resolve) => {
          wake = resolve;
        });
      },
    });
    let asked = 0;
    const request = async () => {
      asked += 1;
      if (asked <= 2)
        throw new RateLimitError('rate_limit_exceeded', 'slow down', { status: 429, retryAfter: 7 });
      return asked;
    };
    const all = [patiently(request), patiently(request)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = patiently(request);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([asked, pauses, naps]).toEqual([2, [7], [7_000]]);
    wake();
    expect((await Promise.all([...all, late])).sort()).toEqual([3, 4, 5]);
  });

  it('ends at once when the deploy is interrupted', async () => {
    const controller = new AbortController();
    const patiently = createPatience({
      signal: controller.signal,
      onPause: () => controller.abort(new Error('interrupted')),
    });
    const refused = async () => {
      throw new RateLimitError('rate_limit_exceeded', 'slow down', { retryAfter: 3_600 });
    };
    await expect(patiently(refused)).rejects.toThrow();
    await expect(patiently(async () => 1)).rejects.toThrow('interrupted');
  });
});

describe('a batch', () => {
  /** Creates posts with these texts. Returns the titles of each request: of a batch in a list. */
  async function send(texts: readonly string[], hasBatches: boolean) {
    const requests: (string | string[])[] = [];
    const files = Object.fromEntries(texts.map((text, n) => [`p${n}.md`, `# ${n}\n\n${text}`]));
    const { posts } = await readAll(files);
    const created = { id: '', slug: '', url: '', status: 'draft' as const, created_at: '', rebuild_id: '' };
    const platen = new Platen({ apiKey: 'k' });
    platen.posts.batch = async (bodies: CreatePost[]) => {
      if (!hasBatches) throw new ForbiddenError('forbidden', 'not in your plan', { status: 403 });
      requests.push(bodies.map(({ title }) => title));
      return { results: bodies.map(() => ({ status: 201 as const, post: created })) };
    };
    platen.posts.create = async ({ title }: CreatePost) => {
      requests.push(title);
      return created;
    };
    let done = 0;
    const prepared = {
      options: { platen },
      patiently: async <Answer>(request: () => Promise<Answer>) => request(),
      read: async (file: string) => posts[file] ?? expect.fail(file),
    };
    const uploads = { addresses: async () => new Map(), count: () => 0 };
    const batches = createBatches(prepared, uploads, {
      onCreated: async () => {},
      onRefused: async (_, error) => expect.fail(String(error)),
      onUnreadable: (_, error) => expect.fail(String(error)),
    });
    await batches.create(Object.keys(files), (count) => {
      done += count;
    });
    expect(done).toBe(texts.length);
    return requests;
  }

  it('holds no more bytes than a request may have', async () => {
    const large = 'a'.repeat(1_000_000);
    expect(await send([large, large, large, large, large, 'b'], true)).toEqual([
      ['0', '1', '2', '3'],
      ['4', '5'],
    ]);
  });

  it('becomes single requests where the plan has none', async () => {
    expect(await send(['a', 'b', 'c'], false)).toEqual(['0', '1', '2']);
  });
});

describe('progress', () => {
  /** A stream that keeps everything written to it. */
  function collector(): { stream: Writable; lines: string[] } {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    return { stream, lines };
  }

  it('on a terminal is a bar that is cleared at the end', () => {
    const { stream, lines } = collector();
    const { onProgress, stop } = progressDisplay(Object.assign(stream, { isTTY: true, columns: 80 }));
    onProgress({ step: 'sending', done: 1, total: 2 });
    stop();
    expect(lines.join('')).toMatch(/sending +\[=+-+\] 1\/2 /s);
    const wrapsLinesAgain = '\u001b[?7h';
    expect(lines.join('')).toContain(wrapsLinesAgain);
  });

  it('without a terminal is a line for each tenth', () => {
    const { stream, lines } = collector();
    const { onProgress } = progressDisplay(stream);
    for (let done = 1; done <= 205; done++) onProgress({ step: 'sending', done, total: 205 });
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('sending: 10 % (21 of 205)\n');
  });
});
