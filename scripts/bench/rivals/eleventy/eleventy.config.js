/** The same pages as in ../hugo. Markdown is not processed by a template language first. */
const PER_PAGE = 10;

export default function configure(eleventy) {
  const newestFirst = (api) => api.getFilteredByGlob('posts/*.md').reverse();

  eleventy.addCollection('newest', (api) => {
    const posts = newestFirst(api);
    posts.forEach((post, n) => {
      post.data.newer = posts[n - 1];
      post.data.older = posts[n + 1];
    });
    return posts;
  });
  eleventy.addCollection('tagPages', (api) => listPages(byName(newestFirst(api), tagsOf), 'tags'));
  eleventy.addCollection('monthPages', (api) => listPages(byName(newestFirst(api), monthsOf), 'archive'));
  eleventy.addCollection('tagFeeds', (api) =>
    [...byName(newestFirst(api), tagsOf)].map(([name, posts]) => ({ name, posts: posts.slice(0, 10) })),
  );

  eleventy.addFilter('iso', (date) => date.toISOString());
  eleventy.addFilter('day', (date) =>
    date.toLocaleDateString('en', { year: 'numeric', month: 'long', day: 'numeric' }),
  );
  eleventy.addFilter('utc', (date) => date.toUTCString());
  eleventy.addFilter('first', (list, count) => list.slice(0, count));
  return { markdownTemplateEngine: false, htmlTemplateEngine: 'njk' };
}

const tagsOf = ({ data }) => data.tags;
const monthsOf = ({ date }) => [date.toISOString().slice(0, 7)];

function byName(posts, namesOf) {
  const lists = new Map();
  for (const post of posts) {
    for (const name of namesOf(post)) {
      if (!lists.has(name)) lists.set(name, []);
      lists.get(name).push(post);
    }
  }
  return lists;
}

function listPages(lists, folder) {
  return [...lists].flatMap(([name, posts]) => {
    const pages = Math.ceil(posts.length / PER_PAGE);
    const address = (page) => `/${folder}/${name}/${page === 0 ? '' : `page/${page + 1}/`}`;
    return Array.from({ length: pages }, (_, page) => ({
      name,
      address: address(page),
      posts: posts.slice(page * PER_PAGE, (page + 1) * PER_PAGE),
      newer: page > 0 ? address(page - 1) : null,
      older: page + 1 < pages ? address(page + 1) : null,
    }));
  });
}
