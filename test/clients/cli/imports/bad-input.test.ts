import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderError } from '../../../../clients/cli/folder/walk.ts';
import { ImportError } from '../../../../clients/cli/imports/import-error.ts';
import { freePort } from '../../../support/port.ts';
import { zipOf } from '../../../support/zip.ts';
import { type Files, folderOf } from '../folder/folder-of.ts';
import { imageServer, importAgain, importOf } from './import-of.ts';
import { item, wxr, wxrEnd, wxrStart } from './wxr.ts';

const refusal = async (files: Files, source = '.', flags = {}): Promise<string> => {
  const error: unknown = await importOf(files, source, flags).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FolderError);
  return error instanceof Error ? error.message : '';
};
const ghost = (html: string) =>
  JSON.stringify({ data: { posts: [{ id: 1, title: 'Ink', slug: 'ink', html, status: 'published' }] } });

describe('a zip', () => {
  it('that unpacks to far more than its size is refused', async () => {
    const bomb = { name: 'posts.csv', content: Buffer.alloc(8 * 1_048_576) };
    expect(await refusal({ 'a.zip': zipOf([bomb]) }, 'a.zip')).toContain(
      'a.zip, posts.csv unpacks to 8.0 MB, more than 200 times its size',
    );
    // Each is small enough to be let through alone.
    const many = Array.from({ length: 12 }, (_, n) => ({
      name: `${n}.html`,
      content: Buffer.alloc(1_000_000),
    }));
    expect(await refusal({ 'a.zip': zipOf(many) }, 'a.zip')).toContain('a.zip unpacks to 11 MB');
  });

  it('that says that an entry is smaller than it is gives no more than it says', async () => {
    const entry = {
      name: 'posts/2020-01-01_a-0a1b2c3d4e5f.html',
      content: 'x'.repeat(50_000),
      claimedSize: 10,
    };
    const found = await importOf({ 'a.zip': zipOf([entry]) }, 'a.zip').catch((error: unknown) => error);
    expect(JSON.stringify(found) + String(found)).toMatch(/too many bytes|no post/);
  });

  it('with paths that leave the folder is refused, and writes nothing there', async () => {
    for (const name of ['../../evil.md', '/tmp/evil.md', 'C:/evil.md', '..\\evil.md']) {
      const files = [
        { name: '_config.yml', content: '' },
        { name, content: 'x' },
      ];
      expect(await refusal({ 'a.zip': zipOf(files) }, 'a.zip')).toMatch(
        /absolute path|invalid relative path/,
      );
    }
  });

  it('that is cut off says so', async () => {
    const whole = zipOf([{ name: 'posts.csv', content: 'post_id\n1.a\n' }]);
    expect(await refusal({ 'a.zip': whole.subarray(0, -30) }, 'a.zip')).toMatch(
      /a\.zip is no whole zip: the end is missing/,
    );
  });

  it('whose bytes are damaged says where', async () => {
    const zip = zipOf([{ name: 'posts.csv', content: 'post_id,title\n'.repeat(50) }]);
    zip.fill(0xff, 45, 55);
    expect(await refusal({ 'a.zip': zip }, 'a.zip')).toMatch(/a\.zip, posts\.csv is no zip that can be read/);
  });
});

describe('XML', () => {
  it('expands no entity but the five of XML', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY file SYSTEM "file:///etc/passwd">]>`;
    const body = wxr(item({ content: ']]>&b;&file;&lt;b&gt;<![CDATA[' })).replace(/^<\?xml.*\n/, '');
    const found = await importOf({ 'a.xml': bomb + body }, 'a.xml');
    expect(found.posts.ink?.content).toBe('\\&b;\\&file;\n');
    expect(found.text).toContain('undefined entity');
  });

  it('that is cut off says where, and nothing is written', async () => {
    const whole = wxr(item(), item({ id: 2, name: 'b' }));
    const cwd = await folderOf({ 'a.xml': whole.slice(0, -60) });
    const run = importAgain(cwd, 'a.xml');
    await expect(run).rejects.toThrow(ImportError);
    await expect(run).rejects.toThrow(/a\.xml:\d+: the end is missing \(unclosed tag: \w+/);
    expect(await readdir(cwd)).toEqual(['a.xml']);
    expect(await refusal({ 'a.xml': whole.replace('</item>', '</wp:item>') }, 'a.xml')).toMatch(
      /a\.xml:\d+: it is no valid XML/,
    );
  });

  it('of something else is not taken for an export', async () => {
    expect(await refusal({ 'a.xml': '<html><body>x</body></html>' }, 'a.xml', { from: 'wordpress' })).toMatch(
      /a\.xml:1: this is no export of WordPress: it begins with <html>/,
    );
  });

  it('with bytes that are no UTF-8 keeps all the rest', async () => {
    const [before, after] = wxr(item({ content: 'caf?, ink' })).split('?, ink');
    const found = await importOf({
      'a.xml': Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xe9]), Buffer.from(`, ink${after}`)]),
    });
    expect(found.posts.ink?.content).toBe('caf\ufffd, ink\n');
    expect(found.text).toContain('is not UTF-8');
  });
});

describe('JSON', () => {
  it('that is cut off says where', async () => {
    expect(
      await refusal({ 'a.json': ghost('<p>x</p>').replace(',"slug"', ',\n"slug"').slice(0, -20) }, 'a.json'),
    ).toMatch(/a\.json:2: the end is missing/);
    expect(await refusal({ 'a.json': '{"db":[\n{"data":}]}' }, 'a.json')).toMatch(
      /a\.json:2: it is no valid JSON/,
    );
  });

  it('that is no UTF-8 or no export says so', async () => {
    const bytes = Buffer.from(ghost('caf?').replace('"id"', '\n"id"'));
    bytes[bytes.indexOf('?')] = 0xe9;
    expect(await refusal({ 'a.json': bytes }, 'a.json')).toMatch(/a\.json:2: is not UTF-8 text/);
    expect(await refusal({ 'a.json': '{"a": 1}' }, 'a.json', { from: 'ghost' })).toContain('has no posts');
    expect(await refusal({ 'a.json': '{"data":{"posts":[{"id":1,"title":{}}]}}' }, 'a.json')).toContain(
      'data.posts.0.title',
    );
  });
});

describe('an import', () => {
  it('leaves out a post that is too long, and takes the others', async () => {
    const words = 'word '.repeat(20);
    const long = Array.from({ length: 12_000 }, () => `<p>${words}</p>`).join('');
    const found = await importOf({
      'a.json': JSON.stringify({
        data: {
          posts: [
            { id: 1, title: 'Long', slug: 'long', html: long, status: 'published' },
            { id: 2, title: 'Huge', slug: 'huge', html: 'x'.repeat(100 * 1_048_576), status: 'published' },
            { id: 3, title: 'Deep', slug: 'deep', html: '<div>'.repeat(100_000), status: 'published' },
            { id: 5, title: 'Steep', slug: 'steep', html: '<i>'.repeat(3_000), status: 'published' },
            { id: 4, title: 'Ink', slug: 'ink', html: '<p>Ink</p>', status: 'published' },
          ],
        },
      }),
    });
    expect(found.code).toBe(1);
    expect(found.files).toContain('posts/ink.md');
    expect(found.files.filter((file) => file.startsWith('posts/'))).toHaveLength(1);
    expect(found.text).toContain('long: has 1.2 MB of Markdown: a post has at most 1 MB');
    expect(found.text).toContain('huge: has 100 MB of HTML');
    for (const slug of ['deep', 'steep'])
      expect(found.text).toContain(`${slug}: has HTML that is nested more deeply than can be read`);
  });

  it('carries no script, however it is written', async () => {
    const found = await importOf({
      'a.json': ghost(
        '<p onclick="a()">One</p><script>alert(1)</script><a href="javascript:a()">two</a><svg onload="a()"><script>b</script></svg><img src="x" onerror="a()"><iframe srcdoc="<script>c</script>"></iframe>&lt;script&gt;d&lt;/script&gt;',
      ),
    });
    expect(found.posts.ink?.content).toBe(
      'One\n\ntwo![](x)\n\n\\<script>d\\</script>\n'.replace('\n\n\\<', '\\<'),
    );
  });

  it('without a post says so', async () => {
    expect(await refusal({ 'a.xml': wxrStart + wxrEnd }, 'a.xml')).toBe('there is no post in it');
    expect(await refusal({ 'a.json': '{"data":{"posts":[]}}' }, 'a.json')).toBe('there is no post in it');
    expect(await refusal({ 'a.txt': 'x' })).toContain('is no export that is known');
    expect(await refusal({ 'a.md': 'x' })).toContain('needs no import');
    expect(await refusal({}, 'missing.xml')).toContain('does not exist');
  });

  it('writes into no folder that has something else, unless it is told to', async () => {
    const cwd = await folderOf({ 'a.xml': wxr(item()), 'out/notes.md': 'Mine' });
    await expect(importAgain(cwd, 'a.xml')).rejects.toThrow('is not empty');
    const forced = await importAgain(cwd, 'a.xml', { force: true });
    expect(forced.files).toEqual(expect.arrayContaining(['notes.md', 'posts/2020-02-03-ink.md']));
    // A finished import may have been edited since.
    await expect(importAgain(cwd, 'a.xml')).rejects.toThrow('--force');
  });

  it('goes on where it was interrupted', async () => {
    const { url, requests } = await imageServer();
    const posts = ['a', 'b', 'c'].map((name, n) =>
      item({ id: n, name, content: `<img src="${url}/${name}.png">` }),
    );
    const cwd = await folderOf({ 'a.xml': wxr(...posts) });
    const stop = new AbortController();
    const interrupted = importAgain(
      cwd,
      'a.xml',
      {},
      {
        signal: stop.signal,
        onProgress: (done) => {
          if (done === 2) stop.abort();
        },
      },
    );
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect(await readdir(join(cwd, 'out/posts'))).toEqual(['2020-02-03-a.md']);
    const found = await importAgain(cwd, 'a.xml');
    expect(Object.keys(found.posts)).toEqual(['a', 'b', 'c']);
    expect(requests).toEqual(['/a.png', '/b.png', '/c.png']);
    // Nothing of the first run is left that a whole run does not write.
    const whole = await folderOf({ 'a.xml': wxr(...posts) });
    expect((await importAgain(whole, 'a.xml')).files).toEqual(found.files);
    expect(
      (await readdir(join(cwd, 'out'), { recursive: true })).filter((file) => file.endsWith('.tmp')),
    ).toEqual([]);
  });
});

describe('images of an import', () => {
  it('that cannot be had keep their addresses, and are named', async () => {
    const { url, requests } = await imageServer();
    const images = ['gone.png', 'loop.png', 'large.png', 'page.png', 'vector.svg', 'slow.png', 'moved.png'];
    const cwd = await folderOf({
      'a.xml': wxr(item({ content: images.map((name) => `<img src="${url}/${name}">`).join('\n\n') })),
    });
    const found = await importAgain(cwd, 'a.xml', {}, { imageTimeoutMs: 1_000 });
    expect(found.code).toBe(0);
    expect(found.files.filter((file) => file.startsWith('images/'))).toEqual([
      expect.stringMatching(/^images\/moved-[\da-f]{8}\.png$/),
    ]);
    for (const [name, reason] of [
      ['gone.png', 'is not there (status 404)'],
      ['loop.png', 'redirects more than 5 times'],
      ['large.png', 'has more than 5 MB'],
      ['page.png', 'is no JPEG, PNG, GIF or WebP'],
      ['vector.svg', 'is an SVG'],
      ['slow.png', 'did not come within 1 s'],
    ])
      expect(found.text).toContain(`ink: the image ${url}/${name} ${reason}`);
    expect(found.posts.ink?.content).toContain(`![](${url}/gone.png)`);
    expect(requests.filter((path) => path === '/loop.png')).toHaveLength(6);
  });

  it('without a network are told, host by host, and fail nothing', async () => {
    const port = await freePort();
    const content = Array.from({ length: 9 }, (_, n) => `<img src="http://127.0.0.1:${port}/${n}.png">`).join(
      '',
    );
    const found = await importOf({ 'a.xml': wxr(item({ content }), item({ id: 2, name: 'b', content })) });
    expect(found.code).toBe(0);
    expect(found.posts.ink?.content).toContain(`http://127.0.0.1:${port}/8.png`);
    expect(found.text).toContain('could not be fetched: ECONNREFUSED');
    expect(await found.read('import-report.txt')).toContain(
      `was not fetched: 127.0.0.1:${port} did not answer`,
    );
  });

  it('in the text itself become files', async () => {
    const data = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const found = await importOf({ 'a.xml': wxr(item({ content: `<img src="${data}">` })) }, 'a.xml', {
      images: false,
    });
    expect(found.files).toContainEqual(expect.stringMatching(/^images\/image-[\da-f]{8}\.gif$/));
  });
});
