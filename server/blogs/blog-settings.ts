import type { BlogSettings } from '../../generator/site.ts';

/** Names of the settings of a blog. A patch uses the same names. */
const settingNames = ['accentColor', 'language', 'author', 'socialLinks', 'navigation', 'frontPage'] as const;

export const defaultSettings: BlogSettings = {
  accentColor: null,
  language: 'en',
  author: null,
  socialLinks: [],
  navigation: [],
  frontPage: null,
};

/** New values of single settings: null restores the default; a missing setting keeps its value. */
export type SettingsPatch = { readonly [Name in keyof BlogSettings]?: BlogSettings[Name] | null | undefined };

export function patchSettings(settings: BlogSettings, patch: SettingsPatch): BlogSettings {
  const changed = settingNames
    .filter((name) => patch[name] !== undefined)
    .map((name) => [name, patch[name] ?? defaultSettings[name]]);
  return { ...settings, ...Object.fromEntries(changed) };
}
