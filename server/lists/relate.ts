import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { postLanguage } from '../../generator/markdown/text/language.ts';
import { indexedWords } from '../../generator/search/words.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { BLOG_LIST } from './placements.ts';
import { addRelated, findLeading, removeRelated, setRelated } from './related.ts';

/** Related posts that a page shows. */
const MAX_RELATED = 3;
/** Posts that lead on to one post. When that post changes, their pages change with it. */
const MAX_LEADING = 6;
/** Posts that are compared: the newest with each of the post's tags, and the newest of the blog. */
const FROM_TAG = 12;
const FROM_BLOG = 24;
/** What a shared tag counts, where equal titles and descriptions count 1. */
const TAG_WEIGHT = 0.3;
/** Posts with less in common are not related. */
const MIN_SCORE = 0.2;
/** Letters of a word that says what a text is about. */
const MIN_WORD = 4;

interface Comparable {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: string;
  /** As JSON. */
  readonly translations: string;
  readonly seriesSlug: string | null;
  /** As its author states it, or null. */
  readonly language: string | null;
  /** As its script reveals it, or null. */
  readonly lang: string | null;
}

/** A post that another may lead on to. */
interface Candidate extends Comparable {
  /** Posts that lead on to it, but for the one that is compared. */
  readonly leading: number;
  /** Posts to which it leads on. */
  readonly related: number;
}

/**
 * Chooses the posts to which a published post leads on, by its tags, title and description: of its language first, and
 * neither parts of its series nor translations of it. Of those like it that lead on to too few posts, the first few lead on to it, too: they were
 * written when there was nothing like them. A stored choice, not one that pages make: with each publish, a choice by
 * pages would change other posts' pages without end (decision 29). `blogLanguage` (BCP 47) is that of posts that reveal
 * no other.
 */
export async function relatePost(
  tx: Db,
  post: { readonly id: string; readonly blogId: string },
  blogLanguage: string,
): Promise<void> {
  const [own] = await listedPost(tx, post.id);
  if (!own) return setRelated(tx, post.id, []);
  const alike = await findAlike(tx, { id: post.blogId, language: blogLanguage }, own);
  const chosen = alike.filter(({ leading }) => leading < MAX_LEADING).slice(0, MAX_RELATED);
  await setRelated(
    tx,
    post.id,
    chosen.map(({ id }) => id),
  );
  const leadingIds = new Set(await leadingOn(tx, own));
  const room = Math.max(0, Math.min(MAX_RELATED, MAX_LEADING - leadingIds.size));
  const unfilled = alike.filter(({ id, related }) => related < MAX_RELATED && !leadingIds.has(id));
  for (const { id } of unfilled.slice(0, room)) await addRelated(tx, id, post.id);
}

/** The posts that lead on to one, of which those that have become its translations no longer do. */
async function leadingOn(tx: Db, own: Comparable): Promise<string[]> {
  const ids = (await findLeading(tx, [own.id])).map(({ leadingId }) => leadingId);
  if (ids.length === 0) return [];
  const translations = (await postsToCompare(tx, ids, own.id)).filter((other) => areTranslations(own, other));
  for (const { id } of translations) await removeRelated(tx, id, own.id);
  return ids.filter((id) => translations.every((other) => other.id !== id));
}

/** Posts that have something in common with one: of its language first, and then those with most in common. */
async function findAlike(
  tx: Db,
  blog: { readonly id: string; readonly language: string },
  own: Comparable,
): Promise<Candidate[]> {
  const candidates = await findCandidates(tx, blog.id, own);
  const language = postLanguage(own, blog.language);
  const compared = candidates.map((candidate) => ({
    ...candidate,
    score: likeness(own, candidate),
    isForeign: postLanguage(candidate, blog.language) !== language,
  }));
  return compared.filter(({ score }) => score >= MIN_SCORE).sort(byLikeness);
}

interface Compared {
  readonly id: string;
  readonly score: number;
  readonly isForeign: boolean;
}

/** Newer posts have higher ids. */
const byLikeness = (one: Compared, other: Compared): number =>
  Number(one.isForeign) - Number(other.isForeign) || other.score - one.score || (other.id > one.id ? 1 : -1);

async function findCandidates(tx: Db, blogId: string, own: Comparable): Promise<Candidate[]> {
  const ids = new Set<string>();
  for (const { slug } of tagsOf(JSON.parse(own.tags))) {
    for (const { id } of await newestWithTag(tx, blogId, slug)) ids.add(id);
  }
  for (const { id } of await newestOfBlog(tx, blogId, BLOG_LIST)) ids.add(id);
  ids.delete(own.id);
  const posts = await postsToCompare(tx, [...ids], own.id);
  // The page of a post shows the parts beside it in its series anyway, and its translations.
  return posts.filter((post) => !areInSeries(own, post) && !areTranslations(own, post));
}

const areInSeries = (one: Comparable, other: Comparable): boolean =>
  one.seriesSlug !== null && one.seriesSlug === other.seriesSlug;

/** Whether one of two posts names the other as its translation. */
const areTranslations = (one: Comparable, other: Comparable): boolean =>
  namesTranslation(one, other.slug) || namesTranslation(other, one.slug);

function namesTranslation({ translations }: Comparable, slug: string): boolean {
  // Most posts have none.
  return translations !== '{}' && Object.values(JSON.parse(translations)).includes(slug);
}

const newestOf = (count: number) =>
  prepared((db, blogId: string, list: string) =>
    db
      .selectFrom('placements')
      .select('post_id as id')
      .where('blog_id', '=', blogId)
      .where('list', '=', list)
      .where('list_page', 'is not', null)
      .orderBy('published_at', 'desc')
      .orderBy('post_id', 'desc')
      .limit(sql.lit(count)),
  );
const newestWithTag = newestOf(FROM_TAG);
const newestOfBlog = newestOf(FROM_BLOG);

const comparable = (db: Db) =>
  db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .select((eb) => [
      'posts.id',
      'posts.slug',
      'posts.title',
      eb.fn.coalesce('posts.meta_description', 'content.description').as('description'),
      'posts.tags',
      'posts.translations',
      'posts.series_slug as seriesSlug',
      'posts.stated_language as language',
      'content.lang',
    ]);

/** A post of the blog's own list. */
const listedPost = prepared((db, id: string) =>
  comparable(db)
    .innerJoin('placements as place', 'place.post_id', 'posts.id')
    .where('posts.id', '=', id)
    .where('place.list', '=', BLOG_LIST),
);

/**
 * With the numbers of posts that lead on to each and to which it leads, apart from the one that is compared: it is
 * about to choose anew.
 */
const postsToCompare = prepared((db, ids: readonly string[], comparedId: string) =>
  comparable(db)
    .select((eb) => [
      eb
        .selectFrom('related_posts')
        .whereRef('related_id', '=', 'posts.id')
        .where('post_id', '!=', comparedId)
        .select((count) => count.fn.countAll<number>().as('leading'))
        .$asScalar()
        .$notNull()
        .as('leading'),
      eb
        .selectFrom('related_posts')
        .whereRef('post_id', '=', 'posts.id')
        .select((count) => count.fn.countAll<number>().as('related'))
        .$asScalar()
        .$notNull()
        .as('related'),
    ])
    .where('posts.id', 'in', anyOf(ids)),
);

/** From 0; two posts with the same words and one shared tag have 1.3. */
function likeness(one: Comparable, other: Comparable): number {
  const tags = new Set(tagsOf(JSON.parse(one.tags)).map(({ slug }) => slug));
  const shared = tagsOf(JSON.parse(other.tags)).filter(({ slug }) => tags.has(slug)).length;
  return shared * TAG_WEIGHT + overlap(wordsOf(one), wordsOf(other));
}

/** Shared words in proportion to the number of words: 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / Math.sqrt(one.size * other.size);
}

/** Words of recently compared texts: the newest posts of a blog are compared with each new one. */
const wordCache = new LRUCache<string, ReadonlySet<string>>({
  maxSize: 1_000_000,
  // A text may have as many words as characters, and a word takes some forty bytes.
  sizeCalculation: (words, text) => text.length + words.size * 10,
});

function wordsOf({ title, description }: Comparable): ReadonlySet<string> {
  const text = `${title}\n${description}`;
  const cached = wordCache.get(text);
  if (cached) return cached;
  const words = new Set(
    indexedWords(text).filter((word) => word.length >= MIN_WORD || /[^\p{Script=Latin}]/u.test(word)),
  );
  wordCache.set(text, words);
  return words;
}
