import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { relatePost } from '../../../server/lists/relate.ts';
import { findRelated } from '../../../server/lists/related.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
let blogs = 0;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

async function newBlog(): Promise<void> {
  blog = await workshop.newBlog(`related-${++blogs}`);
}

async function publish(title: string, fields: Partial<PostInput> = {}): Promise<string> {
  const { services, caller } = workshop;
  const written = await services.posts.create(caller, blog, {
    title,
    content: 'x',
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
    ...fields,
  });
  return written.id;
}

const relatedTo = async (id: string) => (await findRelated(workshop.services.db, [id])).get(id);

/** Publishes a post for each of these titles, and resolves to their ids. */
async function publishAll(titles: readonly string[], fields: Partial<PostInput> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) ids.push(await publish(title, fields));
  return ids;
}

/** Titles without a word in common. */
const strangers = (count: number) =>
  Array.from({ length: count }, (_, n) => 'abcdefghijklmnopqrstuvwxyz'.charAt(n).repeat(5));

it('a post leads on to the posts with the same tags or words, the most alike first', async () => {
  await newBlog();
  const both = await publish('Kestrels over the harbour', { tags: ['Birds', 'Sea'] });
  const tag = await publish('Sparrows', { tags: ['birds'] });
  const words = await publish('Kestrels over the city');
  await publish('Bread', { tags: ['Baking'] });
  const post = await publish('Kestrels over the harbour again', { tags: ['Birds', 'Sea'] });
  expect(await relatedTo(post)).toEqual([both, words, tag]);
});

it('a post without anything in common with another leads on to none', async () => {
  await newBlog();
  await publish('Bread', { tags: ['Baking'] });
  expect(await relatedTo(await publish('Kestrels', { tags: ['Birds'] }))).toEqual([]);
});

it('words of scripts without spaces and with few letters count', async () => {
  await newBlog();
  const kyoto = await publish('京都の庭を歩く');
  await publish('パンの作り方');
  expect(await relatedTo(await publish('京都の庭'))).toEqual([kyoto]);
});

it('a post leads on to three others at most, the newest of those that are equally alike first', async () => {
  await newBlog();
  const [, second, third, fourth] = await publishAll(Array(4).fill('Kestrels'));
  expect(await relatedTo(await publish('Kestrels'))).toEqual([fourth, third, second]);
});

describe('what makes posts alike', () => {
  it('one word of five in each is enough, and too little once one of them has a sixth', async () => {
    await newBlog();
    const five = await publish('Kestrels above quiet northern harbours');
    expect(await relatedTo(await publish('Kestrels eating field voles today'))).toEqual([five]);
    await newBlog();
    await publish('Kestrels above quiet northern harbours');
    expect(await relatedTo(await publish('Kestrels eating field voles every winter'))).toEqual([]);
  });

  it('a post that says much else is less alike than one that says little else', async () => {
    await newBlog();
    const little = await publish('Kestrels ashore');
    const much = await publish('Kestrels above quiet northern harbours');
    expect(await relatedTo(await publish('Kestrels'))).toEqual([little, much]);
  });

  it('words of fewer than four Latin letters say nothing', async () => {
    await newBlog();
    await publish('The old sea');
    expect(await relatedTo(await publish('The old sea'))).toEqual([]);
    const four = await publish('Gull');
    expect(await relatedTo(await publish('Gull'))).toEqual([four]);
  });

  it('descriptions count like titles: those that are given, or else the beginning of the text', async () => {
    await newBlog();
    const meta = { description: 'Kestrels', ogImage: null };
    const given = await publish('Aaaaa', { meta });
    const begins = await publish('Bbbbb', { content: 'Kestrels' });
    await publish('Ccccc', { meta: { description: 'Bread', ogImage: null }, content: 'Kestrels' });
    expect(await relatedTo(await publish('Ddddd', { meta }))).toEqual([begins, given]);
  });
});

describe('the posts that are compared', () => {
  it('without a shared tag, a post is found among the 24 newest of the blog, the new one included', async () => {
    await newBlog();
    const [, within] = await publishAll(['Kestrels', 'Kestrels', ...strangers(22)]);
    expect(await relatedTo(await publish('Kestrels'))).toEqual([within]);
  });

  it('an old post is found by its tag, if it is among the twelve newest with it, the new one included', async () => {
    await newBlog();
    const tags = ['Birds'];
    const alike = await publishAll(['Kestrels', 'Kestrels'], { tags });
    const others = await publishAll(strangers(10), { tags });
    await publishAll(strangers(24));
    expect(await relatedTo(await publish('Kestrels', { tags }))).toEqual([alike[1], others[9], others[8]]);
  });
});

it('neither drafts, pages nor unlisted posts are related', async () => {
  await newBlog();
  const fields = { tags: ['Birds'] };
  await publish('Kestrels', { ...fields, status: 'draft' });
  await publish('Kestrels', { type: 'page' });
  const unlisted = await publish('Kestrels', { ...fields, isUnlisted: true });
  expect(await relatedTo(unlisted)).toEqual([]);
  expect(await relatedTo(await publish('Kestrels', fields))).toEqual([]);
});

it('a post that becomes unlisted leads on to none', async () => {
  await newBlog();
  await publish('Kestrels', { tags: ['Birds'] });
  const post = await publish('Kestrels', { tags: ['Birds'], slug: 'hidden' });
  expect(await relatedTo(post)).toHaveLength(1);
  await workshop.services.posts.update(blog, 'hidden', { isUnlisted: true });
  expect(await relatedTo(post)).toEqual([]);
});

it('few posts lead on to one: its changes reach no more pages, however many are like it', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  const others: string[] = [];
  for (let n = 0; n < 20; n++) {
    // Each is more like the first than like the others.
    others.push(await publish(`Kestrels ${'abcdefghijklmnopqrst'.charAt(n).repeat(5)}`, { tags: ['Birds'] }));
  }
  const leading = await findRelated(workshop.services.db, others);
  const counts = new Map<string, number>();
  for (const id of [...leading.values()].flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBe(6);
  expect(counts.get(first)).toBe(6);
});

it('a post that is changed may lead on to the same posts again, however many others do', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  for (const word of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee']) {
    await publish(`Kestrels ${word}`, { tags: ['Birds'] });
  }
  const sixth = await publish('Kestrels fffff', { tags: ['Birds'], slug: 'sixth' });
  expect((await relatedTo(sixth))?.[0]).toBe(first);
  await workshop.services.posts.update(blog, 'sixth', { content: 'Another text.' });
  expect((await relatedTo(sixth))?.[0]).toBe(first);
});

it('a choice that stays the same is not written again', async () => {
  await newBlog();
  await publish('Sparrows', { tags: ['Birds'] });
  const id = await publish('Kestrels', { tags: ['Birds'] });
  const { db } = workshop.services;
  const rowsWritten = async () =>
    (await sql<{ n: number }>`select total_changes() as n`.execute(db)).rows[0]?.n;
  const before = await rowsWritten();
  await relatePost(db, { id, blogId: blog.id }, 'en');
  expect(await rowsWritten()).toBe(before);
  expect(await relatedTo(id)).toHaveLength(1);
});

it('a change of tags chooses anew, a deleted post is no longer related', async () => {
  await newBlog();
  const { posts } = workshop.services;
  const birds = await publish('Sparrows', { tags: ['Birds'] });
  const baking = await publish('Bread', { tags: ['Baking'], slug: 'bread' });
  const post = await publish('Something', { tags: ['Birds'], slug: 'something' });
  expect(await relatedTo(post)).toEqual([birds]);
  await posts.update(blog, 'something', { tags: ['Baking'] });
  expect(await relatedTo(post)).toEqual([baking]);
  await posts.remove(blog, 'bread');
  expect(await relatedTo(post)).toEqual([]);
});

it('a post that was written before there was anything like it leads on to later ones, to three at most', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  const later: string[] = [];
  for (const word of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) {
    later.push(await publish(`Kestrels ${word}`, { tags: ['Birds'] }));
  }
  expect(await relatedTo(first)).toEqual(later.slice(0, 3));
  await workshop.services.posts.remove(blog, 'kestrels-bbbbb');
  const last = await publish('Kestrels eeeee', { tags: ['Birds'] });
  expect(await relatedTo(first)).toEqual([later[0], later[2], last]);
});

describe('posts that lead on to too few lead on to a new one', () => {
  const words = ['harbour', 'lantern', 'orchard', 'pebbles', 'quarrel', 'tunnels', 'village', 'whistle'];
  /** Of each, the posts to which it leads on. */
  const relatedToEach = (ids: readonly string[]) => Promise.all(ids.map(relatedTo));

  it('three of them at once: those most like it', async () => {
    await newBlog();
    const lonely = await publishAll(['harbour', 'lantern ashes', 'orchard', 'pebbles']);
    const post = await publish('harbour lantern orchard pebbles');
    expect(await relatedToEach(lonely)).toEqual([[post], [], [post], [post]]);
  });

  it('with each change of it three more, to six, and none of them twice', async () => {
    await newBlog();
    const lonely = await publishAll(words);
    const post = await publish(words.join(' '), { slug: 'all' });
    const leading = async () => (await relatedToEach(lonely)).flat();
    expect(await leading()).toEqual(Array(3).fill(post));
    for (const content of ['second', 'third', 'fourth']) {
      await workshop.services.posts.update(blog, 'all', { content });
    }
    expect(await leading()).toEqual(Array(6).fill(post));
    expect(new Set((await relatedToEach(lonely)).map((ids) => ids?.length))).toEqual(new Set([0, 1]));
  });

  it('those that lead on to three already leave their place to others', async () => {
    await newBlog();
    await publishAll(Array(4).fill('Kestrels'));
    const lonely = await publish('Harbour ashes');
    const post = await publish('Kestrels harbour');
    expect(await relatedTo(lonely)).toEqual([post]);
  });

  it('it comes last, after those that they chose, even if it is older', async () => {
    await newBlog();
    await publish('Aaaaa', { slug: 'older' });
    const [first, second] = await publishAll(['Kestrels', 'Kestrels']);
    const { id } = await workshop.services.posts.update(blog, 'older', { title: 'Kestrels' });
    expect(await relatedTo(first ?? '')).toEqual([second, id]);
  });
});

it('parts of the same series are not related, which the page shows anyway', async () => {
  await newBlog();
  const fields = { tags: ['Birds'] };
  const other = await publish('Kestrels', fields);
  const first = await publish('Kestrels', { ...fields, series: { name: 'Falcons' } });
  const second = await publish('Kestrels', { ...fields, series: { name: 'falcons' } });
  expect(await relatedTo(second)).toEqual([other]);
  expect(await relatedTo(first)).toEqual([other]);
});

describe('translations, which the page shows anyway', () => {
  it('are not related, whichever of the two names the other', async () => {
    await newBlog();
    const tags = ['Birds'];
    const other = await publish('Kestrels', { tags });
    const first = await publish('Kestrels', { tags, slug: 'kestrels-en', translations: { de: 'falken' } });
    const named = await publish('Falken', { tags, slug: 'falken' });
    const naming = await publish('Crécerelles', { tags, translations: { en: 'kestrels-en' } });
    expect(await relatedTo(first)).toEqual([other]);
    expect(await relatedTo(named)).toEqual([other, naming]);
    expect(await relatedTo(naming)).toEqual([named, other]);
  });

  it('stop being related once either post names the other', async () => {
    await newBlog();
    const tags = ['Birds'];
    const first = await publish('Kestrels', { tags, slug: 'kestrels-en' });
    const second = await publish('Falken', { tags, slug: 'falken' });
    expect([await relatedTo(first), await relatedTo(second)]).toEqual([[second], [first]]);
    await workshop.services.posts.update(blog, 'falken', { translations: { en: 'kestrels-en' } });
    expect([await relatedTo(first), await relatedTo(second)]).toEqual([[], []]);
  });
});

it('posts in the language of the post come first', async () => {
  await newBlog();
  const english = await publish('Kestrels', { tags: ['Birds'] });
  const same = await publish('Turmfalken', { tags: ['Birds'], language: 'de' });
  const post = await publish('Kestrels', { tags: ['Birds'], language: 'de' });
  expect(await relatedTo(post)).toEqual([same, english]);
});

it('the language of a post is the stated one, or else that of its script', async () => {
  await newBlog();
  const tags = ['Birds'];
  const fields = { tags, content: 'Пустельга летает над городом.' };
  const detected = await publish('Kestrels A', fields);
  const stated = await publish('Aaaaa', { tags, language: 'ru' });
  const other = await publish('Kestrels B', { ...fields, language: 'bg' });
  expect(await relatedTo(await publish('Kestrels C', fields))).toEqual([detected, stated, other]);
});

it('a post that names itself among its translations has the language of that one, unless it states another', async () => {
  await newBlog();
  const fields = { tags: ['Birds'], slug: 'falke', translations: { de: 'falke', en: 'elsewhere' } };
  const german = await publish('Aaaaa', { tags: ['Birds'], language: 'de' });
  const english = await publish('Kestrels', { tags: ['Birds'] });
  const post = await publish('Kestrels', fields);
  expect(await relatedTo(post)).toEqual([german, english]);
  await workshop.services.posts.update(blog, 'falke', { language: 'en' });
  expect(await relatedTo(post)).toEqual([english, german]);
});

it('a post that states the language of the blog has that of the posts that state none', async () => {
  await newBlog();
  const tags = ['Birds'];
  const unstated = await publish('Kestrels', { tags });
  const stated = await publish('Aaaaa', { tags, language: 'en' });
  expect(await relatedTo(await publish('Kestrels', { tags, language: 'en' }))).toEqual([unstated, stated]);
});

it('a script stands for the language of a blog that is written in it, as on its pages', async () => {
  await newBlog();
  await workshop.services.blogs.update(workshop.caller, blog.id, { settings: { language: 'uk' } });
  const tags = ['Птахи'];
  const stated = await publish('Ааааа', { tags, language: 'uk' });
  const russian = await publish('Боривітер', { tags, language: 'ru' });
  const post = await publish('Боривітер', { tags, content: 'Боривітер літає над містом.' });
  expect(await relatedTo(post)).toEqual([stated, russian]);
});
