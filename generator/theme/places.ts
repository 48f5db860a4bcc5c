/** Marks where a page can be cut, so that an owner's layout takes the place of what is between main part and edges. */
export const CUT = '<!--cut-->';

const marks = ['post', 'css', 'header', 'footer', 'ad'] as const;

/** Texts that come out on the page as they are. */
export type Texts = Readonly<Record<(typeof marks)[number], string>>;

/**
 * Comments that keep the places of texts while Svelte renders the page. Nothing that people have written can be taken for
 * one, because Svelte escapes every `<` of theirs. A text that is empty has no place.
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
 * Puts texts in their places, and takes out the comments with which Svelte marks its output for hydration, which no page
 * here needs. The texts, which may hold anything, never pass through that.
 */
export const fillPlaces = (html: string, texts: Texts): string =>
  html.replace(/<!--(?:place:([a-z]+)|.*?)-->/g, (_comment, name?: string) => textOf(name, texts));

function textOf(name: string | undefined, texts: Texts): string {
  const mark = marks.find((known) => known === name);
  return mark === undefined ? '' : texts[mark];
}
