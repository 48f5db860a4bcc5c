/** Marks the cuts in a rendered page between which an owner's layout replaces the theme's parts around the content. */
export const CUT_MARK = '<!--cut-->';

/** The place of a preview's banner: the beginning of the body. */
export const BANNER_MARK = '<!--place:banner-->';

const placeholderNames = ['post', 'css', 'header', 'footer', 'ad', 'banner'] as const;

/** Texts that are put on the page unchanged. */
export type PlaceholderTexts = Readonly<Record<(typeof placeholderNames)[number], string>>;

/**
 * Placeholder comments for texts while Svelte renders the page. User text cannot imitate them, because Svelte escapes
 * every `<` in it. An empty text has no placeholder.
 */
export function placeholdersFor(texts: PlaceholderTexts): PlaceholderTexts {
  const place = (name: keyof PlaceholderTexts): string => texts[name] && `<!--place:${name}-->`;
  return {
    post: place('post'),
    css: place('css'),
    header: place('header'),
    footer: place('footer'),
    ad: place('ad'),
    banner: place('banner'),
  };
}

/**
 * Replaces placeholders with their texts, and removes Svelte's hydration comments, which no page here needs. The texts
 * themselves, which may contain anything, are not searched.
 */
export const fillPlaceholders = (html: string, texts: PlaceholderTexts): string =>
  html
    .replace(/<!--(?!place:).*?-->/g, '')
    .replace(/<!--place:([a-z]+)-->/g, (_comment, name: string) => placeholderText(name, texts));

function placeholderText(name: string, texts: PlaceholderTexts): string {
  const mark = placeholderNames.find((known) => known === name);
  return mark === undefined ? '' : texts[mark];
}
