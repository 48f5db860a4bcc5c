// Slow: draws cards with the fonts of every script.
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { dateInWords } from '../../../generator/cards/card-text.ts';
import { drawCard } from '../../../generator/cards/draw.ts';
import { fitTitle } from '../../../generator/cards/fit.ts';
import { cardHash } from '../../../generator/cards/hash.ts';
import { createTypesetter } from '../../../generator/cards/typeset.ts';
import type { Card } from '../../../generator/page.ts';
import { icoFile } from '../../../server/image-processing/icons/ico-file.ts';
import { picture, pixelsOf } from '../../support/pictures.ts';

function card(title: string, lang: string | null = null, other: Partial<Card> = {}): Card {
  const date = '2026-03-14T09:30:00.000Z';
  return {
    title,
    blogName: 'The Press',
    description: null,
    host: 'press.example',
    date,
    lang,
    accent: null,
    icon: null,
    ...other,
  };
}

/** Areas of the card title that have ink: bands of rows and of columns, from the top and from the left. */
async function inkOf(title: Card): Promise<{ rows: Band[]; columns: Band[] }> {
  const href = `data:image/png;base64,${Buffer.from(await drawCard(title)).toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><image width="1200" height="630" href="${href}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const dark = (x: number, y: number) => (pixels[4 * (1200 * y + x)] ?? 255) < 110;
  const [xs, ys] = [range(0, 1200), range(142, 520)];
  return {
    rows: bands(ys, (y) => xs.some((x) => dark(x, y))),
    columns: bands(xs, (x) => ys.some((y) => dark(x, y))),
  };
}

interface Band {
  readonly from: number;
  readonly to: number;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function bands(positions: number[], inked: (position: number) => boolean): Band[] {
  const edges = positions.filter((at) => inked(at) && !inked(at - 1));
  const ends = positions.filter((at) => inked(at) && !inked(at + 1));
  return edges.map((from, i) => ({ from, to: ends[i] ?? from }));
}

describe('drawing a card', () => {
  it('a card is a PNG of 1200 by 630 pixels', async () => {
    const png = Buffer.from(await drawCard(card('Hello')));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it('a card has the same bytes each time, whatever was drawn in between', async () => {
    const before = await drawCard(card('同じ 🚀 card', 'ja'));
    const others = ['Plain', 'Ёлки', 'ة', 'हिन्दी', '直す', '直', '한국어', '🎉 party'];
    for (const title of others) await drawCard(card(title));
    expect(await drawCard(card('同じ 🚀 card', 'ja'))).toEqual(before);
  });

  it('a card shows title, blog, host and date: a change of any changes the image', async () => {
    const drawn = await drawCard(card('One'));
    const date = '2025-01-01T00:00:00.000Z';
    for (const other of [{ title: 'Two' }, { blogName: 'Other' }, { host: 'other.example' }, { date }]) {
      expect(await drawCard({ ...card('One'), ...other })).not.toEqual(drawn);
    }
  });

  it('a card with an icon shows it where the initial would be', async () => {
    const small = [16, 48].map(async (width) => ({
      width,
      png: await picture(width, width).png().toBuffer(),
    }));
    const icon = icoFile(await Promise.all(small));
    const [initial, drawn] = [card('One'), card('One', null, { icon })].map((one) => drawCard(one));
    const corner = async (png: Promise<Uint8Array> | undefined) =>
      pixelsOf(
        await sharp(await png)
          .extract({ left: 90, top: 94, width: 28, height: 28 })
          .png()
          .toBuffer(),
      );
    const expected = await sharp(await picture(48, 48).png().toBuffer())
      .extract({ left: 10, top: 10, width: 28, height: 28 })
      .png()
      .toBuffer();
    expect(await corner(drawn)).toEqual(await pixelsOf(expected));
    expect(await corner(initial)).not.toEqual(await corner(drawn));
  });

  it('a combining mark is drawn where the font places it: a dot above its letter', async () => {
    expect((await inkOf(card('ة', 'ar'))).rows).toHaveLength(2);
  });

  it('characters that share a surrogate are drawn as different glyphs', async () => {
    expect(await drawCard(card('𠮷𠮟', 'ja'))).not.toEqual(await drawCard(card('𠮷𠮷', 'ja')));
  });

  it('a card leaves out characters that no font has', async () => {
    expect(createTypesetter('en', '').set('Bengali বাংলা here', 700)).toMatchObject({
      text: 'Bengali here',
      complete: false,
    });
    expect(await drawCard(card('Bengali বাংলা here'))).toEqual(await drawCard(card('Bengali here')));
  });

  it("a card shows only the blog's name if nothing of the title can be drawn", async () => {
    const untitled = await drawCard(card(''));
    for (const title of ['বাংলা', ' \n\t', '\u200b\u2060\u202e', '\ud800', '\ue000'])
      expect(await drawCard(card(title))).toEqual(untitled);
    expect((await inkOf(card(''))).columns.length).toBeGreaterThan(3);
  });

  it.each([
    ['bidi overrides', 'safe\u202etxt\u2066.exe\u2069', 'safetxt.exe'],
    ['control characters', 'a\u0000b\u0007c\u007f', 'abc'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['lone surrogates', 'x\ud800y\udc00z', 'xyz'],
    ['line breaks', 'one\r\ntwo\u2028three', 'one two three'],
  ])('a card ignores %s', async (_, hostile, harmless) => {
    expect(await drawCard(card(hostile))).toEqual(await drawCard(card(harmless)));
  });

  it.each([
    ['one word of 10,000 letters', 'a'.repeat(10_000)],
    ['10,000 characters of Chinese', '这是一个非常长的标题'.repeat(1000)],
    ['thousands of emoji', '😀🚀'.repeat(5000)],
    ['an endless emoji sequence', '👩\u200d'.repeat(5000)],
    ['a heap of combining marks', `a${'\u0301'.repeat(10_000)}`],
    ['right-to-left and left-to-right words', 'שלום abc (123) '.repeat(700)],
    ['markup', '<svg onload="x">&amp;</text>]]>'],
  ])('a card can be drawn with %s', async (_, title) => {
    const png = await drawCard(
      card(title, 'en', { blogName: title, host: title, lang: 'no_language!', date: '?' }),
    );
    expect(png.length).toBeGreaterThan(5000);
  });

  it('the card of a blog has its name and at most two lines of its description', async () => {
    const drawn = (description: string) => drawCard(card('The Press', 'en', { description, date: '' }));
    const [none, short, long, longer] = await Promise.all([
      drawn(''),
      drawn('Notes on type'),
      drawn('notes on type '.repeat(25)),
      drawn('notes on type '.repeat(70)),
    ]);
    expect(short).not.toEqual(none);
    expect(long).not.toEqual(short);
    expect(longer).toEqual(long);
  });

  it('a card can be drawn without any text', async () => {
    const empty = {
      title: '',
      blogName: '',
      description: null,
      host: '',
      date: '',
      lang: null,
      accent: null,
      icon: null,
    };
    expect((await drawCard(empty)).length).toBeGreaterThan(1000);
  });
});

it('a card has the owner’s accent colour and a readable letter in its badge', async () => {
  const badge = async (accent: string | null) => {
    const href = `data:image/png;base64,${Buffer.from(await drawCard(card('Ink', 'en', { accent }))).toString('base64')}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><image width="1200" height="630" href="${href}"/></svg>`;
    const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
    const colours = new Set<string>();
    for (let y = 85; y < 130; y++) {
      for (let x = 85; x < 130; x++) {
        const at = 4 * (1200 * y + x);
        colours.add(pixels.subarray(at, at + 3).toString('hex'));
      }
    }
    return colours;
  };
  const [bright, dark] = [await badge('#ffcc00'), await badge('#123456')];
  expect([bright.has('ffcc00'), bright.has('000000')]).toEqual([true, true]);
  expect([dark.has('123456'), dark.has('ffffff')]).toEqual([true, true]);
});

describe('a right-to-left card title', () => {
  it('a right-to-left title is aligned right, with its question mark at the left', async () => {
    const [word, question] = [await inkOf(card('שלום', 'he')), await inkOf(card('שלום?', 'he'))];
    expect(word.columns.at(-1)?.to).toBeGreaterThan(1100);
    expect(question.columns.at(-1)).toEqual(word.columns.at(-1));
    expect(question.columns[0]?.from).toBeLessThan((word.columns[0]?.from ?? 0) - 20);
  });

  it('left-to-right words in a right-to-left title stay readable, with their final punctuation', async () => {
    const [alone, within] = [await inkOf(card('C++', 'en')), await inkOf(card('ב C++', 'he'))];
    const widths = (columns: Band[]) => columns.slice(0, 3).map(({ from, to }) => to - from);
    expect(widths(alone.columns)[0]).toBeGreaterThan((widths(alone.columns)[1] ?? 0) + 5);
    for (const [i, width] of widths(alone.columns).entries()) {
      expect(Math.abs(width - (widths(within.columns)[i] ?? 0))).toBeLessThanOrEqual(2);
    }
  });

  it('a title is right-to-left by its language, or by its letters if no language is given', async () => {
    const right = async (title: string, lang: string | null) =>
      (await inkOf(card(title, lang))).columns.at(-1)?.to;
    expect(await right('Vue.js: מדריך', 'he')).toBeGreaterThan(1100);
    expect(await right('שלום', null)).toBeGreaterThan(1100);
    expect(await right('Vue', 'he')).toBeLessThan(600);
  });
});

describe('fitting a title on a card', () => {
  // Fake font: each letter is half as wide as it is high; lines are 1000 pixels wide.
  const measure = {
    lineCount: async (text: string, size: number) => Math.ceil((text.length * size) / 2 / 1000),
    maxLines: (size: number) => Math.min(4, Math.floor(330 / size)),
  };

  it('a short title gets the largest type size, a longer one a smaller size', async () => {
    const sizes = [4, 12, 18, 24].map(
      async (words) => (await fitTitle('words '.repeat(words).trim(), measure)).size,
    );
    const [first = 0, ...rest] = await Promise.all(sizes);
    expect(first).toBeGreaterThan(100);
    expect([first, ...rest]).toEqual([first, ...rest].sort((a, b) => b - a));
    expect(new Set(rest).size).toBe(3);
  });

  it('a title gets a smaller type size rather than a broken word', async () => {
    expect((await fitTitle('abcdefghijklmnopqrstuv', measure)).size).toBeLessThan(1000 / 11);
  });

  it('a title that does not fit ends in an ellipsis after a whole word', async () => {
    const { text } = await fitTitle('never, ending '.repeat(40), measure);
    expect(text).toMatch(/^(never, ending )+(never|never, ending)…$/);
    expect(text.length).toBeGreaterThan(130);
    expect(await measure.lineCount(text, 50)).toBe(4);
  });

  it('a word longer than a line is cut', async () => {
    expect((await fitTitle('x'.repeat(5000), measure)).text).toBe(`${'x'.repeat(159)}…`);
  });
});

describe('the date on a card', () => {
  it.each([
    ['en', 'March 14, 2026'],
    ['de', '14. März 2026'],
    ['ja', '2026年3月14日'],
    [null, 'March 14, 2026'],
    ['no_language!', 'March 14, 2026'],
  ])('the date on a card is written in the language of the post: %s', (lang, words) => {
    expect(dateInWords('2026-03-14T23:59:00.000Z', lang)).toBe(words);
  });

  it('the date on a card is in English if no font has the letters of the language', async () => {
    expect(await drawCard(card('Same', 'bn'))).toEqual(await drawCard(card('Same', 'en')));
  });
});

describe('the hash of a card', () => {
  it('the hash of a card is stable, and changes with the post and with every file that affects the drawing', () => {
    const one = card('One', 'en');
    const changed = [
      { ...one, title: 'Two' },
      { ...one, blogName: 'Other' },
      { ...one, host: 'other' },
      { ...one, date: '' },
      { ...one, lang: null },
    ];
    const hashes = [cardHash('1', one), cardHash('2', one), ...changed.map((other) => cardHash('1', other))];
    expect(new Set(hashes).size).toBe(7);
    expect(cardHash('1', { ...one })).toBe(hashes[0]);
    expect(hashes[0]).toMatch(/^[\da-f]{32}$/);
  });
});
