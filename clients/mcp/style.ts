import type { Blog, Platen } from '../sdk/index.ts';

const NEWEST_POSTS = 10;
/** Enough of a post to hear its voice. */
const OPENING_CHARACTERS = 600;

/** How a blog looks and writes, as Markdown: its settings, its newest posts, their tags, and how the newest begins. */
export async function styleText(platen: Platen, slug: string): Promise<string> {
  const blog = await platen.blogs.get(slug);
  const query = { status: 'published', type: 'post', sort: 'published_at', per_page: NEWEST_POSTS } as const;
  const { data: posts } = await platen.posts.list(query, { blog: blog.id });
  const newest = posts[0] && (await platen.posts.get(posts[0].slug, { blog: blog.id }));
  const tags = [...new Set(posts.flatMap((post) => post.tags))];
  return [
    ...settingsLines(blog),
    '',
    '## Newest posts',
    ...posts.map(
      ({ title, slug: post, tags: own, meta_description }) =>
        `- ${title} (${[post, ...own].join(', ')}): ${meta_description}`,
    ),
    ...(tags.length === 0 ? [] : ['', `Tags in use: ${tags.join(', ')}`]),
    ...(newest ? ['', '## How the newest begins', newest.content_md.slice(0, OPENING_CHARACTERS)] : []),
  ].join('\n');
}

function settingsLines({ name, slug, url, description, settings, theme_config }: Blog): string[] {
  const { language, accent_color, author, navigation } = settings;
  const theme = Object.keys(theme_config);
  return [
    `# ${name}`,
    description,
    '',
    `- Address: ${url} (slug: ${slug})`,
    `- Language: ${language}`,
    ...(author ? [`- Author: ${author.name}`] : []),
    ...(accent_color ? [`- Accent colour: ${accent_color}`] : []),
    ...(navigation.length > 0 ? [`- Menu: ${navigation.map(({ label }) => label).join(', ')}`] : []),
    ...(theme.length > 0 ? [`- The owner's own theme parts: ${theme.join(', ')}`] : []),
  ];
}
