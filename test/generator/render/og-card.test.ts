import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { drawCard } from '../../../generator/render/og-card/draw.ts';
import { fitTitle } from '../../../generator/render/og-card/fit.ts';
import { cardHash } from '../../../generator/render/og-card/hash.ts';
import { layoutTitle } from '../../../generator/render/og-card/layout.ts';
import { createCardPool } from '../../../generator/render/og-card/pool.ts';
import type { Slice } from '../../../generator/render/og-card/slices.ts';
import { createTypesetter, type Typesetter, type TypesetText } from '../../../generator/render/og-card/typeset.ts';
import { dateInWords } from '../../../generator/render/og-card/words.ts';
import type { Card } from '../../../generator/site.ts';
import { corpusDir } from '../../support/corpus.ts';

function card(title: string, lang: string | null = null, other: Partial<Card> = {}): Card {
  const date = '2026-03-14T09:30:00.000Z';
  return { title, blogName: 'The Press', host: 'press.example', date, lang, ...other };
}

/** The graphemes for which satori itself finds no glyph in the given slices; pictures stand for their own. */
async function missing({ text, families }: TypesetText, slices: Iterable<Slice>): Promise<string[]> {
  const reported: string[] = [];
  await satori(layoutTitle({ text, families, size: 50 }), {
    width: 1200,
    fonts: [...slices],
    loadAdditionalAsset: async (_, segment) => {
      reported.push(segment);
      return [];
    },
  });
  return [...reported.join('')].filter((character) => !/[\ue000-\uf8ff]/.test(character));
}

/** Where a card's title has ink: the bands of rows and of columns that have any, from top and from left. */
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

function packagesOf({ slices }: Typesetter): string[] {
  return [...new Set([...slices].map(({ fontPackage }) => fontPackage))].sort();
}

const scripts = [
  ['Latin', 'en', 'Shipping small – “weekly” releases & more…', 'noto-sans-latin'],
  ['Latin extended', 'pl', 'Zażółć gęślą jaźń', 'noto-sans-latin-ext'],
  ['Vietnamese', 'vi', 'Tiếng Việt: những chữ cái có dấu', 'noto-sans-vietnamese'],
  ['Greek', 'el', 'Ξεσκεπάζω την ψυχοφθόρα', 'noto-sans-greek'],
  ['Cyrillic', 'ru', 'Съешь же ещё этих булок', 'noto-sans-cyrillic'],
  ['Devanagari', 'hi', 'ओपन सोर्स में योगदान क्षत्रिय।', 'noto-sans-devanagari'],
  ['Arabic', 'ar', 'كيف تُساهم في المصادر المفتوحة؟', 'noto-sans-arabic'],
  ['Persian', 'fa', 'پروژه‌های متن‌باز گچ ۲', 'noto-sans-arabic'],
  ['Hebrew', 'he', 'איך לתרום לקוד פָּתוּחַ', 'noto-sans-hebrew'],
  ['Thai', 'th', 'วิธีมีส่วนร่วมในโครงการ', 'noto-sans-thai'],
  ['simplified Chinese', 'zh', '如何为开源项目做出贡献：“第一次”', 'noto-sans-sc'],
  ['traditional Chinese', 'zh-Hant', '繁體中文的標題：臺灣', 'noto-sans-sc'],
  ['Japanese', 'ja', 'オープンソースへの貢献、直す「骨」', 'noto-sans-jp'],
  ['Korean', 'ko', '오픈소스에 기여하는 방법', 'noto-sans-kr'],
] as const;

describe('a title in its own script', () => {
  it.each(scripts)('has a glyph for every character: %s', async (_, lang, title, family) => {
    const typesetter = createTypesetter(lang, title);
    const set = typesetter.set(title, 700);
    expect(set).toMatchObject({ text: title.normalize('NFC'), complete: true });
    expect(await missing(set, typesetter.slices)).toEqual([]);
    for (const code of Array.from(set.text, (character) => character.codePointAt(0) ?? 0)) {
      if (code !== 0x200c) expect([...typesetter.slices].some(({ covers }) => covers.has(code))).toBe(true);
    }
    const others = [...typesetter.slices].filter(({ name }) => !name.startsWith(family));
    const latin = createTypesetter('en', '').set('x', 700);
    expect(latin.families).toBe('noto-sans-latin-700');
    const rest = family === 'noto-sans-latin' ? [...setOf('ж')] : others;
    expect(await missing(set, rest)).not.toEqual([]);
  });

  it('draws emoji as pictures, sequences and flags as one', () => {
    const typesetter = createTypesetter('en', '');
    const emoji = ['🚀', '😀', '👩‍💻', '🇩🇪', '👍🏽', '1⃣', '❤'];
    const set = typesetter.set('Go 🚀 😀 👩‍💻 🇩🇪 👍🏽 1️⃣ ❤️', 700);
    expect(set.complete).toBe(true);
    expect(set.text).toBe(['Go', ...typesetter.pictures.keys()].join(' '));
    expect([...typesetter.pictures.values()].map(({ grapheme }) => grapheme)).toEqual(emoji);
    for (const { grapheme, slice } of typesetter.pictures.values()) {
      expect(Array.from(grapheme, (c) => slice.covers.has(c.codePointAt(0) ?? 0))).not.toContain(false);
    }
  });

  it('draws two characters that share a surrogate from slices of their own', async () => {
    const typesetter = createTypesetter('ja', '');
    expect(typesetter.set('𠮷野家で𠮟る', 700).complete).toBe(true);
    expect([...typesetter.pictures.values()].map(({ grapheme }) => grapheme)).toEqual(['𠮷', '𠮟']);
    expect(await drawCard(card('𠮷', 'ja'))).not.toEqual(await drawCard(card('𠮟', 'ja')));
  });

  it('takes the Japanese form of a Han character for Japanese only', () => {
    expect(packagesOf(setOf('直', 'ja'))).toEqual(['noto-sans', 'noto-sans-jp']);
    expect(packagesOf(setOf('直す', null))).toEqual(['noto-sans', 'noto-sans-jp']);
    expect(packagesOf(setOf('直', 'zh'))).toEqual(['noto-sans', 'noto-sans-sc']);
    expect(packagesOf(setOf('直', null))).toEqual(['noto-sans', 'noto-sans-sc']);
  });

  it('puts marks where the font wants them: the dots of a letter above it', async () => {
    expect((await inkOf(card('ة', 'ar'))).rows).toHaveLength(2);
  });

  it('sets letters in fancy dress plain', () => {
    expect(createTypesetter('en', '').set('𝐁𝐨𝐥𝐝 𝓈𝒸𝓇𝒾𝓅𝓉', 700).text).toBe('Bold script');
  });
});

function setOf(title: string, lang: string | null = 'en'): Typesetter & Iterable<Slice> {
  const typesetter = createTypesetter(lang, title);
  typesetter.set(title, 700);
  return { ...typesetter, [Symbol.iterator]: () => typesetter.slices[Symbol.iterator]() };
}
