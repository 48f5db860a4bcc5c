import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { slugsForPaths } from '../../scripts/publish/folder-slugs.ts';
import { postFromFile } from '../../scripts/publish/post-from-file.ts';
import { postsInFolder } from '../../scripts/publish/posts-in-folder.ts';
import { corpusDir } from '../support/corpus.ts';

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-posts-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

const post = (path: string, source: string) => postFromFile(path, Buffer.from(source));

describe('a post from a file', () => {
  it('a title in front matter leaves the text unchanged', () => {
    expect(post('a.md', '---\ntitle: Ink\n---\n# Ink\n\nText')).toMatchObject({
      title: 'Ink',
      content: '# Ink\n\nText',
    });
  });

  it('a heading that opens the text becomes the title and is removed from the text', () => {
    expect(post('a.md', '\n# The *Columbian* [press](https://x.y) ##\n\nText\n')).toMatchObject({
      title: 'The Columbian press',
      content: '\nText\n',
    });
  });

  it('a later heading stays in the text', () => {
    expect(post('a.md', 'Intro\r\n\r\n# Ink\r\n')).toMatchObject({
      title: 'Ink',
      content: 'Intro\r\n\r\n# Ink\r\n',
    });
  });

  it('a comment in a code block is not taken for a heading', () => {
    expect(post('a.md', '```sh\n# install\n~~~\n# more\n```\n\n# Ink\n').title).toBe('Ink');
    expect(post('set-up.md', '````\n```\n# install\n````\n').title).toBe('Set up');
  });

  it('the file name, or the folder name of an index file, is the last resort for a title', () => {
    expect(post('2024-05-01-how_it-works.md', 'Text').title).toBe('How it works');
    expect(post('notes/paper-sizes/index.md', '## Text').title).toBe('Paper sizes');
    expect(post('はじめに.md', 'Text').title).toBe('はじめに');
  });

  it('a byte order mark before front matter is removed', () => {
    expect(post('a.md', '\uFEFF---\ntitle: Ink\n---\nText')).toMatchObject({ title: 'Ink', content: 'Text' });
  });

  it('the path that Zola gives a file becomes the slug', () => {
    expect(post('a.md', '+++\npath = "2015/05/11/Traits"\n+++\n').slug).toBe('2015-05-11-traits');
    expect(post('a.md', '+++\npath = "x/y"\nslug = "z"\n+++\n').slug).toBe('z');
    expect(post('a.md', 'Text').slug).toBeUndefined();
  });

  it('tags beyond the limits are dropped with a note', () => {
    const many = Array.from({ length: 12 }, (_, n) => `t${n}`);
    const { tags, notes } = post('a.md', `---\ntags: [${many}, T0]\n---\n`);
    expect(tags).toEqual(many.slice(0, 10));
    expect(notes).toEqual(['12 tags, only the first 10 were kept']);

    const long = post('a.md', `---\ntags: ["${'x'.repeat(48)}👩‍👩‍👧"]\n---\n`);
    expect(long.tags).toEqual(['x'.repeat(48)]);
    expect(long.notes).toHaveLength(1);
  });
});

describe('slugs for the files of a folder', () => {
  const slugs = (...paths: string[]) => Object.fromEntries(slugsForPaths(paths, new Set()));

  it('slugs come from file names', () => {
    expect(slugs('2024/Hello World.md', 'ja__best-practices.md', 'ko__best-practices.md')).toEqual({
      '2024/Hello World.md': 'hello-world',
      'ja__best-practices.md': 'ja-best-practices',
      'ko__best-practices.md': 'ko-best-practices',
    });
  });

  it('slugs of files with the same name include the folder', () => {
    expect(slugs('ja/intro.md', 'ko/intro.md', 'ko/more/index.md')).toEqual({
      'ja/intro.md': 'ja-intro',
      'ko/intro.md': 'ko-intro',
      'ko/more/index.md': 'more',
    });
  });

  it('a slug from a file name makes way for the same slug in another file’s front matter', () => {
    expect(slugsForPaths(['en/ink.md'], new Set(['ink'])).get('en/ink.md')).toBe('en-ink');
  });

  it('slugs are valid, distinct and independent of the order for any file names', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'A', 'a-b', 'a b', 'index', '🎉', 'はじめに', '글', 'x'.repeat(240), '--'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.replaceAll('/', '')),
    );
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const given = slugsForPaths(paths, new Set(['a', 'x']));
        expect(given.size).toBe(paths.length);
        expect(new Set([...given.values(), 'a', 'x']).size).toBe(paths.length + 2);
        for (const slug of given.values()) {
          expect(slug).toMatch(slugPattern);
          expect(slug.length).toBeLessThanOrEqual(100);
        }
        const reversed = slugsForPaths(paths.toReversed(), new Set(['a', 'x']));
        for (const [file, slug] of given) expect(reversed.get(file)).toBe(slug);
      }),
    );
  });
});

describe('the posts in a folder', () => {
  it('the posts are all .md files of a folder in order, without hidden folders and packages', async () => {
    const folder = await folderOf({
      'b.md': 'B',
      'a/z.MD': 'Z',
      'a/y.txt': 'no',
      '.git/c.md': 'no',
      'node_modules/p/readme.md': 'no',
    });
    const { posts, failed, notes } = await postsInFolder(folder);
    expect(posts.map(({ file, slug, content }) => [file, slug, content])).toEqual([
      ['a/z.MD', 'z', 'Z'],
      ['b.md', 'b', 'B'],
    ]);
    expect([failed, notes]).toEqual([[], []]);
  });

  it('files that cannot be read are left out and named', async () => {
    const folder = await folderOf({
      'bad.md': '---\ntitle: a: b\n---\n',
      'latin1.md': Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
      'one.md': '---\nslug: same\n---\nOne',
      'two.md': '---\nslug: same\n---\nTwo',
      'work.md': '---\ndraft: true\n---\nLater',
    });
    const { posts, failed, notes } = await postsInFolder(folder);
    expect(posts.map(({ file }) => file)).toEqual(['one.md']);
    expect(failed.map(({ file }) => file)).toEqual(['bad.md', 'latin1.md', 'two.md']);
    expect(failed[0]?.message).toContain('not valid YAML');
    expect(failed[1]?.message).toContain('UTF-8');
    expect(failed[2]?.message).toContain('one.md');
    expect(notes).toEqual([{ file: 'work.md', message: expect.stringContaining('draft') }]);
  });

  it('a folder without posts is an error', async () => {
    const folder = await folderOf({ 'a.txt': 'no' });
    await expect(postsInFolder(folder)).rejects.toThrow('no .md file');
  });

  it('the demo folder holds every demo post, each with title and description', async () => {
    const folder = fileURLToPath(new URL('../../scripts/demo', import.meta.url));
    const { posts, failed, notes } = await postsInFolder(folder);
    expect([failed, notes]).toEqual([[], []]);
    expect(posts.length).toBeGreaterThanOrEqual(8);
    for (const { slug, description, tags, details } of posts) {
      expect(slug).toMatch(slugPattern);
      expect(description).toBeTruthy();
      if (details.type === 'post') expect(tags.length).toBeGreaterThan(0);
    }
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  describe('the corpus of real posts', () => {
    it('every file of the corpus is read as a post with a title and a slug of its own', async () => {
      const { posts, failed } = await postsInFolder(join(corpus, 'posts'));
      expect(failed).toEqual([]);
      expect(posts.length).toBeGreaterThan(100);
      expect(new Set(posts.map(({ slug }) => slug)).size).toBe(posts.length);
      for (const { slug, title } of posts) {
        expect(slug).toMatch(slugPattern);
        expect(title.trim()).not.toBe('');
      }
    });
  });
}
