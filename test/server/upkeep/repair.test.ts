// Slow: repeats comparisons and repairs of all blogs, in a folder and in a bucket, each of which waits for the
// builder.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SEARCH_INDEX_FOLDER } from '../../../generator/search/search-index.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import type { VerifyOptions } from '../../../server/upkeep/verify.ts';
import { type Newsroom, openNewsroom, pagesIn } from '../../support/newsroom.ts';
import { picture } from '../../support/pictures.ts';
import { hurryBase } from '../../support/plain-search-indexes.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';
import { cleanBuild, differences } from '../../support/site-builder.ts';

const all: VerifyOptions = { blog: null, quick: false };
const inStep = { missing: 0, different: 0, uncertain: 0, orphaned: 0, outdated: 0, lost: 0, unmirrored: 0 };
const text = (content: string) => Buffer.from(content);

let s3: S3Server;
beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);
afterAll(() => s3.release());

/** All tests share one newsroom and leave it in step. The last two let the server end. */
describe.each(['a folder', 'a bucket'])('verify and repair of %s', (kind) => {
  let room: Newsroom;
  let blog: Blog;

  beforeAll(async () => {
    room = await openNewsroom(kind === 'a bucket' ? { server: s3, bucket: await s3.newBucket() } : undefined);
    blog = await room.newBlog('ink');
    for (const title of ['One', 'Two', 'Three']) await room.publish(blog, title);
    await room.untilIdle();
    await hurryBase(room, blog);
    await room.untilIdle();
  });
  afterAll(() => room.close());

  const verify = (options = all) => room.upkeep((upkeep) => upkeep.verify(options));
  const repair = (options = all) => room.upkeep((upkeep) => upkeep.repair(options, null));

  /** Differences found, as `kind path`. */
  async function found(options = all): Promise<string[]> {
    const { drift, isInStep } = await verify(options);
    expect(isInStep).toBe(drift.length === 0);
    return drift.map(({ kind, path }) => `${kind} ${path}`).sort();
  }

  async function expectMended(): Promise<void> {
    const mended = await repair();
    expect([mended.lost, mended.failures]).toEqual([[], []]);
    await room.untilIdle();
    expect(await found()).toEqual([]);
    const edge = await room.read(blog);
    expect(differences(pagesIn(edge), pagesIn(await cleanBuild(room, blog)))).toEqual([]);
  }

  it('verify finds nothing and repair changes nothing on an edge in step', async () => {
    const before = await room.read(blog);
    const { counts, isInStep, files, blogs } = await verify();
    expect([counts, isInStep, blogs]).toEqual([inStep, true, 1]);
    expect(files).toBe(before.size);
    const { verification, blogs: rebuilt } = await repair();
    expect([verification.isInStep, rebuilt.size]).toEqual([true, 0]);
    expect(await room.read(blog)).toEqual(before);
  });

  it('repair restores missing files: a page, a list, headers, a host, a card, the search index', async () => {
    const host = [...(await room.read(blog)).keys()].find((path) => path.startsWith('/hosts/')) ?? '';
    const card = [...(await room.read(blog)).keys()].find((path) => path.startsWith('og/')) ?? '';
    const base =
      [...(await room.read(blog)).keys()].find((path) => path.startsWith(SEARCH_INDEX_FOLDER)) ?? '';
    const gone = ['one/index.html', 'index.html', '_headers', card, base].map((path) => `sites/ink/${path}`);
    await room.edge.remove([...gone, host.slice(1)]);
    const expected = [...gone, host.slice(1)].map((path) => `missing ${path}`).sort();
    expect(await found()).toEqual(expected);
    expect(await found({ ...all, quick: true })).toEqual(expected);
    await expectMended();
  });

  it("repair rewrites files that differ, and invalidates readers' copies of the blog", async () => {
    await room.edge.write('sites/ink/two/index.html', text('<p>Bought!'));
    await room.edge.write('sites/ink/feed.xml', text(''));
    expect(await found()).toEqual(['different sites/ink/feed.xml', 'different sites/ink/two/index.html']);
    expect(await found({ ...all, quick: true })).toEqual([]);
    const attempts = room.services.db.selectFrom('rebuilds').select('attempts');
    const before = (await attempts.execute()).length;
    await expectMended();
    // A second attempt is one that invalidates everything. A missing search index may have been rebuilt by now.
    expect((await attempts.orderBy('id').execute()).slice(before)).toContainEqual({ attempts: 2 });
  });

  it('repair removes unknown files of blogs, hosts and media, and leaves other files alone', async () => {
    const strays = [
      'sites/ink/old/index.html',
      `sites/ink/${SEARCH_INDEX_FOLDER}old.pf_index`,
      'sites/nobody/index.html',
      'hosts/nobody.example.org',
      `media/${blog.id}/none.png`,
    ];
    for (const path of [...strays, 'robots.txt']) await room.edge.write(path, text('{}'));
    expect(await found()).toEqual(strays.map((path) => `orphaned ${path}`).sort());
    expect(await found({ ...all, blog: 'ink' })).toHaveLength(3);
    await repair();
    await room.services.images.removeOrphans();
    await expectMended();
    expect(Buffer.from(await room.edge.read('robots.txt')).toString()).toBe('{}');
  });

  it('repair keeps a file that becomes a page before it would be removed', async () => {
    await room.edge.write('sites/ink/four/index.html', text('early'));
    const { drift } = await verify();
    expect(drift).toMatchObject([{ kind: 'orphaned', path: 'sites/ink/four/index.html' }]);
    await Promise.all([room.publish(blog, 'Four'), repair()]);
    await room.untilIdle();
    expect(await found()).toEqual([]);
    expect((await room.read(blog)).get('four/index.html')).toContain('About Four.');
  });

  it('repair corrects a manifest that differs from the database', async () => {
    const { db } = room.services;
    // As after a restore of an older database.
    await db.updateTable('posts').set({ title: 'Changed' }).where('slug', '=', 'one').execute();
    expect(await found()).toEqual(expect.arrayContaining(['outdated sites/ink/one/index.html']));
    await expectMended();
    expect((await room.read(blog)).get('one/index.html')).toContain('Changed');
  });

  it('repair completes the uncertain writes of a builder', async () => {
    const { db } = room.services;
    await db.updateTable('manifest').set({ hash: '' }).where('path', '=', 'one/index.html').execute();
    expect(await found()).toEqual(['uncertain sites/ink/one/index.html']);
    await expectMended();
  });

  it('repair names every lost image, and makes its variants again', { timeout: 120_000 }, async () => {
    const bytes = await picture(900, 300).png().toBuffer();
    const upload = () => room.services.images.upload(room.caller, blog, { bytes, type: 'image/png' });
    const [kept, lost] = [await upload(), await upload()];
    const variants = room.services.db.selectFrom('image_variants').select(['path', 'image_id']);
    await vi.waitFor(
      async () => {
        await room.services.imageVariants.make();
        const made = new Set((await variants.execute()).map(({ image_id }) => image_id));
        expect(made.size).toBe(2);
      },
      { timeout: 60_000 },
    );
    expect(await found()).toEqual([]);
    const [variant] = await variants.where('image_id', '=', kept.id).execute();
    const whole = await room.edge.read(lost.path);
    await room.edge.remove([variant?.path ?? '', lost.path]);
    expect(await found()).toEqual([`lost ${variant?.path}`, `lost ${lost.path}`].sort());
    const mended = await repair();
    expect(mended.lost).toEqual([lost.path]);
    await room.services.imageVariants.make();
    expect(await found()).toEqual([`lost ${lost.path}`]);
    expect((await room.edge.read(variant?.path ?? '')).length).toBeGreaterThan(100);
    await room.edge.write(lost.path, whole);
    expect(await found()).toEqual([]);
  });

  it('verify rejects an unknown blog', async () => {
    await expect(
      room.upkeep(async (upkeep) => upkeep.verify({ blog: 'no-such-blog', quick: false })),
    ).rejects.toThrow('no-such-blog');
  });

  it('verify never reports a publish as a difference, and repairs work beside one', {
    timeout: 120_000,
  }, async () => {
    let done = false;
    const publishing = (async () => {
      for (let n = 0; n < 25; n++) {
        const slug = await room.publish(blog, `Busy ${n}`, [`tag-${n % 3}`]);
        if (n % 5 === 4) await room.services.posts.remove(blog, slug);
      }
      done = true;
    })();
    const seen: string[] = [];
    while (!done) seen.push(...(await found()));
    expect(seen).toEqual([]);
    await publishing;
    await expectMended();
  });

  it('verify and repair work without a server', async () => {
    await room.stop();
    await room.edge.remove(['sites/ink/one/index.html']);
    const { failures } = await repair();
    expect(failures).toEqual([]);
    expect(await found()).toEqual([]);
  });

  it('verify counts waiting changes, and does not report them as differences', async () => {
    const { db } = room.services;
    await room.stop();
    await room.publish(blog, 'Waiting', ['other']);
    const { isInStep, waiting, drift } = await verify();
    expect([isInStep, drift]).toEqual([true, []]);
    expect(waiting).toMatchObject({ changes: 1, rebuilds: 1, failed: 0 });
    await db.updateTable('rebuilds').set({ status: 'failed' }).where('status', '=', 'queued').execute();
    expect((await verify()).isInStep).toBe(false);
  });
});
