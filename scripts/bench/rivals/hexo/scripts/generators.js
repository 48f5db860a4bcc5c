/** Month pages, feeds and sitemap, which Hexo's own generators do not produce in the form of the Hugo site. */
const pagination = require('hexo-pagination');

const newest = (posts) => posts.sort('-date');

hexo.extend.generator.register('months', ({ posts }) => {
  const months = new Map();
  newest(posts).forEach((post) => {
    const month = post.date.format('YYYY-MM');
    if (!months.has(month)) months.set(month, []);
    months.get(month).push(post);
  });
  const { Query } = hexo.model('Post');
  const lists = [...months].flatMap(([month, found]) =>
    pagination(`archive/${month}/`, new Query(found), {
      perPage: 10,
      layout: ['index'],
      format: 'page/%d/',
      data: { heading: month },
    }),
  );
  return [
    { path: 'archive/index.html', layout: ['names'], data: { names: [...months.keys()], base: '/archive/' } },
    ...lists,
  ];
});

hexo.extend.generator.register('names', ({ tags }) => [
  {
    path: 'tags/index.html',
    layout: ['names'],
    data: { names: tags.map(({ name }) => name), base: '/tags/' },
  },
  { path: '404.html', layout: ['names'], data: { names: [], base: '/' } },
]);

hexo.extend.generator.register('feeds', ({ posts, tags }) => [
  { path: 'feed.xml', data: () => feed('Posts', newest(posts).limit(30)) },
  ...tags.map((tag) => ({
    path: `${tag.path}feed.xml`,
    data: () => feed(tag.name, newest(tag.posts).limit(10)),
  })),
]);

hexo.extend.generator.register('sitemap', ({ posts }) => {
  const urls = newest(posts).map(
    ({ permalink, date }) => `<url><loc>${permalink}</loc><lastmod>${date.toISOString()}</lastmod></url>`,
  );
  const data = `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
  return { path: 'sitemap.xml', data };
});

function feed(name, posts) {
  const { url, title } = hexo.config;
  const items = posts.map(
    (post) => `<item>
<title>${escaped(post.title)}</title>
<link>${post.permalink}</link>
<guid>${post.permalink}</guid>
<pubDate>${post.date.toDate().toUTCString()}</pubDate>
${post.tags.map((tag) => `<category>${escaped(tag.name)}</category>`).join('')}
<description>${escaped(post.description)}</description>
<content:encoded>${escaped(post.content)}</content:encoded>
</item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${escaped(`${name} · ${title}`)}</title>
<link>${url}</link>
<description>${escaped(name)}</description>
<language>en</language>
${items.join('\n')}
</channel>
</rss>
`;
}

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
