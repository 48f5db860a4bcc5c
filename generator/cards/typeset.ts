import { type FontPackage, type FontWeight, findSlice, type Slice } from './slices.ts';

/** Text in which every character has a glyph or a picture. */
export interface TypesetText {
  readonly text: string;
  /** Font families for satori's `fontFamily`, separated by commas, in the order in which it must search them. */
  readonly families: string;
  /** False if a character was left out because no font has it. */
  readonly complete: boolean;
}

/** A grapheme that satori places as an image: one private-use character of the text stands for it. */
export interface Picture {
  readonly grapheme: string;
  readonly slice: Slice;
}

type TypesetPiece = string | Picture | null;

/** Prepares the texts of one card, and collects the fonts and pictures that they need. */
export interface Typesetter {
  set(raw: string, weight: FontWeight): TypesetText;
  readonly slices: ReadonlySet<Slice>;
  /** By the private-use character that stands for the picture. */
  readonly pictures: ReadonlyMap<string, Picture>;
}

/** Length limits: of a text in UTF-16 code units, and of a grapheme in characters. The rest is cut off. */
const maxText = 2000;
const maxGrapheme = 8;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?:\ufe0f|\u200d|\p{Emoji_Modifier})|[#*\d]\ufe0f?\u20e3)/u;
/** Characters that show nothing. Joiners are kept because they change their neighbours' shapes. */
const invisible = /^[\u200c\u200d]+|(?![\u200c\u200d])[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
const joiners: ReadonlySet<number> = new Set([0x200c, 0x200d]);
const firstPicture = 0xe000;

/** `lang` selects the Chinese, Japanese or Korean forms of Han characters; if it is null, the title's script does. */
export function createTypesetter(lang: string | null, title: string): Typesetter {
  const packages = packagesFor(lang, title);
  const slices = new Set<Slice>();
  const pictures = new Map<string, Picture>();

  function set(raw: string, weight: FontWeight): TypesetText {
    const own = new Set(baseSlices(weight));
    const chosen = splitGraphemes(normaliseText(raw)).flatMap((grapheme) =>
      choosePieces(grapheme, weight, own),
    );
    const ordered = [...own].sort(byPackage);
    for (const slice of ordered) slices.add(slice);
    const drawn = chosen.map((piece) => (piece === null ? ' ' : pieceToText(piece, ordered)));
    return {
      text: drawn.join('').replace(/ +/g, ' ').trim(),
      families: ordered.map(({ name }) => name).join(),
      complete: !chosen.includes(null),
    };
  }

  /** Decides how a grapheme is drawn: as text, as a picture, or not at all. Adds the slices for text to `own`. */
  function choosePieces(grapheme: string, weight: FontWeight, own: Set<Slice>): TypesetPiece[] {
    if (emoji.test(grapheme)) return [emojiPicture(grapheme)];
    const text = [...grapheme.replace(invisible, '')].slice(0, maxGrapheme).join('');
    const [base] = text;
    if (base === undefined) return [];
    const slice = findSlice(packages, weight, codesOf(base));
    // Styled letters (U+1D400 to U+1D7FF) and the like are replaced by plain ones.
    if (slice === undefined || base.length > 1) {
      const plain = base.normalize('NFKC');
      if (plain !== base) return splitGraphemes(plain).flatMap((part) => choosePieces(part, weight, own));
    }
    if (slice === undefined) return [null];
    // Satori finds a font by the first UTF-16 code unit, and would use the same one for all that share a surrogate.
    if (base.length > 1 || slice.fontPackage === 'noto-emoji') return [{ grapheme: base, slice }];
    own.add(slice);
    return [text];
  }

  function pieceToText(piece: string | Picture, ordered: readonly Slice[]): string {
    if (typeof piece === 'string') return withoutUnsupportedMarks(piece, ordered);
    const known = [...pictures].find(
      ([, { grapheme, slice }]) => grapheme === piece.grapheme && slice === piece.slice,
    );
    const key = known?.[0] ?? String.fromCharCode(firstPicture + pictures.size);
    pictures.set(key, piece);
    return key;
  }

  /** Satori takes the first slice that has a grapheme's first character, so the preferred package comes first. */
  function byPackage(a: Slice, b: Slice): number {
    return packages.indexOf(a.fontPackage) - packages.indexOf(b.fontPackage);
  }

  return { set, slices, pictures };
}

/** Emoji are pictures in one weight. A sequence that no slice has as a whole is reduced to its first emoji. */
function emojiPicture(grapheme: string): Picture | null {
  const sequence = grapheme.replace(/[\ufe0e\ufe0f]/g, '');
  for (const sign of [sequence, ...sequence].slice(0, 2)) {
    const slice = findSlice(['noto-emoji'], 700, codesOf(sign));
    if (slice !== undefined) return { grapheme: sign, slice };
  }
  return null;
}

/** The Latin slice has the space and the ellipsis, and satori needs at least one font. */
function baseSlices(weight: FontWeight): Slice[] {
  return [findSlice(['noto-sans'], weight, [0x20]) ?? []].flat();
}

/** Font packages in order of preference. The text's own Han form comes first, for the characters around it too. */
function packagesFor(lang: string | null, title: string): FontPackage[] {
  const western: FontPackage[] = ['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai'];
  const language = lang?.split('-')[0] ?? '';
  if (language === 'ja' || (lang === null && /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(title)))
    return ['noto-sans-jp', ...western, 'noto-sans-sc', 'noto-sans-kr', 'noto-emoji'];
  if (language === 'ko' || (lang === null && /\p{Script=Hangul}/u.test(title)))
    return ['noto-sans-kr', ...western, 'noto-sans-sc', 'noto-sans-jp', 'noto-emoji'];
  const eastern: FontPackage[] = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'];
  const chinese = language === 'zh' || (lang === null && /\p{Script=Han}/u.test(title));
  return [...(chinese ? [...eastern, ...western] : [...western, ...eastern]), 'noto-emoji'];
}

/** Normalised to NFC, with at most three marks in a row, on one line. No-break spaces stay. */
function normaliseText(raw: string): string {
  return raw
    .slice(0, maxText)
    .normalize('NFC')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\u202f/g, '\u00a0')
    .replace(/[^\S\u00a0\ufeff]+/g, ' ');
}

/** Removes marks that the font of their letter lacks: they would be drawn as boxes. */
function withoutUnsupportedMarks(grapheme: string, ordered: readonly Slice[]): string {
  const [base = ''] = grapheme;
  const slice = ordered.find(({ covers }) => codesOf(base).every((code) => covers.has(code)));
  return [...grapheme]
    .filter((character) => codesOf(character).every((code) => joiners.has(code) || slice?.covers.has(code)))
    .join('');
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
