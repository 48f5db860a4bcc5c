import { ownPreviewImage } from '../preview-image.ts';
import type { Author } from '../site/author.ts';
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
      authors: [jsonAuthor(author)],
    });
    return { open: `${head.slice(0, -1)},"items":[\n`, between: ',\n', close: '\n]}\n' };
  },

  entry(entry) {
    const { post, url, content } = entry;
    const language = ownLanguage(entry);
    const image = ownPreviewImage(post);
    return JSON.stringify({
      id: entryId(post),
      url,
      title: post.title,
      ...(post.description && { summary: post.description }),
      content_html: content,
      ...(post.author && { authors: [jsonAuthor(post.author)] }),
      date_published: post.publishedAt,
      date_modified: post.updatedAt,
      ...(post.tags.length > 0 && { tags: post.tags.map(({ label }) => label) }),
      ...(image && { image: image.url }),
      ...(language && { language }),
    });
  },
};

const jsonAuthor = ({ name, url, image }: Author) => ({
  name,
  ...(url && { url: new URL(url).href }),
  ...(image && { avatar: image }),
});
