import fc from 'fast-check';
import type { Caller } from '../../server/access/caller.ts';
import type { Blog, BlogPatch } from '../../server/blogs/blog.ts';
import { createDomainChecks } from '../../server/domains/domain-checks.ts';
import { mediaPath } from '../../server/image-processing/image.ts';
import { showIcon } from '../../server/media/blog-pictures/blog-pictures.ts';
import { settleVariants } from '../../server/media/image-variants-store.ts';
import { findImage, insertImage } from '../../server/media/store.ts';
import type { PostInput, PostPatch } from '../../server/posts/post.ts';
import * as schema from '../../server/redirects/schemas.ts';
import { DomainError } from '../../server/runtime/errors.ts';
import { type TierName, tierNames } from '../../server/tiers/tier.ts';
import type { ExpectedBlog } from './expected-blog.ts';
import { hurryBase } from './plain-search-indexes.ts';
import type { Workshop } from './site-builder.ts';

/** An action of a client on a blog. `post` selects one of the blog's posts by index. */
export type Step =
  | { readonly do: 'create'; readonly input: PostInput }
  | {
      readonly do: 'create many';
      readonly count: number;
      readonly tags: readonly string[];
      /** Day of the first; each of the others is an hour older than the one before it. */
      readonly since?: string | undefined;
    }
  | { readonly do: 'update'; readonly post: number; readonly patch: PostPatch }
  | { readonly do: 'publish'; readonly post: number; readonly date?: string | undefined }
  | { readonly do: 'unpublish' | 'schedule'; readonly post: number }
  | { readonly do: 'delete'; readonly post: number }
  | { readonly do: 'delete newest'; readonly count: number }
  | { readonly do: 'update blog'; readonly patch: BlogPatch }
  | { readonly do: 'set redirect'; readonly from: string; readonly to: string }
  | { readonly do: 'remove redirect'; readonly from: string }
  | { readonly do: 'move account'; readonly tier: TierName }
  /** The image with this number becomes the icon; null: none. */
  | { readonly do: 'set icon'; readonly image: number | null }
  | { readonly do: 'make icons' }
  | { readonly do: 'delete icon image'; readonly image: number }
  | { readonly do: 'register domain'; readonly which: string; readonly leadsHere: boolean }
  | { readonly do: 'remove domain' | 'make base' }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'build' };

// Few values, so that posts collide: equal slugs, equal tags, titles with equal slugs.
const slug = fc.constantFrom('a', 'b', 'c', 'd', 'page-1');
const title = fc.constantFrom('A', 'B', 'On <tags> & "quotes"', '日本', '😀');
const content = fc.constantFrom(
  'One.',
  '# Two\n\nText with [a link](https://example.org/).',
  'Three\n\n- x',
  '<b>4</b>',
);
const tags = fc.subarray(['Rust', 'rust', 'C++', '日本', 'a/b', '..']);
const description = fc.constantFrom(null, 'Given.');
const ogImage = fc.constantFrom(null, null, 'https://example.org/a.png');
const translations = fc.constantFrom(
  undefined,
  null,
  { de: 'https://example.org/a&b/', ja: 'b' },
  { ar: 'a', en: 'c', ja: 'b' },
);
const post = fc.nat({ max: 50 });
const day = fc.constantFrom(
  '2019-03-05T00:00:00.000Z',
  '2025-11-30T12:00:00.000Z',
  '2025-12-31T23:59:59.999Z',
);
const date = fc.option(day, { nil: undefined });

const series = fc.constantFrom(
  undefined,
  null,
  { name: 'Ink' },
  { name: 'ink', part: 1 },
  { name: 'Paper', part: 2 },
);
const details = {
  isFeatured: fc.option(fc.boolean(), { nil: undefined }),
  isUnlisted: fc.constantFrom(undefined, undefined, false, true),
  series,
  canonicalUrl: fc.constantFrom(undefined, null, 'https://elsewhere.example/a?b&c'),
  language: fc.constantFrom(undefined, undefined, null, 'de', 'ja'),
  author: fc.constantFrom(undefined, null, { name: 'Bea', url: 'https://bea.example/', image: null }),
  coverImage: fc.constantFrom(undefined, null, { url: 'https://example.org/cover.png', alt: 'A "cover"' }),
};

const create = fc.record<PostInput>({
  type: fc.constantFrom(undefined, undefined, 'page'),
  ...details,
  title,
  content,
  slug: fc.option(slug, { nil: undefined }),
  tags,
  status: fc.constantFrom('draft', 'published'),
  publishedAt: date,
  meta: fc.record({ description, ogImage }),
  translations,
});

const patch = fc.record<PostPatch>({
  ...details,
  title: fc.option(title, { nil: undefined }),
  content: fc.option(content, { nil: undefined }),
  slug: fc.option(slug, { nil: undefined }),
  tags: fc.option(tags, { nil: undefined }),
  publishedAt: fc.option(day, { nil: undefined, freq: 2 }),
  meta: fc.record({ description: fc.option(description, { nil: undefined }), ogImage }),
  translations,
});

// At the addresses of posts and of their Markdown, where only an unpublished post lets them through, and elsewhere.
const oldAddress = fc.constantFrom('/a/', '/b/', '/c/', '/a.md', '/2019/03/hello.php', '/old/', '/old/é/');
const target = fc.constantFrom('/', '/a/', '/tags/?q=1', 'https://elsewhere.example/x&y/');

const given = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);

const entry = '{{ p.title }}{{ p.url }}{{ p.updated }}{{ p.author }}{{ p.cover.alt }}{{ p.description }}';
/** Shows of other posts all that a layout can. */
const layoutOfEverything = ['posts', 'newest', 'featured', 'post.related']
  .map((list) => `{% for p in ${list} %}${entry}{% endfor %}`)
  .concat(
    ['newer', 'older', 'series.previous', 'series.next'].map((name) => `{{ post.${name}.title }}`),
    '{{ page.newer }}{{ page.older }}{{ page.tag.label }}{{ content }}',
  )
  .join('|');

const blogPatch = fc.record<BlogPatch>({
  slug: given('ink', 'type'),
  name: given('Renamed', 'On <names>'),
  description: given('', 'Another.'),
  themeConfig: fc.record({
    customCss: given(null, 'p{}'),
    adCode: given(null, '<b>ad'),
    headerHtml: given(null, '<!-- top --><i>'),
    footerHtml: given(null, '<script>1</script>'),
    layout: given(
      null,
      '<hr>{{ page.title }}{{ content }}',
      '{% if post %}{{ post.date }}{% endif %}{{ content }}',
      layoutOfEverything,
    ),
  }),
  settings: fc.record({
    accentColor: given(null, '#0a7ea4'),
    language: given(null, 'de', 'he'),
    author: given(null, { name: 'Ada', url: null, image: null }),
    navigation: given([], [{ label: 'A', url: '/archive/' }]),
    frontPage: given(null, { page: 'a', list: 'b' }, { page: 'c', list: 'writing' }),
  }),
});

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: blogPatch.map((patch): Step => ({ do: 'update blog', patch })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...tierNames).map((tier): Step => ({ do: 'move account', tier })),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(oldAddress, target).map(([from, to]): Step => ({ do: 'set redirect', from, to })),
    },
    { weight: 1, arbitrary: oldAddress.map((from): Step => ({ do: 'remove redirect', from })) },
    { weight: 4, arbitrary: create.map((input): Step => ({ do: 'create', input })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(1, 4, 9, 10, 11, 16), tags, date)
        .map(([count, tags, since]): Step => ({ do: 'create many', count, tags, since })),
    },
    {
      weight: 4,
      arbitrary: fc.tuple(post, patch).map(([post, patch]): Step => ({ do: 'update', post, patch })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('publish', 'publish', 'unpublish', 'schedule'), post, date)
        .map(([what, post, date]): Step => ({ do: what, post, ...(what === 'publish' && { date }) })),
    },
    { weight: 3, arbitrary: post.map((post): Step => ({ do: 'delete', post })) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: 15 }).map((count): Step => ({ do: 'delete newest', count })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ which: fc.constantFrom('one', 'two'), leadsHere: fc.boolean() })
        .map((domain): Step => ({ do: 'register domain', ...domain })),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'remove domain' }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 31).map((days): Step => ({ do: 'wait', days })) },
    { weight: 2, arbitrary: fc.constant<Step>({ do: 'make base' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Step[]>(
        { do: 'set icon', image: 1 },
        { do: 'set icon', image: 2 },
        { do: 'set icon', image: null },
        { do: 'delete icon image', image: 1 },
      ),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'make icons' }) },
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'build' }) },
  ),
  { minLength: 1, maxLength: 25, size: 'max' },
);

/** The target of steps: a blog, the caller who writes, and what readers must see. */
interface Stage {
  readonly workshop: Workshop;
  readonly caller: Caller;
  readonly blog: Blog;
  readonly expected: ExpectedBlog;
  build(): Promise<void>;
}

/** Takes a step as a client would. A step that the service refuses (a slug in use) changes nothing. */
export async function take(step: Step, stage: Stage): Promise<void> {
  const { workshop, caller, blog, expected, build } = stage;
  const { services, clock } = workshop;
  const { posts, publication } = services;
  const pick = async <T>(place: number, write: (slug: string) => Promise<T>, then: (answer: T) => void) => {
    const all = expected.slugs();
    const chosen = all[place % Math.max(1, all.length)];
    if (chosen !== undefined) await unlessRefused(write(chosen), then);
  };
  const remove = async (slug: string) => {
    await posts.remove(blog, slug);
    expected.removed(slug);
  };
  switch (step.do) {
    case 'create':
      return unlessRefused(posts.create(caller, blog, step.input), (post) =>
        expected.created(step.input, post),
      );
    case 'create many':
      for (let n = 0; n < step.count; n++) {
        const publishedAt = step.since && new Date(Date.parse(step.since) - n * 60 * 60 * 1000).toISOString();
        await take(published(`N ${n}`, { tags: step.tags, publishedAt }), stage);
      }
      return;
    case 'update':
      return pick(
        step.post,
        (slug) => posts.update(blog, slug, step.patch),
        (post) => expected.updated(step.patch, post),
      );
    case 'publish':
      return pick(
        step.post,
        async (slug) => {
          await publication.publish(caller, blog, slug, step.date);
          return posts.getState(blog, slug);
        },
        (post) => expected.published(post),
      );
    case 'unpublish':
      return pick(
        step.post,
        (slug) => publication.unpublish(blog, slug),
        (post) => expected.withdrawn(post),
      );
    case 'schedule':
      return pick(
        step.post,
        (slug) => publication.schedule(caller, blog, slug, '2199-01-01T00:00:00.000Z'),
        (post) => expected.withdrawn(post),
      );
    case 'delete':
      return pick(step.post, remove, () => {});
    case 'delete newest':
      for (const slug of expected.slugs().slice(0, step.count)) await remove(slug);
      return;
    case 'set redirect':
      return unlessRefused(setRedirect(stage, step.from, step.to), () =>
        expected.redirectSet(step.from, step.to),
      );
    case 'remove redirect':
      return unlessRefused(removeRedirect(stage, step.from), () => expected.redirectRemoved(step.from));
    case 'register domain':
      await unlessRefused(
        services.domains.register(caller, blog.id, `${step.which}.${blog.slug}.example.org`),
      );
      return checkDomains(workshop, step.leadsHere);
    case 'remove domain':
      return unlessRefused(services.domains.remove(caller, blog.id));
    case 'make base':
      return hurryBase(workshop, blog);
    case 'update blog':
      return unlessRefused(
        services.blogs.update(caller, blog.id, namedFor(blog, step.patch)),
        ({ blog: { name }, settings }) => {
          expected.renamed(name);
          expected.fronted(settings.frontPage);
          expected.spoken(settings.language);
        },
      );
    case 'move account':
      await services.accounts.setTier(caller.accountId, step.tier);
      return expected.movedTo(step.tier);
    case 'set icon':
      await setIcon(step.image, stage);
      return expected.iconSet(step.image);
    case 'make icons':
      await makeIcons(stage);
      return expected.iconsMade();
    case 'delete icon image':
      await unlessRefused(services.imageLibrary.remove(caller, iconImageId(blog, step.image)));
      return expected.iconImageDeleted(step.image);
    case 'wait':
      return clock.skip(step.days);
    case 'build':
      return build();
  }
}

/** A slug is one of the blog's own, so that blogs of several runs do not compete. */
const namedFor = (blog: Blog, patch: BlogPatch): BlogPatch =>
  patch.slug === undefined ? patch : { ...patch, slug: `${patch.slug}-${blog.slug}` };

const fieldsOf = (from: string, to: string) => schema.setRedirectsBody.parse({ from, to });

const setRedirect = ({ workshop, caller, blog }: Stage, from: string, to: string) =>
  workshop.services.redirects.set(caller, blog.id, fieldsOf(from, to));

const removeRedirect = ({ workshop, caller, blog }: Stage, from: string) =>
  workshop.services.redirects.remove(caller, blog.id, { path: fieldsOf(from, '/')[0]?.path ?? '' });

/** The id of an image of a blog, by number. */
const iconImageId = ({ id }: Blog, image: number): string => id.slice(0, -1) + String(image);

/** Sets an icon by the address of an image, which is uploaded unless it is there. */
async function setIcon(image: number | null, { workshop, caller, blog }: Stage): Promise<void> {
  const { services, clock, config } = workshop;
  const { db } = services;
  if (image === null) {
    await services.blogs.update(caller, blog.id, { settings: { icon: null } });
    return;
  }
  const id = iconImageId(blog, image);
  const path = mediaPath(blog.id, id, 'image/png');
  if (!(await findImage(db, id))) {
    const sizes = { bytes: 9, width: 9, height: 9 };
    await insertImage(db, {
      ...sizes,
      ...{ id, path, blogId: blog.id, filename: null, createdAt: clock.now() },
    });
  }
  const url = `${config.mediaUrl}/${path.replace(/^media\//, '')}`;
  await services.blogs.update(caller, blog.id, { settings: { icon: { url, isMade: false, former: null } } });
}

/** Records the files of all icons of a blog as made, without a picture. */
async function makeIcons({ workshop, blog }: Stage): Promise<void> {
  const { db, clock } = workshop.services;
  const due = db.selectFrom('images').select('id').where('blog_id', '=', blog.id).where('is_icon', '=', 1);
  for (const { id } of await due.execute()) {
    const favicon = Buffer.from(`favicon ${id.at(-1)}`).toString('base64');
    await db.transaction().execute(async (tx) => {
      await settleVariants(tx, id, [], { isIcon: true, favicon });
      await showIcon(tx, id, clock.now());
    });
  }
}

const refusals: readonly string[] = ['bad_request', 'conflict', 'forbidden', 'not_found'];

/** Lets DNS say of every domain that is due that it points to its blog, or that nothing is known. */
async function checkDomains({ services, config }: Workshop, leadsHere: boolean): Promise<void> {
  const { db, clock, write } = services;
  const dns = { checkTarget: async () => (leadsHere ? 'here' : 'unknown') } as const;
  const parts = { db, clock, dns, tiers: config.tiers, cnameTarget: () => '', subdomainOf: () => '', write };
  await createDomainChecks(parts).checkDue();
}

async function unlessRefused<T>(work: Promise<T>, then: (answer: T) => void = () => {}): Promise<void> {
  try {
    then(await work);
  } catch (error) {
    if (!(error instanceof DomainError && refusals.includes(error.code))) throw error;
  }
}

const published = (title: string, given: Partial<PostInput> = {}): Step => ({
  do: 'create',
  input: {
    title,
    content: 'x',
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
    ...given,
  },
});
const build: Step = { do: 'build' };
const theme = (themeConfig: BlogPatch['themeConfig']): Step => ({
  do: 'update blog',
  patch: { themeConfig },
});

/**
 * Sequences that random steps rarely produce: list pages that appear and vanish alone, and addresses that change
 * owners.
 */
export const corners: [Step[]][] = [
  [
    [
      published('A', { slug: 'a' }),
      { do: 'update', post: 0, patch: { slug: 'b' } },
      theme({ headerHtml: '<b>', layout: '{{ page.kind }}{{ content }}' }),
      build,
      { do: 'move account', tier: 'creator' },
      build,
      { do: 'move account', tier: 'free' },
    ],
  ],
  [
    [
      { do: 'create many', count: 10, tags: ['Rust'] },
      build,
      { do: 'create many', count: 1, tags: ['rust'] },
    ],
  ],
  [[{ do: 'create many', count: 11, tags: ['C++'] }, build, { do: 'delete newest', count: 1 }]],
  // A layout shows the newest posts at the root, which is a page and no list.
  [
    [
      published('A', { slug: 'a', type: 'page' }),
      { do: 'update blog', patch: { settings: { frontPage: { page: 'a', list: 'b' } } } },
      theme({ layout: layoutOfEverything }),
      build,
      published('B', { slug: 'c', isFeatured: true }),
      build,
      { do: 'create many', count: 11, tags: [] },
      build,
      { do: 'delete newest', count: 2 },
      build,
      { do: 'update', post: 1, patch: { isFeatured: false } },
    ],
  ],
  // The front page shows whole list pages, and so the eleventh post, too.
  [[{ do: 'create many', count: 11, tags: ['C++'] }, build, { do: 'delete', post: 10 }]],
  // Posts of one day between others: their list page is split, and split again.
  [
    [
      { do: 'create many', count: 11, tags: ['Rust'], since: '2019-03-05T00:00:00.000Z' },
      { do: 'create many', count: 11, tags: ['Rust'] },
      build,
      { do: 'create many', count: 16, tags: ['rust'], since: '2025-11-30T12:00:00.000Z' },
      build,
      { do: 'create many', count: 16, tags: [], since: '2025-11-30T12:00:00.000Z' },
      { do: 'update', post: 3, patch: { publishedAt: '2019-03-05T00:00:00.000Z' } },
      build,
      { do: 'delete newest', count: 12 },
    ],
  ],
  [
    [
      published('A', { slug: 'a' }),
      { do: 'update', post: 0, patch: { slug: 'b' } },
      build,
      published('B', { slug: 'a' }),
    ],
  ],
  [
    [
      published('A', { slug: 'a' }),
      { do: 'update', post: 0, patch: { slug: 'b' } },
      build,
      published('B', { slug: 'a', status: 'draft' }),
    ],
  ],
  [
    [
      published('A', { slug: 'a' }),
      { do: 'update', post: 0, patch: { slug: 'b' } },
      build,
      { do: 'update', post: 0, patch: { slug: 'a' } },
    ],
  ],
  // A page is at the root, moves, and goes; and the list with it.
  [
    [
      published('A', { slug: 'a', type: 'page' }),
      { do: 'create many', count: 12, tags: ['Ink'] },
      build,
      { do: 'update blog', patch: { settings: { frontPage: { page: 'a', list: 'writing' } } } },
      build,
      { do: 'update', post: 12, patch: { slug: 'b', title: 'B' } },
      build,
      { do: 'unpublish', post: 12 },
      build,
      { do: 'publish', post: 12 },
      build,
      { do: 'delete', post: 12 },
      build,
      { do: 'update blog', patch: { settings: { frontPage: null } } },
    ],
  ],
  // Parts of a series come, change places and go; posts are picked out, hidden and shown again.
  [
    [
      published('One', { series: { name: 'Ink' }, tags: ['Ink'], isFeatured: true }),
      published('Three', { series: { name: 'Ink', part: 3 } }),
      published('Two', { series: { name: 'ink', part: 2 } }),
      { do: 'create many', count: 12, tags: ['Ink'] },
      build,
      { do: 'update', post: 14, patch: { series: { name: 'Ink', part: 4 } } },
      build,
      { do: 'update', post: 13, patch: { isUnlisted: true } },
      build,
      { do: 'update', post: 13, patch: { isUnlisted: false, isFeatured: true } },
      { do: 'delete', post: 12 },
      build,
      { do: 'update', post: 14, patch: { series: null } },
    ],
  ],
  // A post takes the address of a redirect, gives it back, takes it with a former slug, and is deleted.
  [
    [
      { do: 'set redirect', from: '/a/', to: '/tags/?q=1' },
      { do: 'set redirect', from: '/a.md', to: '/' },
      build,
      published('A', { slug: 'a' }),
      build,
      { do: 'unpublish', post: 0 },
      build,
      { do: 'publish', post: 0 },
      { do: 'update', post: 0, patch: { slug: 'b' } },
      build,
      published('C', { slug: 'a', status: 'draft' }),
      build,
      { do: 'remove redirect', from: '/a/' },
    ],
  ],
  // An icon comes, is replaced by one that was made before, and goes with its image.
  [
    [
      { do: 'set icon', image: 1 },
      build,
      { do: 'make icons' },
      published('A', { slug: 'a' }),
      build,
      { do: 'set icon', image: 2 },
      build,
      { do: 'make icons' },
      build,
      { do: 'set icon', image: 1 },
      build,
      { do: 'delete icon image', image: 1 },
    ],
  ],
  // The image of an icon goes while pages have it until the next one is made.
  [
    [
      { do: 'set icon', image: 1 },
      { do: 'make icons' },
      published('A', { slug: 'a' }),
      { do: 'set icon', image: 2 },
      build,
      { do: 'set icon', image: 2 },
      build,
      { do: 'delete icon image', image: 1 },
      build,
      { do: 'make icons' },
    ],
  ],
];
