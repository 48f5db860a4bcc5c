import { textColourOn } from '../colours.ts';
import { cardSize } from '../preview-image.ts';

/** Satori's element tree in plain objects. */
export interface LayoutElement {
  readonly type: 'div' | 'img';
  readonly props: {
    readonly src?: string;
    readonly width?: number;
    readonly height?: number;
    readonly style: Readonly<Record<string, string | number>>;
    readonly children?: string | readonly LayoutElement[];
  };
}

/** A text and the font families that have its characters. */
export interface FontText {
  readonly text: string;
  readonly families: string;
}

export interface TitleText extends FontText {
  /** In pixels. */
  readonly size: number;
}

/** A card's contents, ready for layout. Empty texts take no space. */
export interface TypesetCard {
  readonly title: TitleText;
  /** Empty if the title is the blog's name itself. */
  readonly blogName: FontText;
  /** Empty on a post's card. */
  readonly description: FontText;
  readonly host: FontText;
  readonly date: FontText;
  /** The letter in the blog's badge. */
  readonly initial: FontText;
  /** The blog's icon as a data URI, in place of the badge; null if there is none. */
  readonly icon: string | null;
  readonly direction: 'ltr' | 'rtl';
  readonly accent: string;
}

/** The space for a title with its description, in pixels. */
export const titleBox = { width: 1040, height: 330 } as const;

/** The part of it that a description of two lines takes. */
export const descriptionHeight = 132;
const descriptionSize = 36;

const ink = '#1c1917';
const paper = '#fbf8f2';
const muted = '#6d665c';
const hairline = '#ddd4c5';

/** Scripts that need taller lines, and whose letters must not be spaced. */
const tallScripts = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u;

/** In multiples of the font size. */
export function titleLineHeight(text: string): number {
  if (tallScripts.test(text)) return 1.4;
  return /[\p{Script=Han}\p{Script=Hangul}]/u.test(text) ? 1.3 : 1.14;
}

/** From top to bottom: a badge and the blog's name, the title, the description, a rule, the host and the date. */
export function layoutCard(face: TypesetCard): LayoutElement {
  const root = {
    ...cardSize,
    direction: face.direction,
    flexDirection: 'column',
    padding: '66px 80px 44px',
    color: ink,
    backgroundColor: paper,
    borderTop: `14px solid ${face.accent}`,
  };
  return box(root, [header(face), titleArea(face), footer(face)]);
}

/** A title at its width on the card. Balanced text takes the same number of lines, but is slower to lay out. */
export function layoutTitle(
  { text, families, size }: TitleText,
  textWrap: 'balance' | 'wrap',
): LayoutElement {
  const style = {
    width: titleBox.width,
    fontFamily: families,
    fontWeight: 700,
    fontSize: size,
    lineHeight: titleLineHeight(text),
    letterSpacing: tallScripts.test(text) ? 0 : -0.015 * size,
    overflowWrap: 'anywhere',
    textWrap,
  };
  return box(style, text);
}

/** A grapheme centred in a square of 100 pixels. */
export function layoutGlyph(grapheme: string, family: string, size: number): LayoutElement {
  const style = {
    fontFamily: family,
    fontWeight: 700,
    fontSize: size,
    lineHeight: 1,
    whiteSpace: 'nowrap',
  };
  return box({ width: 100, height: 100, alignItems: 'center', justifyContent: 'center', color: ink }, [
    box(style, grapheme),
  ]);
}

/** The size in which the icon is stored, so that it stays sharp. */
const iconSize = 48;

function header({ icon, blogName, ...face }: TypesetCard): LayoutElement {
  return box({ height: 56, alignItems: 'center', gap: 20 }, [
    icon === null ? badge(face) : picture(icon),
    singleLine(blogName, { fontSize: 30, fontWeight: 700, maxWidth: 940 }),
  ]);
}

const picture = (src: string): LayoutElement => ({
  type: 'img',
  props: { src, width: iconSize, height: iconSize, style: { borderRadius: 8 } },
});

function badge({ initial, accent }: Pick<TypesetCard, 'initial' | 'accent'>): LayoutElement {
  const style = {
    width: 56,
    height: 56,
    borderRadius: 12,
    backgroundColor: accent,
    color: textColourOn(accent),
    fontSize: 32,
    fontWeight: 700,
    fontFamily: initial.families,
    lineHeight: 1,
    alignItems: 'center',
    justifyContent: 'center',
  };
  return box(style, initial.text);
}

function titleArea({ title, description }: TypesetCard): LayoutElement {
  if (description.text === '')
    return box({ flexGrow: 1, width: titleBox.width, alignItems: 'center' }, [layoutTitle(title, 'balance')]);
  const about = {
    display: 'block',
    width: titleBox.width,
    marginTop: 24,
    fontFamily: description.families,
    fontSize: descriptionSize,
    lineHeight: 1.4,
    color: muted,
    overflowWrap: 'anywhere',
    lineClamp: 2,
  };
  return box({ flexGrow: 1, width: titleBox.width, flexDirection: 'column', justifyContent: 'center' }, [
    layoutTitle(title, 'balance'),
    box(about, description.text),
  ]);
}

function footer({ host, date }: TypesetCard): LayoutElement {
  const style = {
    borderTop: `2px solid ${hairline}`,
    paddingTop: 24,
    justifyContent: 'space-between',
    color: muted,
    fontSize: 26,
    fontWeight: 400,
  };
  return box(style, [singleLine(host, { maxWidth: 640 }), singleLine(date, { maxWidth: 380 })]);
}

/** One line, cut with an ellipsis. */
function singleLine({ text, families }: FontText, style: LayoutElement['props']['style']): LayoutElement {
  const clipped = { display: 'block', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' };
  return box({ ...clipped, fontFamily: families, lineHeight: 1.4, ...style }, text);
}

function box(
  style: LayoutElement['props']['style'],
  children: string | readonly LayoutElement[],
): LayoutElement {
  return { type: 'div', props: { style: { display: 'flex', boxSizing: 'border-box', ...style }, children } };
}
