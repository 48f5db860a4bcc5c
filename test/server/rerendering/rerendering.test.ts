import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MarkdownRefused } from '../../../generator/markdown/refused.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { MARKDOWN_VERSION } from '../../../generator/markdown/version.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createRenderings, type RenderingsDependencies } from '../../../server/rerendering/rerendering.ts';
import { findOutdatedPosts } from '../../../server/rerendering/store.ts';
import { createDoor } from '../../support/gate.ts';
import { plainBases } from '../../support/plain-search-indexes.ts';
import {
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';

let workshop: Workshop;
let builder: OpenBuilder;
let blog: Blog;
let blogs = 0;
beforeAll(async () => {
  workshop = await openWorkshop();
  builder = await openBuilder(workshop.config, {
    indexMaker: plainBases(workshop.config),
    cards: plainCards,
    clock: workshop.clock,
  });
});
afterAll(async () => {
  await builder.close();
  await workshop.close();
});
beforeEach(async () => {
  blogs += 1;
  blog = await workshop.newBlog(`blog-${blogs}`);
});

async function write(slug: string, status: 'draft' | 'published' = 'published'): Promise<void> {
  const meta = { description: null, ogImage: null };
  const post = { title: slug, slug, content: `Words of ${slug}.`, tags: [], status, meta };
  await workshop.services.posts.create(workshop.caller, blog, post);
}

const ofBlog = () => workshop.services.db.selectFrom('posts').select('id').where('blog_id', '=', blog.id);

/** Replaces the HTML of the blog's posts as if by another renderer, and rebuilds the blog. */
async function age(html = '<p>old</p>'): Promise<void> {
  await workshop.services.db
    .updateTable('post_contents')
    .set({ html, renderer_version: 0 })
    .where('post_id', 'in', ofBlog())
    .execute();
  await builder.drain();
}

const stored = (slug: string) =>
  workshop.services.db
    .selectFrom('post_contents as content')
    .innerJoin('posts', 'posts.id', 'content.post_id')
    .select(['content.html', 'content.renderer_version as renderer', 'posts.updated_at as updatedAt'])
    .where('posts.blog_id', '=', blog.id)
    .where('posts.slug', '=', slug)
    .executeTakeFirstOrThrow();

const changes = async () => {
  const waiting = workshop.services.db.selectFrom('changes').selectAll().where('blog_id', '=', blog.id);
  return waiting.execute();
};

/** Renderings with a renderer of the test, which records its calls. */
function renderingsBy(render: (source: string) => Promise<ReturnType<typeof renderMarkdown>>) {
  const asked: string[] = [];
  const warn = vi.fn();
  const log: RenderingsDependencies['log'] = { ...workshop.services.log, warn };
  const renderPost: RenderingsDependencies['renderPost'] = async (source, _accountId, share) => {
    expect(share).toBe('background');
    asked.push(source);
    return { ...(await render(source)), imagePaths: [], imagesWithoutVariants: [] };
  };
  const { db, clock } = workshop.services;
  return { ...createRenderings({ db, clock, log, renderPost }), asked, warn };
}
const renders = async (source: string) => renderMarkdown(source);

describe('rendering outdated posts again', () => {
  it('a renewal brings the edge to a clean build in one rebuild', async () => {
    for (let n = 0; n < 12; n++) await write(`post-${n}`);
    await age();
    expect(readEdge(workshop.edgeDir, blog.slug).get('post-3/index.html')).toContain('<p>old</p>');

    expect(await workshop.services.renderings.renew()).toBe(12);
    const rebuilds = new Set((await changes()).map((change) => change.rebuild_id));
    expect(rebuilds.size).toBe(1);
    await builder.drain();
    for (const id of rebuilds) {
      expect(await findReceipt(workshop.services.db, id)).toMatchObject({ status: 'live' });
    }
    const edge = readEdge(workshop.edgeDir, blog.slug);
    expect(edge.get('post-3/index.html')).toContain('<p>Words of post-3.</p>');
    expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
  });

  it('a renewal renders a draft, which does not affect the edge', async () => {
    await write('draft', 'draft');
    await age();
    const { updatedAt } = await stored('draft');
    expect(await renderingsBy(renders).renew()).toBe(1);
    expect(await stored('draft')).toEqual({
      html: '<p>Words of draft.</p>\n',
      renderer: MARKDOWN_VERSION,
      updatedAt,
    });
    expect(await changes()).toEqual([]);
  });

  it('a renewal without a visible difference rebuilds nothing', async () => {
    await write('same');
    await age('<p>Words of same.</p>\n');
    expect(await renderingsBy(renders).renew()).toBe(0);
    expect(await stored('same')).toMatchObject({ renderer: MARKDOWN_VERSION });
    expect(await changes()).toEqual([]);
  });

  it('a renewal yields to a client’s simultaneous write', async () => {
    await write('contested');
    await age();
    const door = createDoor();
    const renewal = renderingsBy(async (source) => {
      await door.pass();
      return renderMarkdown(source);
    }).renew();
    await door.reached;
    await workshop.services.posts.update(blog, 'contested', { content: 'Of the client.' });
    const { updatedAt } = await stored('contested');
    door.open();
    expect(await renewal).toBe(0);
    expect(await stored('contested')).toMatchObject({ html: '<p>Of the client.</p>\n', updatedAt });
    expect(await changes()).toHaveLength(1);
  });

  it('a renewal keeps a simultaneous title change, and a deleted post stays deleted', async () => {
    await write('titled');
    await write('gone');
    await age();
    const door = createDoor();
    const renewal = renderingsBy(async (source) => {
      await door.pass();
      return renderMarkdown(source);
    }).renew();
    await door.reached;
    await workshop.services.posts.update(blog, 'titled', { title: 'New' });
    await workshop.services.posts.remove(blog, 'gone');
    door.open();
    expect(await renewal).toBe(1);
    const post = await workshop.services.posts.get(blog, 'titled');
    expect(post).toMatchObject({ title: 'New', contentHtml: '<p>Words of titled.</p>\n' });
    await builder.drain();
    const edge = readEdge(workshop.edgeDir, blog.slug);
    expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
  });

  it('a renewal leaves a refused post as it is, logs it, and does not retry it', async () => {
    await write('refused');
    await age();
    const renderings = renderingsBy(async () => {
      throw new MarkdownRefused('takes too long');
    });
    expect(await renderings.renew()).toBe(0);
    expect(await stored('refused')).toMatchObject({ html: '<p>old</p>', renderer: MARKDOWN_VERSION });
    expect(await changes()).toEqual([]);
    const { id } = await ofBlog().executeTakeFirstOrThrow();
    expect(renderings.warn).toHaveBeenCalledExactlyOnceWith(
      { postId: id, reason: 'takes too long' },
      expect.any(String),
    );
    await renderings.renew();
    expect(renderings.asked).toHaveLength(1);
  });

  it('a renewal skips a post that fails, logs it, and retries it the next time', async () => {
    for (const slug of ['first', 'second', 'third']) await write(slug);
    await age();
    let broken = 'Words of first.';
    const renderings = renderingsBy(async (source) => {
      if (source === broken) throw new Error('the thread died');
      return renderMarkdown(source);
    });
    await expect(renderings.renew()).rejects.toThrow('the thread died');
    expect(await stored('first')).toMatchObject({ html: '<p>old</p>', renderer: 0 });
    expect(await stored('third')).toMatchObject({ html: '<p>Words of third.</p>\n' });
    broken = '';
    expect(await renderings.renew()).toBe(1);
  });

  it('a stopped renewal finishes its current post, and the next start continues', async () => {
    for (const slug of ['first', 'second', 'third']) await write(slug);
    await age();
    const door = createDoor();
    const stopped = renderingsBy(async (source) => {
      await door.pass();
      return renderMarkdown(source);
    });
    const renewal = stopped.renew();
    await door.reached;
    const end = stopped.stop();
    door.open();
    await end;
    expect([await renewal, stopped.asked]).toEqual([1, ['Words of first.']]);

    const next = renderingsBy(renders);
    expect(await next.renew()).toBe(2);
    expect(next.asked).toEqual(['Words of second.', 'Words of third.']);
  });

  it('a renewal handles more posts than it looks up at once', async () => {
    for (let n = 0; n < 450; n++) await write(`many-${n}`, 'draft');
    await age();
    const renderings = renderingsBy(renders);
    expect(await renderings.renew()).toBe(450);
    expect(new Set(renderings.asked).size).toBe(450);
  });

  it('a renewal leaves HTML of a newer renderer, as after a return to an older Platen', async () => {
    await write('newer');
    const newer = { html: '<p>newer</p>', renderer: MARKDOWN_VERSION + 1 };
    await workshop.services.db
      .updateTable('post_contents')
      .set({ html: newer.html, renderer_version: newer.renderer })
      .where('post_id', 'in', ofBlog())
      .execute();
    const renderings = renderingsBy(renders);
    await renderings.renew();
    expect([renderings.asked, await stored('newer')]).toMatchObject([[], newer]);
  });
});

it('outdated posts are found by index from any position', async () => {
  const { db } = workshop.services;
  for (const after of ['', "and (renderer_version, post_id) > (1, 'x')"]) {
    const { rows } = await sql<{ detail: string }>`
      explain query plan select post_id, renderer_version from post_contents
      where renderer_version < 2 ${sql.raw(after)} order by renderer_version, post_id limit 200`.execute(db);
    expect(rows.map((row) => row.detail)).toEqual([
      expect.stringMatching(/^SEARCH post_contents USING COVERING INDEX post_contents_renderer_version/),
    ]);
  }
  expect(await findOutdatedPosts(db, MARKDOWN_VERSION, null, 1)).toEqual([]);
});
