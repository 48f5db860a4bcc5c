/** Theme parts that a blog's owner may set: CSS, owner HTML, and a layout that replaces the theme's. */
export const themeKeys = ['customCss', 'adCode', 'headerHtml', 'footerHtml', 'layout'] as const;
export type ThemeKey = (typeof themeKeys)[number];

/** Keys whose values go into pages as HTML, after open elements have been closed. */
export const ownerHtmlKeys = ['adCode', 'headerHtml', 'footerHtml'] as const;
export type OwnerHtmlKey = (typeof ownerHtmlKeys)[number];

/** Owner HTML with all open elements closed, for the keys that are set. Pages contain it verbatim. */
export type OwnerHtml = Readonly<Partial<Record<OwnerHtmlKey, string>>>;

/** The keys that are set. No value is empty. */
export type ThemeConfig = Readonly<Partial<Record<ThemeKey, string>>>;

/** Changes to single keys: null and the empty string remove a key; a missing key keeps its value. */
export type ThemePatch = Readonly<Partial<Record<ThemeKey, string | null | undefined>>>;

export const patchTheme = (config: ThemeConfig, patch: ThemePatch): ThemeConfig =>
  patchKeys(themeKeys, config, patch);

/** Owner HTML after a patch. `made` has the patch's HTML with all open elements closed. */
export const patchOwnerHtml = (html: OwnerHtml, patch: ThemePatch, made: OwnerHtml): OwnerHtml =>
  patchKeys(ownerHtmlKeys, html, { ...patch, ...made });

function patchKeys<Key extends ThemeKey>(
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
