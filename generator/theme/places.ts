/** Marks the cuts in a rendered page between which an owner's layout replaces the theme's parts around the content. */
export const CUT = '<!--cut-->';

const marks = ['post', 'css', 'header', 'footer', 'ad'] as const;

/** Texts that are put on the page unchanged. */
export type Texts = Readonly<Record<(typeof marks)[number], string>>;

/**
 * Placeholder comments for texts while Svelte renders the page. User text cannot imitate them, because Svelte escapes
 * every `<` in it. An empty text has no placeholder.
 */
export function placesOf(texts: Texts): Texts {
  const place = (name: keyof Texts): string => texts[name] && `<!--place:${name}-->`;
  return {
    post: place('post'),
    css: place('css'),
    header: place('header'),
    footer: place('footer'),
    ad: place('ad'),
  };
}

/**
 * Replaces placeholders with their texts, and removes Svelte's hydration comments, which no page here needs. The texts
 * themselves, which may contain anything, are not searched.
 */
export const fillPlaces = (html: string, texts: Texts): string =>
  html.replace(/<!--(?:place:([a-z]+)|.*?)-->/g, (_comment, name?: string) => textOf(name, texts));

function textOf(name: string | undefined, texts: Texts): string {
  const mark = marks.find((known) => known === name);
  return mark === undefined ? '' : texts[mark];
}
