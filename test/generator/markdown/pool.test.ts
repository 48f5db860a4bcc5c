import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  createMarkdownPool,
  type MarkdownPool,
  type MarkdownPoolOptions,
} from '../../../generator/markdown/pool.ts';
import { MarkdownRefused, refusalOf } from '../../../generator/markdown/refused.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';

const MEBI = 1 << 20;
/** Each reference adds a way back to the one footnote: minutes of work in a mebibyte. */
const endless = `${'[^a]'.repeat(MEBI / 4)}\n\n[^a]: x`;
const post = '# Title\n\nSome *text* with a [link](/x).\n';

const opened: MarkdownPool[] = [];
const settings = { mediaUrl: null };
const somebody = { owner: 'somebody' };
const open = (options: Omit<MarkdownPoolOptions, 'settings'>) => {
  const pool = createMarkdownPool({ settings, ...options });
  opened.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

describe('a pool', () => {
  it('renders what renderMarkdown renders, many at a time', async () => {
    const pool = open({ threads: 2 });
    const sources = Array.from({ length: 40 }, (_, n) => `${post}\n## Part ${n}\n`);
    expect(await Promise.all(sources.map((source) => pool.render(source, somebody)))).toEqual(
      sources.map((source) => renderMarkdown(source)),
    );
  });

  it('refuses a source that takes too long, and goes on', async () => {
    const pool = open({ threads: 1, timeoutMs: 300 });
    await pool.render(post, somebody);
    const refused = pool.render(endless, somebody);
    const next = pool.render(post, somebody);
    await expect(refused).rejects.toThrow(MarkdownRefused);
    await expect(refused).rejects.toThrow('longer than 300 ms');
    expect((await next).html).toContain('<em>text</em>');
  });

  it('does not count the wait for a thread', async () => {
    const pool = open({ threads: 1, timeoutMs: 400 });
    await pool.render(post, somebody);
    const hostile = [
      pool.render(endless, somebody),
      pool.render(endless, somebody),
      pool.render(endless, somebody),
    ];
    const patient = pool.render(post, somebody);
    expect((await Promise.allSettled(hostile)).map(({ status }) => status)).toEqual(
      Array(3).fill('rejected'),
    );
    expect((await patient).wordCount).toBe(6);
  });

  it('answers others while a hostile source is at work', async () => {
    const pool = open({ threads: 2, timeoutMs: 2_000 });
    await pool.render(post, somebody);
    let over = false;
    const hostile = expect(
      pool.render(endless, somebody).finally(() => {
        over = true;
      }),
    ).rejects.toThrow(MarkdownRefused);
    for (let n = 0; n < 20; n += 1) await pool.render(post, somebody);
    expect(over).toBe(false);
    await hostile;
  });

  it('refuses a source that exhausts the heap, and goes on', async () => {
    const pool = open({ threads: 1, heapMb: 24 });
    await expect(pool.render('<'.repeat(MEBI), somebody)).rejects.toThrow('too much memory');
    expect((await pool.render(post, somebody)).headings).toHaveLength(1);
  });

  it('passes on what the parser refuses', async () => {
    const vast = `${'|x'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'|x\n'.repeat(100_000)}`;
    const refused = open({ threads: 1 }).render(vast, somebody);
    await expect(refused).rejects.toThrow(MarkdownRefused);
    await expect(refused).rejects.toThrow('tables are too large');
  });

  it('finishes its work when it is closed, and takes no more', async () => {
    const pool = open({ threads: 1 });
    const last = pool.render(post, somebody);
    await pool.close();
    expect((await last).wordCount).toBe(6);
    await expect(pool.render(post, somebody)).rejects.toThrow('closed');
  });
});

describe('what ends a thread', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.doUnmock('../../../generator/markdown/render.ts');
    vi.resetModules();
  });

  it('is thrown outside the task, which never answers, when the parser traps', async () => {
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
      render({ source: 'a', startedAt: new BigInt64Array(new SharedArrayBuffer(8)) }),
    );
    expect(await Promise.race([answer, Promise.resolve('pending')])).toBe('pending');
    expect(later).toHaveLength(1);
    expect(later[0]).toThrow(trap);
  });

  it('is the source’s doing if memory ran out or the parser broke, else ours', () => {
    const trap = Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    const memory = Object.assign(new Error('limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    for (const error of [trap, memory, new RangeError('Maximum call stack size exceeded')]) {
      expect(refusalOf(error)).toBeInstanceOf(MarkdownRefused);
      expect(refusalOf(error)?.cause).toBe(error);
    }
    for (const error of [new TypeError('x is not a function'), new Error('exited'), 'text', null]) {
      expect(refusalOf(error)).toBeNull();
    }
  });
});

describe('hostile sources of up to a mebibyte', () => {
  const pool = createMarkdownPool({ settings, threads: 2, timeoutMs: 2_500 });
  afterAll(() => pool.close());

  const sources: Record<string, string> = {
    'opening brackets': '['.repeat(MEBI),
    asterisks: '*'.repeat(MEBI),
    'open emphasis': '*a _b '.repeat(MEBI / 6),
    backticks: '`'.repeat(MEBI),
    'backticks of every length': Array.from({ length: 1_400 }, (_, n) => '`'.repeat(n)).join(' '),
    'less-than signs': '<'.repeat(MEBI),
    pipes: '|'.repeat(MEBI),
    'nested quotes': `${'>'.repeat(10_000)} a`,
    'a mebibyte of nested quotes': '>'.repeat(MEBI),
    'nested lists': `${'- '.repeat(10_000)}a`,
    'nested, indented lists': Array.from({ length: 1_000 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n'),
    'nested elements': '<div>'.repeat(MEBI / 5),
    'headings of one name': '# a\n'.repeat(50_000),
    'headings in headings': '<h1><h2>'.repeat(MEBI / 8),
    'chained footnotes': `${Array.from({ length: 20_000 }, (_, n) => `[^${n}]: [^${n + 1}]\n\n`).join('')}[^0]`,
    'a word without end in a script without spaces': '一'.repeat(MEBI / 3),
    'links to one long definition': `[a]: ${'/x'.repeat(50_000)}\n\n${'[a]'.repeat(MEBI / 3)}`,
    'unfinished images': '![a]('.repeat(MEBI / 5),
    'zero bytes': '\0'.repeat(MEBI),
    entities: '&#x3c;b&#x3e;'.repeat(MEBI / 14),
  };

  it.each(Object.keys(sources))(
    'are rendered or refused in time, and others are answered: %s',
    async (name) => {
      const began = performance.now();
      const outcome = pool.render(sources[name] ?? '', somebody).then(
        ({ text }) => typeof text,
        (error: unknown) => error,
      );
      const other = await pool.render(post, somebody);
      expect(other.wordCount).toBe(6);
      const settled = await outcome;
      if (settled !== 'string') expect(settled).toBeInstanceOf(MarkdownRefused);
      expect(performance.now() - began).toBeLessThan(6_000);
    },
  );
});
