import { nearestName } from '../../generator/nearest-name.ts';
import { quotedName, shownName } from '../../generator/shown-name.ts';
import type { Mistakes } from '../wire/mistake.ts';

/**
 * Well-formed language tags whose language nobody knows, such as `english`, each with the tag that was probably meant.
 * `tags`: paths of fields with their tags.
 */
export function languageMistakes(tags: readonly (readonly [field: string, tag: string])[]): Mistakes {
  const first = tags.flatMap(([field, tag]) => {
    if (isKnown(tag)) return [];
    const near = nearestTag(tag);
    const hint = near === null ? ', such as en, pt-BR or ja' : `: did you mean ${quotedName(near)}?`;
    const message = `${quotedName(tag)} is no language tag that is known${hint}`;
    return [{ field: shownName(field), message, warning: `${shownName(field)}: ${message}` }];
  });
  return { first, more: 0 };
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

const isKnown = (tag: string): boolean => englishNames.of(new Intl.Locale(tag).language) !== undefined;

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Tags of two letters by the English names of their languages. Computed once it is needed. */
let tagsByName: ReadonlyMap<string, string> | null = null;

function nearestTag(tag: string): string | null {
  tagsByName ??= new Map(
    LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).flatMap((code): [string, string][] => {
      const name = englishNames.of(code);
      return name === undefined ? [] : [[name, code]];
    }),
  );
  const name = nearestName(new Intl.Locale(tag).language, [...tagsByName.keys()]);
  return name === null ? null : (tagsByName.get(name) ?? null);
}
