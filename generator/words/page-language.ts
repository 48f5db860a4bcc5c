import { postLanguage } from '../markdown/text/language.ts';
import type { HtmlView } from '../page.ts';

/**
 * The language of a page, which its words speak: a post's own, on a page of a list or a series the shared language of
 * its posts if they have one, and the blog's on every other page.
 */
export function pageLanguage(view: HtmlView): string {
  const { language } = view.blog.settings;
  switch (view.layout) {
    case 'post':
      return postLanguage(view.post, language);
    case 'list':
    case 'series': {
      const [first, ...others] = view.posts.map((post) => postLanguage(post, language));
      return first !== undefined && others.every((lang) => lang === first) ? first : language;
    }
    default:
      return language;
  }
}
