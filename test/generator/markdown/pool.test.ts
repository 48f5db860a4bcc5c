// Slow: waits for timeouts of sources that take several seconds to render.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createMarkdownPool,
  type MarkdownPool,
  type MarkdownPoolOptions,
} from '../../../generator/markdown/pool.ts';
import { MarkdownRefused, refusalOf } from '../../../generator/markdown/refused.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { TookTooMuchMemory } from '../../../generator/workers/bounded-pool.ts';

const MEBI = 1 << 20;
const post = '# Title\n\nSome *text* with a [link](/x).\n';
/** More than a second of work. */
const slow = 'Some *text* with a [link](/x) and `code` that goes on for a while.\n\n'.repeat(15_000);

const opened: MarkdownPool[] = [];
const somebody = { owner: 'somebody' };
const open = (options: MarkdownPoolOptions) => {
  const pool = createMarkdownPool(options);
  opened.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

describe('a pool of Markdown threads', () => {
  it('a Markdown pool renders the same as renderMarkdown, several sources at once', async () => {
    const pool = open({ threads: 2 });
    const sources = Array.from({ length: 40 }, (_, n) => `${post}\n## Part ${n}\n`);
    expect(await Promise.all(sources.map((source) => pool.render(source, somebody)))).toEqual(
      sources.map((source) => renderMarkdown(source)),
    );
  });

  it('a Markdown pool refuses a source that takes too long, and continues', async () => {
    const pool = open({ threads: 1, timeoutMs: 300 });
    await expect.poll(() => pool.render(post, somebody)).toMatchObject({ wordCount: 6 });
    const refused = pool.render(slow, somebody);
    const next = pool.render(post, somebody);
    await expect(refused).rejects.toThrow(MarkdownRefused);
    await expect(refused).rejects.toThrow('longer than 300 ms');
    // On a busy machine, a new thread may itself be too slow for so short a time.
    const html = () => pool.render(post, somebody).then((rendered) => rendered.html);
    await expect.poll(() => next.then((rendered) => rendered.html).catch(html)).toContain('<em>text</em>');
  });

  it('the time limit of a source does not include its wait for a thread', async () => {
    const pool = open({ threads: 1, timeoutMs: 400 });
    await expect.poll(() => pool.render(post, somebody)).toMatchObject({ wordCount: 6 });
    const behindOthers = async () => {
      const hostile = [1, 2, 3].map(() => pool.render(slow, somebody));
      const patient = pool.render(post, somebody);
      const outcomes = await Promise.allSettled([...hostile, patient]);
      return outcomes.map(({ status }) => status);
    };
    // It waits much longer than its time limit. On a busy machine it may also exceed that limit.
    await expect.poll(behindOthers).toEqual([...Array(3).fill('rejected'), 'fulfilled']);
  });

  it('a Markdown pool serves other owners while a hostile source is rendered', async () => {
    const pool = open({ threads: 2, timeoutMs: 60_000 });
    await Promise.all(Array.from({ length: 20 }, () => pool.render(post, somebody)));
    let over = false;
    const hostile = pool.render(slow, somebody).finally(() => {
      over = true;
    });
    for (let n = 0; n < 5; n += 1) await pool.render(post, somebody);
    expect(over).toBe(false);
    await hostile;
  });

  it('a Markdown pool refuses a source that exhausts the heap, and continues', async () => {
    const pool = open({ threads: 1, heapMb: 24 });
    await expect(pool.render('&'.repeat(MEBI), somebody)).rejects.toThrow('too much memory');
    expect((await pool.render(post, somebody)).headings).toHaveLength(1);
  });

  it('a Markdown pool passes on refusals of the parser', async () => {
    const vast = `${'|x'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'x\n'.repeat(30_000)}`;
    const refused = open({ threads: 1 }).render(vast, somebody);
    await expect(refused).rejects.toThrow(MarkdownRefused);
    await expect(refused).rejects.toThrow('too many table cells');
  });

  it('a closed Markdown pool finishes its work and accepts no more', async () => {
    const pool = open({ threads: 1 });
    const last = pool.render(post, somebody);
    await pool.close();
    expect((await last).wordCount).toBe(6);
    await expect(pool.render(post, somebody)).rejects.toThrow('closed');
  });
});

describe('the end of a Markdown thread', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.doUnmock('../../../generator/markdown/render.ts');
    vi.resetModules();
  });

  it('a trap of the parser is thrown outside the task, which never answers', async () => {
    const trap = Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    vi.doMock('../../../generator/markdown/render.ts', () => ({
      renderMarkdown: () => {
        throw trap;
      },
    }));
    const later: (() => void)[] = [];
    vi.stubGlobal('setImmediate', (callback: () => void) => later.push(callback));
    const { default: render } = await import('../../../generator/markdown/worker.ts');
    const answer = Promise.resolve(
      render({ source: 'a', images: new Map(), startedAt: new BigInt64Array(new SharedArrayBuffer(24)) }),
    );
    expect(await Promise.race([answer, Promise.resolve('pending')])).toBe('pending');
    expect(later).toHaveLength(1);
    expect(later[0]).toThrow(trap);
  });

  it('a thread’s end is the source’s fault if memory ran out or the parser broke, and ours otherwise', () => {
    const trap = Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    const memory = new TookTooMuchMemory('limit');
    for (const error of [trap, memory, new RangeError('Maximum call stack size exceeded')]) {
      expect(refusalOf(error)).toBeInstanceOf(MarkdownRefused);
      expect(refusalOf(error)?.cause).toBe(error);
    }
    for (const error of [new TypeError('x is not a function'), new Error('exited'), 'text', null]) {
      expect(refusalOf(error)).toBeNull();
    }
  });
});
