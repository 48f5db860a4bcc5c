/** What an owner may add to the theme of a blog: CSS and HTML of their own, and a layout in place of the theme's. */
export const themeKeys = ['customCss', 'adCode', 'headerHtml', 'footerHtml', 'layout'] as const;
export type ThemeKey = (typeof themeKeys)[number];

/** The keys that are set; none of them is empty. */
export type ThemeConfig = Readonly<Partial<Record<ThemeKey, string>>>;

/** Changes to single keys: null and the empty string remove one, what is missing stays. */
export type ThemePatch = Readonly<Partial<Record<ThemeKey, string | null | undefined>>>;

export function patchTheme(config: ThemeConfig, patch: ThemePatch): ThemeConfig {
  const patched: Partial<Record<ThemeKey, string>> = {};
  for (const key of themeKeys) {
    const value = patch[key] === undefined ? config[key] : patch[key];
    if (value) patched[key] = value;
  }
  return patched;
}
