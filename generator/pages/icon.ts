import { FAVICON, fileOf, MANIFEST, ROOT } from '../addresses.ts';
import { accentOf, PAPER } from '../colours.ts';
import { iconFile } from '../icon-files.ts';
import { type SiteBlog, shownIcon } from '../site/blog.ts';
import type { Site } from '../site/site.ts';
import type { BuiltPage, PageKind } from './page-kind.ts';

/**
 * What browsers and feed readers ask a blog with an icon for: its favicon.ico, and the manifest by which it can be put
 * on a home screen. Pages link to them, so they come first.
 */
export const icons: PageKind = {
  name: 'icon',
  stage: 'posts',
  allKeys: async ({ blog }) => (shownIcon(blog.settings) ? [FAVICON_KEY, MANIFEST_KEY] : []),
  affectedKeys: async () => [],
  async build(site, keys) {
    const icon = shownIcon(site.blog.settings);
    if (icon === null) return [];
    const pages = [await favicon(site), manifest(site.blog, icon)];
    return pages.filter(({ key }) => keys.includes(key));
  },
};

const FAVICON_KEY = 'icon:favicon';
const MANIFEST_KEY = 'icon:manifest';

async function favicon(site: Site): Promise<BuiltPage> {
  const bytes = await site.favicon();
  if (bytes === null) throw new Error(`the icon of the blog ${site.blog.name} has no favicon`);
  return { key: FAVICON_KEY, path: fileOf(FAVICON), body: { kind: 'bytes', bytes } };
}

/** Web Application Manifest (W3C). */
const manifest = ({ name, settings }: SiteBlog, icon: string): BuiltPage => ({
  key: MANIFEST_KEY,
  path: fileOf(MANIFEST),
  body: {
    kind: 'text',
    text: `${JSON.stringify({
      name,
      short_name: shorten(name),
      lang: settings.language,
      start_url: ROOT,
      display: 'browser',
      background_color: PAPER,
      theme_color: accentOf(settings),
      icons: ([192, 512] as const).map((width) => ({
        src: iconFile(icon, width),
        sizes: `${width}x${width}`,
        type: 'image/png',
      })),
    })}\n`,
  },
});

/** Characters that home screens have room for below an icon. */
const MAX_SHORT_NAME = 12;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** As many whole words as fit, or else as many characters. */
function shorten(name: string): string {
  const letters = Array.from(graphemes.segment(name), ({ segment }) => segment);
  if (letters.length <= MAX_SHORT_NAME) return name;
  const start = letters.slice(0, MAX_SHORT_NAME + 1);
  const end = start.lastIndexOf(' ');
  return start.slice(0, end > 0 ? end : MAX_SHORT_NAME).join('');
}
