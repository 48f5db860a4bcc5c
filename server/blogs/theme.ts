/** What an owner may add to the theme of a blog: CSS and HTML of their own, and a layout in place of the theme's. */
export const themeKeys = ['customCss', 'adCode', 'headerHtml', 'footerHtml', 'layout'] as const;
export type ThemeKey = (typeof themeKeys)[number];

/** Those that stand as HTML in pages, once nothing in them is left open. */
export const ownerHtmlKeys = ['adCode', 'headerHtml', 'footerHtml'] as const;
export type OwnerHtmlKey = (typeof ownerHtmlKeys)[number];

/** What was made of an owner's HTML, under the keys that are set: it goes into pages as it is. */
export type OwnerHtml = Readonly<Partial<Record<OwnerHtmlKey, string>>>;

/** The keys that are set; none of them is empty. */
export type ThemeConfig = Readonly<Partial<Record<ThemeKey, string>>>;

/** Changes to single keys: null and the empty string remove one, what is missing stays. */
export type ThemePatch = Readonly<Partial<Record<ThemeKey, string | null | undefined>>>;

export const patchTheme = (config: ThemeConfig, patch: ThemePatch): ThemeConfig =>
  patched(themeKeys, config, patch);

/** What is made of an owner's HTML after a patch, of which the keys that are set have been made whole. */
export const patchOwnerHtml = (html: OwnerHtml, patch: ThemePatch, made: OwnerHtml): OwnerHtml =>
  patched(ownerHtmlKeys, html, { ...patch, ...made });

function patched<Key extends ThemeKey>(
  keys: readonly Key[],
  config: Readonly<Partial<Record<Key, string>>>,
  patch: ThemePatch,
): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const value = patch[key] === undefined ? config[key] : patch[key];
    if (value) result[key] = value;
  }
  return result;
}
