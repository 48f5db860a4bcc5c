// Slow: starts a server, and waits until it has encoded the variants of each image.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { animation, photo } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let image: string;
beforeAll(async () => {
  platen = await startTestPlaten();
  image = await upload(await (await photo(1000, 750)).jpeg({ quality: 92 }).toBuffer(), 'image/jpeg');
});
afterAll(() => platen.close());

const SOON = { interval: 100 };

async function upload(bytes: Buffer, type: string, headers = {}): Promise<string> {
  const body = { data: bytes.toString('base64'), content_type: type, filename: 'a' };
  const { status, json, text } = await platen.call('POST', '/upload', body, { headers });
  expect(status, text).toBe(201);
  return json.url;
}

async function publish(slug: string, content: string, headers = {}): Promise<void> {
  const post = { title: slug, slug, content, status: 'published' };
  const answer = await platen.call('POST', '/posts', post, { headers: { Prefer: 'wait=60', ...headers } });
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, 'wait=60']);
}

const page = async (slug: string) => (await platen.read('starter', `/${slug}/`)).text;
const contentOf = async (slug: string) => (await platen.call('GET', `/posts/${slug}`)).json.content_html;
const idle = () =>
  expect
    .poll(async () => {
      const due = platen.services.db.selectFrom('images').where('variants_due_at', 'is not', null);
      return (await due.select('id').execute()).length;
    }, SOON)
    .toBe(0);

/** The files that a page offers, each with its declared type and width. */
function candidates(html: string): { address: string; type: string; width: number }[] {
  return Array.from(html.matchAll(/<source type="([^"]*)" srcset="([^"]*)"/g), ([, type = '', srcset = '']) =>
    srcset.split(', ').map((candidate) => {
      const [address = '', width = ''] = candidate.split(' ');
      return { address, type, width: Number.parseInt(width, 10) };
    }),
  ).flat();
}

async function measure(bytes: Buffer): Promise<{ width: number; height: number; format: string }> {
  const { width, height, format, compression } = await sharp(bytes).metadata();
  // Exact to the pixel.
  await sharp(bytes).raw().toBuffer();
  return { width, height, format: compression === 'av1' ? 'avif' : format };
}

describe('a post that shows an image', () => {
  beforeAll(async () => {
    await publish('first', `Some words.\n\n![A photo](${image})`);
    await publish('second', `[![A photo](${image})](/first/)\n\n<img src="${image}" width="200" alt="">`);
  });

  it.each(['first', 'second'])('a post gets the variants of its image without a write: %s', async (slug) => {
    const before = (await platen.call('GET', `/posts/${slug}`)).json;
    await expect.poll(() => page(slug), SOON).toContain('<picture>');
    const after = (await platen.call('GET', `/posts/${slug}`)).json;
    expect(after.content_html).toContain('<picture><source type="image/avif" srcset="');
    expect(after.updated_at).toBe(before.updated_at);
    expect((await platen.call('GET', `/posts/${slug}/revisions`)).json.data).toEqual([]);
  });

  it('the page of a post offers variants that exist in the declared type and width', async () => {
    const files = candidates(await page('first'));
    expect(files.map(({ type, width }) => [type, width])).toEqual([
      ['image/avif', 480],
      ['image/avif', 800],
      ['image/avif', 1000],
      ['image/webp', 480],
      ['image/webp', 800],
      ['image/webp', 1000],
    ]);
    const original = Buffer.from(await (await fetch(image)).arrayBuffer());
    for (const { address, type, width } of files) {
      const response = await fetch(address);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBeLessThan(original.length);
      expect(await measure(bytes)).toEqual({
        width,
        height: (width * 3) / 4,
        format: type.slice('image/'.length),
      });
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    }
  });

  it('the page of a post with variants is valid HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:standard'],
      rules: { 'no-inline-style': 'off' },
    });
    for (const slug of ['first', 'second']) {
      const report = await validator.validateString(await contentOf(slug));
      const messages = report.results.flatMap(({ messages }) => messages.map(({ message }) => message));
      expect(messages.filter((message) => !message.includes('self-closing'))).toEqual([]);
    }
  });

  it('feeds have the plain image, and the Markdown of a post its source', async () => {
    for (const feed of ['feed.xml', 'rss.xml', 'feed.json']) {
      await expect
        .poll(async () => (await platen.read('starter', `/${feed}`)).text, SOON)
        .toContain(new URL(image).pathname);
      const { text } = await platen.read('starter', `/${feed}`);
      expect(text).not.toMatch(/picture|srcset|\.avif/);
    }
    expect((await platen.read('starter', '/first.md')).text).toContain(`![A photo](${image})`);
  });

  it('a later post, or a mere rendering, has the variants at once', async () => {
    const content = `![A photo](${image})`;
    expect((await platen.call('POST', '/markdown', { content })).json.content_html).toContain('<picture>');
    await publish('later', content);
    expect(await page('later')).toContain('<picture>');
    const waiting = await platen.services.db.selectFrom('posts_awaiting_variants').selectAll().execute();
    expect(waiting).toEqual([]);
  });
});

describe('images for which no variants are made', () => {
  it.each(['gif', 'webp'] as const)('an animation gets no variants: %s', async (format) => {
    const moving = await upload(await animation(format), `image/${format}`);
    await publish(`moving-${format}`, `![](${moving})`);
    await idle();
    expect(await contentOf(`moving-${format}`)).toContain(`src="${moving}" alt="" width="20" height="12"`);
    expect(await contentOf(`moving-${format}`)).not.toContain('<picture>');
  });

  it('a large animation gets no variants', async () => {
    const frames = await Promise.all([
      (await photo(600, 400)).png().toBuffer(),
      (await photo(600, 400)).png().toBuffer(),
    ]);
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const moving = await upload(bytes, 'image/webp');
    await publish('moving-large', `![](${moving})`);
    await idle();
    expect(candidates(await contentOf('moving-large'))).toEqual([]);
  });
});

it('a narrow image has a variant of its own width and no wider one', async () => {
  const narrow = await upload(await (await photo(320, 200)).jpeg({ quality: 92 }).toBuffer(), 'image/jpeg');
  await idle();
  await publish('narrow', `![](${narrow})`);
  expect(candidates(await contentOf('narrow')).map(({ width }) => width)).toEqual([320, 320]);
});

describe('the icon of a blog', () => {
  const front = async () => (await platen.read('starter', '/')).text;
  let blogId: string;
  let icon: string;
  const set = (settings: object, call = platen.call) => call('PUT', `/blogs/${blogId}`, { settings });
  beforeAll(async () => {
    blogId = (await platen.call('GET', '/blogs')).json.data[0].id;
    icon = await upload(await (await photo(200, 100)).png().toBuffer(), 'image/png');
  });

  it.each([
    ['an address elsewhere', 'https://example.org/icon.png'],
    ['an image that is not there', () => icon.replace(/[0-9a-f]{12}\.png$/, '000000000000.png')],
  ])('an icon is refused if it is %s', async (_what, address) => {
    const { status, json } = await set({ icon: typeof address === 'string' ? address : address() });
    expect([status, json.error]).toEqual([400, 'bad_request']);
    expect(json.message).toMatch(/^settings\.icon: must be the address of an image of this account/);
  });

  it('an icon is on every page once its files are made, and they are what they claim', async () => {
    const { status, json } = await set({ icon, author: { name: 'Ada', image: icon } });
    expect([status, json.settings.icon, json.settings.author.image]).toEqual([200, icon, icon]);
    await expect.poll(front, SOON).toContain('rel="apple-touch-icon"');
    const page = await front();
    expect(page).toContain(`<img class="logo" src="${icon.replace('.png', '-96.png')}" alt=""`);
    for (const width of [96, 180, 192, 512]) {
      const response = await fetch(icon.replace('.png', `-${width}.png`));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      const size = await measure(Buffer.from(await response.arrayBuffer()));
      expect(size).toEqual({ width, height: width, format: 'png' });
    }
    const favicon = await platen.read('starter', '/favicon.ico');
    expect([favicon.status, favicon.headers.get('content-type')]).toEqual([200, 'image/vnd.microsoft.icon']);
    const manifest = await platen.read('starter', '/site.webmanifest');
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json');
    expect(JSON.parse(manifest.text).icons).toHaveLength(2);
    const stored = await platen.services.db
      .selectFrom('blogs')
      .select('settings')
      .where('id', '=', blogId)
      .executeTakeFirstOrThrow();
    expect(stored.settings.match(/platen-media:/g)).toHaveLength(2);
    const [listed] = (await platen.call('GET', '/media')).json.data;
    expect([listed.url, listed.used_by_blogs]).toEqual([icon, 1]);
  });

  it('the image of an icon can be deleted: the blog has the default icon again', async () => {
    const [{ id }] = (await platen.call('GET', '/media')).json.data;
    const before = await platen.call('GET', `/blogs/${blogId}`);
    expect((await platen.call('DELETE', `/media/${id}`)).json.used_in.blogs).toEqual([blogId]);
    const after = await platen.call('GET', `/blogs/${blogId}`);
    expect(after.json.settings).toMatchObject({ icon: null, author: { name: 'Ada', image: null } });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await expect.poll(front, SOON).toContain('<link rel="icon" href="data:image/svg');
    await expect.poll(async () => (await platen.read('starter', '/favicon.ico')).status, SOON).toBe(404);
    expect((await fetch(icon.replace('.png', '-96.png'))).status).toBe(404);
  });
});

it('deleting a blog removes all files of its images', async () => {
  const { json: blog } = await platen.call('POST', '/blogs', { slug: 'short-lived', name: 'Short' });
  const headers = { 'X-Blog-Id': blog.id };
  const bytes = await (await photo(700, 500)).jpeg({ quality: 92 }).toBuffer();
  await upload(bytes, 'image/jpeg', headers);
  await idle();
  const folder = join(platen.dataDir, 'edge', 'media', blog.id);
  expect(readdirSync(folder).length).toBe(5);
  expect((await platen.call('DELETE', `/blogs/${blog.id}`)).status).toBe(200);
  await expect.poll(() => existsSync(folder), SOON).toBe(false);
  const strays = () => platen.services.db.selectFrom('orphaned_media').selectAll().execute();
  await expect.poll(strays).toEqual([]);
});
