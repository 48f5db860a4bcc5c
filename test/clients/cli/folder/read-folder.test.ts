import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../clients/cli/folder/prose.ts';
import { readFolder } from '../../../../clients/cli/folder/read-folder.ts';
import { slugsForPaths } from '../../../../clients/cli/folder/slugs.ts';
import { folderOf, png, readAll } from './folder-of.ts';

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

describe('the title of a post', () => {
  it.each([
    ['a.md', '---\ntitle: Ink\n---\n# Ink\n\nText', 'Ink', '# Ink\n\nText'],
    ['a.md', '\n# The *Columbian* [press](https://x.y) ##\n\nText\n', 'The Columbian press', '\nText\n'],
    ['a.md', 'Intro\r\n\r\n# Ink\r\n', 'Ink', 'Intro\r\n\r\n# Ink\r\n'],
    [
      'a.md',
      '```sh\n# install\n~~~\n# more\n```\n\n# Ink\n',
      'Ink',
      '```sh\n# install\n~~~\n# more\n```\n\n# Ink\n',
    ],
    ['2024-05-01-how_it-works.md', 'Text', 'How it works', 'Text'],
    ['notes/paper-sizes/index.md', '## Text', 'Paper sizes', '## Text'],
    ['はじめに.md', 'Text', 'はじめに', 'Text'],
    ['a.md', '\uFEFF---\ntitle: Ink\n---\nText', 'Ink', 'Text'],
  ])(
    'comes from the front matter, the first heading or the name: %s %j',
    async (file, source, title, content) => {
      expect((await readAll({ [file]: source })).posts[file]).toMatchObject({ title, content });
    },
  );
});

describe('slugs for the files of a folder', () => {
  const slugs = (...paths: string[]) => Object.fromEntries(slugsForPaths(paths, new Set()));

  it('come from file names, without their dates', () => {
    expect(
      slugs('2024/Hello World.md', '2015-05-11-a.md', 'ko__best-practices.md', '2016-01-02/index.md'),
    ).toEqual({
      '2024/Hello World.md': 'hello-world',
      '2015-05-11-a.md': 'a',
      'ko__best-practices.md': 'ko-best-practices',
      '2016-01-02/index.md': '2016-01-02',
    });
  });

  it('of files with the same name include the folder', () => {
    expect(slugs('ja/intro.md', 'ko/intro.md', 'ko/more/index.md')).toEqual({
      'ja/intro.md': 'ja-intro',
      'ko/intro.md': 'ko-intro',
      'ko/more/index.md': 'more',
    });
  });

  it('make way for the same slug in another file’s front matter', () => {
    expect(slugsForPaths(['en/ink.md'], new Set(['ink'])).get('en/ink.md')).toBe('en-ink');
  });

  it('are valid, distinct and independent of the order for any file names', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'A', 'a-b', 'a b', 'index', '🎉', 'はじめに', '글', 'x'.repeat(240), '--'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.replaceAll('/', '')),
    );
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const given = slugsForPaths(paths, new Set(['a', 'x']));
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

describe('code', () => {
  it('is told from text without losing a character', () => {
    const bits = fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      'a',
      ' ',
      '\\',
      '> ',
      '- ',
      '```js\n',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const pieces = [...piecesOf(text)];
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces) expect(text.slice(piece.offset).startsWith(piece.text)).toBe(true);
      }),
    );
    expect(
      [...piecesOf('a `b` c\n```\nd\n```\n')]
        .map(({ text, isCode }) => (isCode ? `[${text}]` : text))
        .join(''),
    ).toBe('a [`b`] c\n[```\nd\n```\n]');
  });
});

describe('links and images', () => {
  it('between files lead to their posts, and what is in code stays', async () => {
    const { posts, remarks } = await readAll({
      'a.md':
        '[b](sub/b.md#x "B") [c]\n\n[c]: <sub/c d.md>\n\n<a href="sub/b.md">b</a> `[b](sub/b.md)` [out](https://x.y/b.md) [gone](gone.md)',
      'sub/b.md': '---\nslug: bee\n---\n[a](../a.md) [![i](../i.png)](../a.md)',
      'sub/c d.md': 'C',
      'i.png': png(),
    });
    expect(posts['a.md']?.content).toBe(
      '[b](/bee/#x "B") [c]\n\n[c]: /c-d/\n\n<a href="/bee/">b</a> `[b](sub/b.md)` [out](https://x.y/b.md) [gone](gone.md)',
    );
    expect(posts['sub/b.md']?.content).toMatch(
      /^\[a\]\(\/a\/\) \[!\[i\]\(platen-image:[\da-f]{64}\)\]\(\/a\/\)$/,
    );
    expect(remarks).toEqual(['a.md:5: the link to gone.md leads to no post of the folder']);
  });

  it('that cannot be uploaded are named with the reason and the line, and stay', async () => {
    const large = Buffer.concat([png(), Buffer.alloc(5 * 1_048_576 - png().length)]);
    const { posts, remarks } = await readAll({
      'a.md':
        '![a](a.svg)\n![b](b.png)\n![c](c.png)\n![d](d.png)\n![e](e.png)\n![f](%66.png)\n![g](../../../etc/g.png)',
      'a.svg': '<svg/>',
      'b.png': 'text',
      'c.png': Buffer.concat([large, Buffer.alloc(1)]),
      'd.png': large,
      'f.png': png(),
    });
    expect(remarks).toEqual([
      'a.md:1: the image a.svg is an SVG, which can carry scripts: Platen takes JPEG, PNG, GIF and WebP. Export it as PNG or WebP',
      'a.md:2: the image b.png is no JPEG, PNG, GIF or WebP: Platen takes no other images',
      'a.md:3: the image c.png has 5.0 MB: an image may have 5 MB. Make it smaller',
      'a.md:5: the image e.png is not in the folder',
      'a.md:7: the image ../../../etc/g.png is not in the folder',
    ]);
    expect(posts['a.md']?.content).toMatch(
      /^!\[a\]\(a\.svg\)\n!\[b\]\(b\.png\)\n!\[c\]\(c\.png\)\n!\[d\]\(platen-image:\w+\)\n!\[e\]\(e\.png\)\n!\[f\]\(platen-image:\w+\)\n/,
    );
  });

  it('outside the folder are never uploaded, not even by a symbolic link', async () => {
    const folder = await folderOf({ 'a.md': '![x](linked/x.png)' });
    const outside = await folderOf({ 'x.png': png() });
    await symlink(outside, join(folder, 'linked'));
    const read = await readFolder(folder);
    const [file] = read.files;
    expect((await read.read(file ?? expect.fail('no file'))).imagePaths.size).toBe(0);
  });
});

describe('a folder', () => {
  it('has the posts of all its Markdown files, without hidden folders and packages', async () => {
    const { posts, errors, remarks } = await readAll({
      'b.md': 'B',
      'a/z.MD': 'Z',
      'a/y.txt': 'no',
      '.git/c.md': 'no',
      'node_modules/p/readme.md': 'no',
    });
    expect([Object.keys(posts), errors, remarks]).toEqual([['a/z.MD', 'b.md'], [], []]);
  });

  it('names the files that are no posts, with lines', async () => {
    const { posts, errors } = await readAll({
      'bad.md': '---\ntitle: a: b\n---\n',
      'latin1.md': Buffer.concat([Buffer.from('one\ntwo caf'), Uint8Array.of(0xe9, 0x0a)]),
      'one.md': '---\nslug: same\n---\nOne',
      'two.md': '---\nslug: same\n---\nTwo',
      'large.md': Buffer.alloc(100 * 1_048_576, 'a'),
      'draft.md': '---\ndraft: perhaps\n---\n',
    });
    expect(Object.keys(posts)).toEqual(['one.md']);
    expect(errors).toEqual([
      expect.stringMatching(/^bad\.md:2: the front matter is not valid YAML/),
      'draft.md:2: `draft` must be true or false, not "perhaps"',
      'large.md: has 100 MB: a post has at most 1 MB of Markdown',
      'latin1.md:2: is not UTF-8 text: save it in UTF-8',
      'two.md: has the slug same, which one.md has, too: give one of them another `slug`',
    ]);
  });

  it('takes a post of exactly 1 MB, and none of a byte more', async () => {
    const folder = await readFolder(
      await folderOf({
        'fits.md': `---\ntitle: A\n---\n${'a'.repeat(1_048_576)}`,
        'large.md': `---\ntitle: A\n---\n${'a'.repeat(1_048_577)}`,
      }),
    );
    const [fits, large] = folder.files;
    if (!fits || !large) throw new Error('a file is missing');
    expect((await folder.read(fits)).post.content).toHaveLength(1_048_576);
    await expect(folder.read(large)).rejects.toThrow('more than 1 MB');
  });

  it('without a post, or that cannot be read, is a sentence', async () => {
    const folder = await folderOf({ 'README.md': '# About', 'a.txt': 'A' });
    await expect(readFolder(folder)).rejects.toThrow(
      `there is no Markdown file (.md) with a post under ${folder}`,
    );
    await expect(readFolder(join(folder, 'gone'))).rejects.toThrow('cannot be read as a folder (ENOENT)');
    await expect(readFolder(join(folder, 'a.txt'))).rejects.toThrow('cannot be read as a folder (ENOTDIR)');
  });

  it('is never read beyond itself, and a symbolic link is named', async () => {
    const folder = await folderOf({ 'a.md': 'A' });
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'sub', 'b.md'), 'B');
    await symlink(join(folder, 'sub', 'b.md'), join(folder, 'c.md'));
    const { files, remarks } = await readFolder(folder);
    expect(files.map(({ file }) => file)).toEqual(['a.md', 'sub/b.md']);
    expect(remarks).toEqual([{ file: 'c.md', message: 'skipped: it is a symbolic link' }]);
  });

  it('of brackets and braces is read in time', { timeout: 20_000 }, async () => {
    const { posts } = await readAll({
      'a.md': '['.repeat(200_000),
      'b.md': '![a]('.repeat(50_000),
      'c.md': '{{< a '.repeat(50_000),
      'd.md': '`'.repeat(1_000).concat(' ').repeat(200),
      '_posts/2024-01-01-e.md': '{% raw '.repeat(50_000),
    });
    expect(Object.keys(posts)).toHaveLength(5);
  });
});
