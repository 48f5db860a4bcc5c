import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge, prepareFolder } from '../../../generator/edge/filesystem.ts';

let root: string;
let edge: Edge;
beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'platen-edge-')), 'made', 'by', 'itself');
  edge = await openFilesystemEdge(root);
});
afterEach(() => rmSync(join(root, '..', '..', '..'), { recursive: true }));

const bytes = (text: string) => Buffer.from(text);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** What readers could come upon. */
const served = () => readdirSync(root).filter((name) => name !== '.unfinished');
const unfinished = () => readdirSync(join(root, '.unfinished'));

describe('writing', () => {
  it('puts a file in place, with its folders, and replaces it', async () => {
    await edge.write('sites/ink/a/index.html', bytes('one'));
    expect(read('sites/ink/a/index.html')).toBe('one');
    await edge.write('sites/ink/a/index.html', bytes('two, and longer'));
    expect(read('sites/ink/a/index.html')).toBe('two, and longer');
    expect(unfinished()).toEqual([]);
  });

  it('puts a file where somebody has left an empty folder, and says where one is in the way', async () => {
    mkdirSync(join(root, 'sites/ink/robots.txt'), { recursive: true });
    await edge.write('sites/ink/robots.txt', bytes('one'));
    expect(read('sites/ink/robots.txt')).toBe('one');
    mkdirSync(join(root, 'sites/ink/feed.xml/theirs'), { recursive: true });
    await expect(edge.write('sites/ink/feed.xml', bytes('one'))).rejects.toThrow(
      `a folder that Platen did not create is in the way: move ${join(root, 'sites/ink/feed.xml')} elsewhere`,
    );
    expect(existsSync(join(root, 'sites/ink/feed.xml/theirs'))).toBe(true);
    expect(unfinished()).toEqual([]);
  });

  it('never lets a reader see a part of a file', async () => {
    const length = 512 * 1024;
    const versions = ['a', 'b'].map((letter) => bytes(letter.repeat(length)));
    const write = (n: number) => edge.write('sites/ink/index.html', versions[n % 2] ?? expect.fail());
    await write(0);
    let written = false;
    const reader = async () => {
      const seen = new Set<string>();
      while (!written) {
        const text = await readFile(join(root, 'sites/ink/index.html'), 'utf8');
        expect(text.length).toBe(length);
        expect(text === text.charAt(0).repeat(length)).toBe(true);
        seen.add(text.charAt(0));
      }
      return seen;
    };
    const readers = [reader(), reader()];
    for (let n = 1; n <= 300; n++) {
      await write(n);
      // Readers get a turn.
      await setImmediate();
    }
    written = true;
    for (const seen of await Promise.all(readers)) expect([...seen].sort()).toEqual(['a', 'b']);
  });

  it('takes paths and bytes of every script', async () => {
    for (const path of ['sites/ink/tags/日本/index.html', 'sites/ink/tags/नमस्ते/page/1/index.html']) {
      await edge.write(path, bytes('日本 نص'));
      expect(read(path)).toBe('日本 نص');
      await edge.remove([path]);
    }
    expect(served()).toEqual([]);
  });

  it('leaves nothing behind where it fails, so that retries on a full disk do not fill it further', async () => {
    await edge.write('sites/ink/file', bytes('a file, where a folder would have to be'));
    await expect(edge.write('sites/ink/file/index.html', bytes('x'))).rejects.toThrow();
    expect(unfinished()).toEqual([]);
  });
});

describe('writing for good', () => {
  it('has the disk keep the name as well, and the folders that were made for it', async () => {
    const durable = await openFilesystemEdge(root, { unfinishedFolder: '.unfinished-media', durable: true });
    const kept = await whatIsKept(() => durable.write('media/blog/a.png', bytes('whole')));
    expect(kept).toEqual([
      [expect.stringMatching(/\.unfinished-media\/[^/]+$/), false],
      ...['media/blog', 'media', ''].map((folder) => [join(root, folder), true]),
    ]);
  });

  it('has the disk keep the folder of an edge that is made, with those that it lies in', async () => {
    const made = join(root, 'other', 'edge');
    const kept = await whatIsKept(() => prepareFolder(made));
    expect(kept.map(([folder]) => folder)).toEqual([join(root, 'other'), root]);
  });

  /** Each file and folder that the disk is made to have, with whether the file is in place then. */
  async function whatIsKept(work: () => Promise<unknown>): Promise<[string, boolean][]> {
    const kept: [string, boolean][] = [];
    const handle = await open(root, 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async function (
      this: typeof handle,
    ) {
      kept.push([readlinkSync(`/proc/self/fd/${this.fd}`), existsSync(join(root, 'media/blog/a.png'))]);
    });
    await handle.close();
    await work();
    sync.mockRestore();
    return kept;
  }
});

describe('removing', () => {
  it('takes away the folders that it leaves empty, and no other', async () => {
    await edge.write('sites/ink/tags/rust/page/1/index.html', bytes('x'));
    await edge.write('sites/ink/tags/c/index.html', bytes('x'));
    await edge.remove(['sites/ink/tags/rust/page/1/index.html']);
    expect(readdirSync(join(root, 'sites/ink/tags'))).toEqual(['c']);
    await edge.remove(['sites/ink/tags/c/index.html']);
    expect(served()).toEqual([]);
    expect(existsSync(root)).toBe(true);
  });

  it('of a file that is not there is no error', async () => {
    await edge.remove(['sites/nobody/index.html']);
    await edge.write('sites/ink/a/index.html', bytes('x'));
    await edge.remove(['sites/ink/b/index.html', 'sites/ink/a/index.html/below-a-file']);
    expect(read('sites/ink/a/index.html')).toBe('x');
  });

  it('does not harm what is written into the same folder meanwhile', async () => {
    const comeAndGo = async (name: string) => {
      for (let round = 0; round < 150; round++) {
        const path = `sites/ink/og/deep/${name}.png`;
        await edge.write(path, bytes(name));
        expect(read(path)).toBe(name);
        await edge.remove([path]);
        expect(existsSync(join(root, path))).toBe(false);
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(comeAndGo));
    expect(served()).toEqual([]);
  });
});

describe('opening', () => {
  it('sweeps away what a killed process left unfinished, and keeps what is served', async () => {
    await edge.write('sites/ink/index.html', bytes('served'));
    const left = join(root, '.unfinished', 'left', 'behind');
    mkdirSync(dirname(left), { recursive: true });
    writeFileSync(left, 'half');
    const reopened = await openFilesystemEdge(root);
    expect(unfinished()).toEqual([]);
    expect(read('sites/ink/index.html')).toBe('served');
    await reopened.write('sites/ink/index.html', bytes('again'));
    expect(read('sites/ink/index.html')).toBe('again');
  });

  it('does not take away what another writer has unfinished in a folder of its own', async () => {
    const left = join(root, '.unfinished', 'at-work');
    writeFileSync(left, 'half');
    const other = await openFilesystemEdge(root, { unfinishedFolder: '.unfinished-other', durable: true });
    await other.write('media/a.png', bytes('whole'));
    expect([existsSync(left), read('media/a.png')]).toEqual([true, 'whole']);
  });
});
