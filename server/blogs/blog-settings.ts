import type { BlogSettings } from '../../generator/site/blog.ts';
import { resolveAddress } from '../addresses/image-addresses.ts';

/** Names of the settings of a blog. A patch uses the same names. */
const settingNames = [
  'accentColor',
  'language',
  'author',
  'socialLinks',
  'navigation',
  'frontPage',
  'icon',
] as const;

export const defaultSettings: BlogSettings = {
  accentColor: null,
  language: 'en',
  author: null,
  socialLinks: [],
  navigation: [],
  frontPage: null,
  icon: null,
};

/** Stored settings with addresses of today instead of references to images. */
export const resolveSettings = (settings: BlogSettings, mediaUrl: string): BlogSettings => ({
  ...settings,
  icon: settings.icon && {
    ...settings.icon,
    url: resolveAddress(settings.icon.url, mediaUrl),
    former: settings.icon.former && resolveAddress(settings.icon.former, mediaUrl),
  },
  author: settings.author && {
    ...settings.author,
    image: settings.author.image && resolveAddress(settings.author.image, mediaUrl),
  },
});

/** New values of single settings: null restores the default; a missing setting keeps its value. */
export type SettingsPatch = { readonly [Name in keyof BlogSettings]?: BlogSettings[Name] | null | undefined };

export function patchSettings(settings: BlogSettings, patch: SettingsPatch): BlogSettings {
  const changed = settingNames
    .filter((name) => patch[name] !== undefined)
    .map((name) => [name, patch[name] ?? defaultSettings[name]]);
  return { ...settings, ...Object.fromEntries(changed) };
}
