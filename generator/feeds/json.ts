import { authorOf, entryId, type FeedFormatter, ownLanguage } from './format.ts';

/** JSON Feed 1.1 (jsonfeed.org). */
export const json: FeedFormatter = {
  frame({ blog, title, description, url, feedUrl }) {
    const author = authorOf(blog);
    const head = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      home_page_url: url,
      feed_url: feedUrl,
      ...(description && { description }),
      language: blog.settings.language,
      authors: [{ name: author.name, ...(author.url && { url: author.url }) }],
    });
    return { open: `${head.slice(0, -1)},"items":[\n`, between: ',\n', close: '\n]}\n' };
  },

  entry(entry) {
    const { post, url, content } = entry;
    const language = ownLanguage(entry);
    return JSON.stringify({
      id: entryId(post),
      url,
      title: post.title,
      ...(post.description && { summary: post.description }),
      content_html: content,
      date_published: post.publishedAt,
      date_modified: post.updatedAt,
      ...(post.tags.length > 0 && { tags: post.tags.map(({ label }) => label) }),
      ...(post.ogImage && { image: post.ogImage }),
      ...(language && { language }),
    });
  },
};
