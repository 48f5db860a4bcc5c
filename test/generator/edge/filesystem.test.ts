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
/** Files that readers could get. */
const served = () => readdirSync(root).filter((name) => name !== '.unfinished');
const unfinished = () => readdirSync(join(root, '.unfinished'));

describe('writing to a folder edge', () => {
  it('a write puts a file and its folders in place, and replaces an existing file', async () => {
    await edge.write('sites/ink/a/index.html', bytes('one'));
    expect(read('sites/ink/a/index.html')).toBe('one');
    await edge.write('sites/ink/a/index.html', bytes('two, and longer'));
    expect(read('sites/ink/a/index.html')).toBe('two, and longer');
    expect(unfinished()).toEqual([]);
  });

  it('a write replaces an empty folder at its path, and names a folder that is in the way', async () => {
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

  it('a reader never sees part of a file that is being written', async () => {
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
      // Let readers run.
      await setImmediate();
    }
    written = true;
    for (const seen of await Promise.all(readers)) expect([...seen].sort()).toEqual(['a', 'b']);
  });

  it('a folder edge takes paths in every script and any bytes', async () => {
    for (const path of ['sites/ink/tags/日本/index.html', 'sites/ink/tags/नमस्ते/page/1/index.html']) {
      await edge.write(path, bytes('日本 نص'));
      expect(read(path)).toBe('日本 نص');
      await edge.remove([path]);
    }
    expect(served()).toEqual([]);
  });

  it('a failed write leaves nothing behind, so that retries do not fill a full disk', async () => {
    await edge.write('sites/ink/file', bytes('a file, where a folder would have to be'));
    await expect(edge.write('sites/ink/file/index.html', bytes('x'))).rejects.toThrow();
    expect(unfinished()).toEqual([]);
  });
});

describe('durable writes to a folder edge', () => {
  it('a durable write syncs the file’s name and the folders created for it', async () => {
    const durable = await openFilesystemEdge(root, { unfinishedFolder: '.unfinished-media', durable: true });
    const kept = await whatIsKept(() => durable.write('media/blog/a.png', bytes('whole')));
    expect(kept).toEqual([
      [expect.stringMatching(/\.unfinished-media\/[^/]+$/), false],
      ...['media/blog', 'media', ''].map((folder) => [join(root, folder), true]),
    ]);
  });

  it('opening a new folder edge syncs the folder and its parents', async () => {
    const made = join(root, 'other', 'edge');
    const kept = await whatIsKept(() => prepareFolder(made));
    expect(kept.map(([folder]) => folder)).toEqual([join(root, 'other'), root]);
  });

  /** Every file and folder that is synced, with whether the file was in place by then. */
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

describe('removing from a folder edge', () => {
  it('a removal deletes the folders that it empties, and no others', async () => {
    await edge.write('sites/ink/tags/rust/page/1/index.html', bytes('x'));
    await edge.write('sites/ink/tags/c/index.html', bytes('x'));
    await edge.remove(['sites/ink/tags/rust/page/1/index.html']);
    expect(readdirSync(join(root, 'sites/ink/tags'))).toEqual(['c']);
    await edge.remove(['sites/ink/tags/c/index.html']);
    expect(served()).toEqual([]);
    expect(existsSync(root)).toBe(true);
  });

  it('a removal of a missing file is no error', async () => {
    await edge.remove(['sites/nobody/index.html']);
    await edge.write('sites/ink/a/index.html', bytes('x'));
    await edge.remove(['sites/ink/b/index.html', 'sites/ink/a/index.html/below-a-file']);
    expect(read('sites/ink/a/index.html')).toBe('x');
  });

  it('a removal does not disturb a simultaneous write into the same folder', async () => {
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

describe('opening a folder edge', () => {
  it('opening a folder edge deletes unfinished files of a killed process and keeps the served ones', async () => {
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

  it('opening a folder edge keeps the unfinished files of another writer, which are in a folder of their own', async () => {
    const left = join(root, '.unfinished', 'at-work');
    writeFileSync(left, 'half');
    const other = await openFilesystemEdge(root, { unfinishedFolder: '.unfinished-other', durable: true });
    await other.write('media/a.png', bytes('whole'));
    expect([existsSync(left), read('media/a.png')]).toEqual([true, 'whole']);
  });
});
