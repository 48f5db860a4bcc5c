import { createHash } from 'node:crypto';
import { Resvg } from '@resvg/resvg-js';
import satori, { type SatoriOptions } from 'satori';
import type { Card } from '../page.ts';
import { cardSize } from '../preview-image.ts';
import { dateInWords, initialOf, textDirection, withBreakMarks } from './card-text.ts';
import { pictureOf } from './favicon-picture.ts';
import { type FittedTitle, fitTitle } from './fit.ts';
import {
  descriptionHeight,
  layoutCard,
  layoutGlyph,
  layoutTitle,
  type TypesetCard,
  titleBox,
  titleLineHeight,
} from './layout.ts';
import { createTypesetter, type Picture, type TypesetText, type Typesetter } from './typeset.ts';

/** Vermilion, pine, cobalt, plum, ochre, teal: a blog uses one of them until its owner chooses a colour. */
const accents = ['#d13a1c', '#14694f', '#2450c4', '#8b2767', '#9a6206', '#0d6378'];

/** Characters. More do not fit on two lines. */
const MAX_DESCRIPTION = 250;

const nothing = { text: '', families: '' };

/** Draws a card as a PNG of 1200 by 630 pixels. The same card gives the same bytes. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  const image = new Resvg(await drawSvg(card), { font: { loadSystemFonts: false } });
  return new Uint8Array(image.render().asPng());
}

/** The card as SVG. Letters are paths, and pictures are data URIs. */
export async function drawSvg(card: Card): Promise<string> {
  const typesetter = createTypesetter(card.lang, card.title);
  const face = await typesetCard(card, typesetter);
  const shown = [face.title, face.blogName, face.description, face.host].map(({ text }) => text).join('');
  const graphemeImages: Record<string, string> = {};
  for (const [key, picture] of typesetter.pictures) {
    if (shown.includes(key)) graphemeImages[key] = await drawPicture(picture);
  }
  return satori(layoutCard(face), { ...cardSize, fonts: [...typesetter.slices], graphemeImages });
}

/** Typesets every text of the card. The blog's name, or else its host, replaces a title without drawable characters. */
async function typesetCard(card: Card, typesetter: Typesetter): Promise<TypesetCard> {
  const post = typesetter.set(card.title, 700);
  const blog = typesetter.set(card.blogName, 700);
  const host = typesetter.set(card.host, 400);
  const description = typesetter.set((card.description ?? '').slice(0, MAX_DESCRIPTION), 400);
  const title = [post, blog].find(({ text }) => text !== '') ?? typesetter.set(card.host, 700);
  const date = typesetDate(card, typesetter);
  const initial = typesetter.set(initialOf(blog.text), 700);
  return {
    title: {
      ...title,
      ...(await fitToCard(
        { ...title, text: withBreakMarks(title.text, card.lang) },
        typesetter,
        titleBox.height - (description.text === '' ? 0 : descriptionHeight),
      )),
    },
    blogName: post.text === '' || card.description !== null ? nothing : blog,
    description: { ...description, text: withBreakMarks(description.text, card.lang) },
    host,
    date,
    initial,
    icon: card.icon && dataUri('image/png', pictureOf(card.icon)),
    direction: textDirection(title.text, card.lang),
    accent: card.accent ?? accentOf(card.host),
  };
}

/** In the post's language if the fonts have its letters, else in English. */
function typesetDate({ date, lang }: Card, typesetter: Typesetter): TypesetText {
  const own = typesetter.set(dateInWords(date, lang), 400);
  return own.complete ? own : typesetter.set(dateInWords(date, null), 400);
}

/** `maxHeight` is in pixels. */
function fitToCard(
  title: TypesetText,
  { slices, pictures }: Typesetter,
  maxHeight: number,
): Promise<FittedTitle> {
  const lineHeight = titleLineHeight(title.text);
  const fonts = [...slices];
  const graphemeImages = Object.fromEntries([...pictures.keys()].map((key) => [key, 'measured only']));
  return fitTitle(title.text, {
    maxLines: (size) => Math.min(4, Math.floor(maxHeight / (size * lineHeight))),
    lineCount: async (text, size) => {
      const height = await heightOf(
        { ...title, text, size },
        { width: titleBox.width, fonts, graphemeImages },
      );
      return Math.round(height / (size * lineHeight));
    },
  });
}

async function heightOf(title: TypesetCard['title'], options: SatoriOptions): Promise<number> {
  let height = 0;
  const onNodeDetected: SatoriOptions['onNodeDetected'] = (node) => {
    height = Math.max(height, node.height);
  };
  await satori(layoutTitle(title, 'wrap'), { ...options, onNodeDetected });
  return height;
}

/** An SVG of one em as a data URI. */
async function drawPicture({ grapheme, slice }: Picture): Promise<string> {
  // Emoji are a quarter wider than the em that satori reserves for them.
  const size = slice.fontPackage === 'noto-emoji' ? 80 : 100;
  const svg = await satori(layoutGlyph(grapheme, slice.name, size), {
    width: 100,
    height: 100,
    fonts: [slice],
  });
  return dataUri('image/svg+xml', Buffer.from(svg));
}

const dataUri = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

function accentOf(host: string): string {
  const [digit = 0] = createHash('sha256').update(host).digest();
  return accents[digit % accents.length] ?? '';
}
