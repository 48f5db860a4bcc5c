import { yamlOf } from '../folder/output/write-post.ts';
import type { ImportSource } from './imported-blog.ts';

/** The limits of the API. What an export has beyond them is left out, so that the rest is taken. */
const MAX_NAME = 200;
const MAX_DESCRIPTION = 1_000;
const MAX_LINKS = 10;
const MAX_LABEL = 50;

/** The `platen.yaml` of an imported blog. */
export function settingsFile({ settings, redirects }: ImportSource): string {
  const { name, description, language, accentColor, navigation = [] } = settings;
  const links = navigation
    .filter(({ label, url }) => label.trim() !== '' && /^(?:\/|https?:\/\/)/.test(url))
    .slice(0, MAX_LINKS)
    .map(({ label, url }) => ({ label: label.slice(0, MAX_LABEL), url }));
  const fields = {
    language: language !== undefined && isLanguage(language) ? language : undefined,
    accent_color: accentColor !== undefined && /^#[\da-f]{6}$/i.test(accentColor) ? accentColor : undefined,
    navigation: links.length > 0 ? links : undefined,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return yamlOf({
    markdown: 'platen',
    name: name?.trim().slice(0, MAX_NAME) || undefined,
    description: description?.trim().slice(0, MAX_DESCRIPTION) || undefined,
    settings: Object.keys(given).length > 0 ? given : undefined,
    redirects: redirects.length > 0 ? redirects : undefined,
  });
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
