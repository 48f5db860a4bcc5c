import { quotedName, shownName } from '../../generator/shown-name.ts';
import { fieldMistake, type Mistakes } from '../wire/mistake.ts';
import { isKnownLanguage, nearestLanguage } from './nearest-language.ts';
import type { Translations } from './translations.ts';

/**
 * Well-formed language tags whose language nobody knows, such as `english`, each with the tag that was probably meant.
 * `tags`: paths of fields with their tags. Messages leave the tag out: it is in its canonical form here, which is not
 * what the client sent.
 */
export function languageMistakes(tags: readonly (readonly [field: string, tag: string])[]): Mistakes {
  const first = tags.flatMap(([field, tag]) => {
    if (isKnownLanguage(tag)) return [];
    const near = nearestLanguage(tag);
    const hint = near === null ? ', such as en, pt-BR or ja' : `: did you mean ${quotedName(near)}?`;
    const message = `is no language tag that is known${hint}`;
    return [fieldMistake(shownName(field), message)];
  });
  return { first, more: 0 };
}

/** The same for a post. `at`: how the path of its fields begins, such as `posts[1].`. */
export const languageMistakesOf = (
  {
    language,
    translations,
  }: {
    readonly language?: string | null | undefined;
    readonly translations?: Translations | null | undefined;
  },
  at = '',
): Mistakes =>
  languageMistakes([
    ...(language ? [[`${at}language`, language] as const] : []),
    ...Object.keys(translations ?? {}).map((tag) => [`${at}translations.${tag}`, tag] as const),
  ]);
