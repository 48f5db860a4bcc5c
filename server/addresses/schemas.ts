import { z } from 'zod';
import { quotedName } from '../../generator/shown-name.ts';
import { countCharacters, line, MAX_URL } from '../wire/text.ts';
import { nearestLanguage } from './nearest-language.ts';
import { postSlugPattern } from './slug.ts';
import { canonicalLanguage, type Translations } from './translations.ts';
import { isWebAddress, NAMES_A_USER, namesUser } from './web-address.ts';

/** Our own limits: the interface has no translations. */
const MAX_TRANSLATIONS = 20;
const MAX_LANGUAGE = 35;

/** What is wrong with a text that is no language tag. */
function describeNoLanguage(text: unknown): string {
  const near =
    typeof text === 'string' && countCharacters(text) <= MAX_LANGUAGE ? nearestLanguage(text) : null;
  const rule = 'must be a language tag (BCP 47) like en, pt-BR or ja';
  return near === null ? rule : `${rule}: did you mean ${quotedName(near)}?`;
}

/** A BCP 47 language tag, in its canonical form. */
export const language = line(MAX_LANGUAGE)
  .refine((text) => canonicalLanguage(text) !== null, {
    error: ({ input }) => describeNoLanguage(input),
  })
  .transform((text) => canonicalLanguage(text) ?? text)
  .meta({ example: 'en' });

const EXAMPLE = { ja: 'nihongo-no-kiji', de: 'https://example.org/de/artikel/' };

const target = line(MAX_URL)
  .refine(
    (text) => postSlugPattern.test(text) || isWebAddress(text),
    'must be the slug of a post, or an http or https address',
  )
  .refine((text) => !namesUser(text), NAMES_A_USER);

/** Entries are validated one by one, so that an error names the key. */
export const translations = z
  .record(z.string(), z.unknown(), 'must be an object that maps language tags to slugs or addresses')
  .transform((given, ctx): Translations => {
    const refuse = (message: string, ...path: string[]) =>
      ctx.issues.push({ code: 'custom', message, path, input: given });
    const entries = Object.entries(given);
    if (entries.length > MAX_TRANSLATIONS) refuse(`must be at most ${MAX_TRANSLATIONS} languages`);
    const found = new Map<string, string>();
    for (const [key, value] of entries.slice(0, MAX_TRANSLATIONS)) {
      const name = shorten(key);
      const lang = name === key ? canonicalLanguage(key) : null;
      const to = target.safeParse(value, { error: () => 'must be a string' });
      if (name !== key) refuse(`must be a language tag of at most ${MAX_LANGUAGE} characters`, name);
      else if (lang === null) refuse(describeNoLanguage(key), key);
      else if (found.has(lang)) refuse(`is the language ${lang}, which is named twice`, key);
      else if (!to.success) refuse(to.error.issues[0]?.message ?? 'is not valid', key);
      else found.set(lang, to.data);
    }
    return Object.fromEntries([...found].sort());
  })
  .meta({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_URL },
    maxProperties: MAX_TRANSLATIONS,
    example: EXAMPLE,
  });

/** Translations in responses. */
export const translationsResponse = z.record(z.string(), z.string()).meta({ example: EXAMPLE });

/** A key, shortened for error messages. */
const shorten = (key: string): string =>
  countCharacters(key) > MAX_LANGUAGE ? `${[...key].slice(0, MAX_LANGUAGE).join('')}…` : key;
