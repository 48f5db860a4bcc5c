import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../server/access/caller.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openBuilder } from '../../../server/builder/open-builder.ts';
import { mediaPath } from '../../../server/image-processing/image.ts';
import { variantPath } from '../../../server/image-processing/image-variant.ts';
import type { Image } from '../../../server/media/image.ts';
import { settleVariants } from '../../../server/media/image-variants-store.ts';
import { describePicture, resolvePicture } from '../../../server/media/pictures.ts';
import { referenceTo } from '../../../server/media/references.ts';
import { findImage, insertImage, orphanImage } from '../../../server/media/store.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { presentPost } from '../../../server/posts/schemas.ts';
import { plainBases, withoutBase } from '../../support/plain-search-indexes.ts';
import {
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';

const HERE = 'http://localhost:8080/media';

let workshop: Workshop;
let blog: Blog;
let stranger: { caller: Caller; blog: Blog };
beforeAll(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('ink');
  const caller = await workshop.newCaller('b@example.org');
  stranger = { caller, blog: await workshop.newBlog('stranger', caller) };
});
afterAll(() => workshop.close());

/** Records an image of 900 by 600 pixels, with or without variants. */
async function newImage(of: Blog, { settled = true } = {}): Promise<Image> {
  const { db } = workshop.services;
  const id = uuid();
  const path = mediaPath(of.id, id, 'image/jpeg');
  const size = { bytes: 100_000, width: 900, height: 600 };
  const image = { id, blogId: of.id, path, filename: null, ...size, createdAt: workshop.clock.now() };
  await insertImage(db, image);
  if (settled) await settle(image);
  return image;
}

const settle = ({ id, path }: Image) => {
  const file = (format: 'avif' | 'webp', width: number) => {
    return { format, width, path: variantPath(path, format, width) };
  };
  return settleVariants(workshop.services.db, id, [file('avif', 480), file('avif', 900), file('webp', 900)]);
};

const addressOf = ({ path }: Image, root = HERE) => root + path.slice('media'.length);

async function write(
  slug: string,
  content: string,
  input: Partial<PostInput> = {},
  by = { caller: workshop.caller, blog },
) {
  const meta = { description: null, ogImage: null };
  const post = { title: slug, slug, content, tags: [], status: 'published', meta, ...input } as const;
  await workshop.services.posts.create(by.caller, by.blog, post);
  return workshop.services.posts.get(by.blog, slug);
}

const sourceIn = (html: string) => / src="([^"]*)"/.exec(html)?.[1];

describe('a post that names uploaded images', () => {
  it('an image of the account becomes a reference on whatever host the post names it, and none of another does', async () => {
    const own = await newImage(blog);
    const ofOtherBlog = await newImage(await workshop.newBlog(`b-${uuid()}`));
    const foreign = await newImage(stranger.blog);
    for (const image of [own, ofOtherBlog]) {
      for (const root of [HERE, 'https://old.example/b/media', '/media']) {
        const { contentHtml, contentMd } = await write(uuid(), `![a](${addressOf(image, root)})`);
        expect(sourceIn(contentHtml)).toBe(referenceTo(image.path));
        expect(contentHtml).toContain(
          `srcset="${referenceTo(image.path).replace('.jpg', '-480.avif')} 480w, `,
        );
        expect(contentMd).toBe(`![a](${addressOf(image, root)})`);
      }
    }
    const unknown = addressOf({ ...own, path: mediaPath(blog.id, uuid(), 'image/jpeg') });
    const wrongBlog = addressOf({ ...own, path: own.path.replace(blog.id, stranger.blog.id) });
    const wrongType = addressOf({ ...own, path: own.path.replace('.jpg', '.png') });
    for (const address of [addressOf(foreign), unknown, wrongBlog, wrongType]) {
      const { contentHtml } = await write(uuid(), `![a](${address})`);
      expect(sourceIn(contentHtml)).toBe(address);
      expect(contentHtml).not.toContain('width');
    }
  });

  it('a post is rendered again with the account of its blog', async () => {
    const image = await newImage(blog, { settled: false });
    const { slug, contentHtml } = await write(uuid(), `![a](https://old.example${addressOf(image, '')})`);
    expect([sourceIn(contentHtml), contentHtml]).toEqual([
      referenceTo(image.path),
      expect.not.stringContaining('<picture>'),
    ]);
    await settle(image);
    expect(await workshop.services.renderings.renew()).toBe(1);
    const after = await workshop.services.posts.get(blog, slug);
    expect(after.contentHtml).toContain(`<picture><source type="image/avif" srcset="platen-media:`);
  });

  it('a preview image is stored as a reference, and shown with the address of today', async () => {
    const image = await newImage(blog);
    const { posts, revisions } = workshop.services;
    const slug = uuid();
    const ogImage = addressOf(image, 'https://old.example/media');
    const post = await write(slug, 'Words.', { meta: { description: null, ogImage } });
    expect(post.ogImage).toBe(referenceTo(image.path));
    expect(presentPost(post, 'https://ink.example/', HERE).og_image_url).toBe(addressOf(image));

    const same = await posts.update(blog, slug, { meta: { ogImage: addressOf(image) } });
    expect([same.rebuildId, same.updatedAt]).toEqual([null, post.updatedAt]);
    const external = 'https://e.example/a.png';
    expect((await posts.update(blog, slug, { meta: { ogImage: external } })).ogImage).toBe(external);
    const [earlier] = await revisions.list(blog, slug);
    expect((await revisions.restore(blog, slug, earlier?.id ?? '')).ogImage).toBe(referenceTo(image.path));

    const foreign = addressOf(await newImage(stranger.blog));
    expect((await posts.update(blog, slug, { meta: { ogImage: foreign } })).ogImage).toBe(foreign);
  });

  it('Markdown that is rendered on request has addresses of today, also among its links', async () => {
    const image = await newImage(blog);
    const { renderContent } = workshop.services;
    const old = addressOf(image, 'https://old.example');
    const { html, links } = await renderContent(`[a](${old}) [b](https://e.example/)`, blog.accountId);
    expect(html).toContain(`<a href="${referenceTo(image.path)}"`);
    expect(links).toEqual([referenceTo(image.path), 'https://e.example/']);
  });
});

it('a picture is stored with all that pages say of it, and shown with addresses of today', async () => {
  const { db } = workshop.services;
  const image = await newImage(blog, { settled: false });
  const old = addressOf(image, 'https://old.example/media');
  const before = await describePicture(db, blog.accountId, old);
  const unsettled = { url: referenceTo(image.path), width: 900, height: 600, sources: [] };
  expect(before).toEqual({ picture: unsettled, awaited: image.id });
  await settle(image);
  const { picture, awaited } = await describePicture(db, blog.accountId, before.picture.url);
  expect(awaited).toBeNull();

  // Shown as it was stored, also if the image has been deleted since.
  await orphanImage(db, (await findImage(db, image.id)) ?? expect.fail(), workshop.clock.now());
  const address = addressOf(image, 'https://new.example');
  const files = (format: string, ...widths: number[]) =>
    widths.map((width) => ({ address: address.replace('.jpg', `-${width}.${format}`), width }));
  expect(resolvePicture(JSON.parse(JSON.stringify(picture)), 'https://new.example')).toEqual({
    ...{ url: address, width: 900, height: 600 },
    sources: [
      { type: 'image/avif', files: files('avif', 480, 900) },
      { type: 'image/webp', files: files('webp', 900) },
    ],
  });

  const external = { url: 'https://e.example/a.png', width: null, height: null, sources: [] };
  const described = { picture: external, awaited: null };
  expect(await describePicture(db, blog.accountId, external.url)).toEqual(described);
  expect(resolvePicture(external, HERE)).toEqual(external);
  const foreign = addressOf(await newImage(stranger.blog));
  expect((await describePicture(db, blog.accountId, foreign)).picture.url).toBe(foreign);
});

it('blogs are rebuilt when images are elsewhere, and no post is rendered or changed', async () => {
  const { db } = workshop.services;
  const moving = await workshop.newBlog('moving');
  const image = await newImage(moving);
  const by = { caller: workshop.caller, blog: moving };
  const old = addressOf(image, 'https://old.example/media');
  const content = `[![a](${old})](/media${addressOf(image, '')})\n\n<img srcset="${old} 2x" alt="b">`;
  const post = await write('shown', content, { meta: { description: null, ogImage: old } }, by);
  const rowsOf = () =>
    Promise.all([
      db.selectFrom('posts').selectAll().where('blog_id', '=', moving.id).execute(),
      db.selectFrom('post_contents').selectAll().where('post_id', '=', post.id).execute(),
      db.selectFrom('revisions').selectAll().where('post_id', '=', post.id).execute(),
    ]);
  const before = await rowsOf();

  for (const mediaUrl of [HERE, 'https://media.example.org', 'https://s3.example.org/bucket/media']) {
    const config = { ...workshop.config, mediaUrl };
    const builder = await openBuilder(config, { indexMaker: plainBases(config), cards: plainCards });
    await builder.drain();
    await builder.close();
    const files = withoutBase(readEdge(workshop.edgeDir, 'moving'));
    expect(differences(files, await cleanBuild({ ...workshop, config }, moving))).toEqual([]);
    const address = addressOf(image, mediaUrl);
    const shownIn = [...files].filter(([, text]) => text.includes(address)).map(([path]) => path);
    expect(shownIn.sort()).toEqual([
      ...['feed.json', 'feed.xml', 'llms-full.txt', 'rss.xml', 'shown.md', 'shown/index.html'],
    ]);
    const page = files.get('shown/index.html') ?? '';
    expect(page).toContain(`<meta property="og:image" content="${address}"`);
    expect(page).toContain(`"image":"${address}"`);
    expect(page).toContain(`srcset="${address.replace('.jpg', '-480.avif')} 480w, `);
    expect(page).toContain(`srcset="${address} 2x"`);
    const addresses = [...files.values()].flatMap(
      (text) => text.match(/[^\s"'(<>]*\/[^\s"'(<>/]*\.jpg/g) ?? [],
    );
    expect(new Set(addresses.map((found) => found.replace(/^.*content=/, '')))).toEqual(new Set([address]));
    expect(JSON.stringify([...files])).not.toContain('platen-media:');
    expect(await rowsOf()).toEqual(before);
  }
});
