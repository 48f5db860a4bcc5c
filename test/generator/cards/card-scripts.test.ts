// Slow: draws every title of the corpus, with the fonts of its script.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import satori from 'satori';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { drawCard } from '../../../generator/cards/draw.ts';
import { layoutTitle } from '../../../generator/cards/layout.ts';
import { findSlice, type Slice } from '../../../generator/cards/slices.ts';
import { createTypesetter, type TypesetText, type Typesetter } from '../../../generator/cards/typeset.ts';
import { corpusDir } from '../../support/corpus.ts';

/** Graphemes for which satori finds no glyph in the given font slices; images stand for their own graphemes. */
async function missing({ text, families }: TypesetText, slices: Iterable<Slice>): Promise<string[]> {
  const reported: string[] = [];
  await satori(layoutTitle({ text, families, size: 50 }, 'wrap'), {
    width: 1200,
    fonts: [...slices],
    loadAdditionalAsset: async (_, segment) => {
      reported.push(segment);
      return [];
    },
  });
  return [...reported.join('')].filter((character) => !/[\ue000-\uf8ff]/.test(character));
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

describe('a card title in its own script', () => {
  it.each(scripts)(
    'a card has a glyph for every character of its title: %s',
    async (_, lang, title, family) => {
      const typesetter = createTypesetter(lang, title);
      const set = typesetter.set(title, 700);
      expect(set).toMatchObject({ text: title.normalize('NFC'), complete: true });
      expect(await missing(set, typesetter.slices)).toEqual([]);
      for (const code of Array.from(set.text, (character) => character.codePointAt(0) ?? 0)) {
        if (code !== 0x200c) expect([...typesetter.slices].some(({ covers }) => covers.has(code))).toBe(true);
      }
      const emoji = findSlice(['noto-emoji'], 700, [0x1f680]);
      const others = [...typesetter.slices, emoji].filter((slice) => slice !== undefined);
      const without = others.filter(({ name }) => !name.startsWith(family));
      expect(await missing(set, without)).not.toEqual([]);
    },
  );

  it('a card draws emoji as images, and a sequence or flag as one image', () => {
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

  it('a card draws two characters that share a surrogate from the font slice of each', () => {
    const typesetter = createTypesetter('ja', '');
    expect(typesetter.set('𠮷野家で𠮟る', 700).complete).toBe(true);
    expect([...typesetter.pictures.values()].map(({ grapheme }) => grapheme)).toEqual(['𠮷', '𠮟']);
  });

  it('a card takes the Japanese form of a Han character for Japanese only', () => {
    expect(packagesOf(setOf('直', 'ja'))).toEqual(['noto-sans', 'noto-sans-jp']);
    expect(packagesOf(setOf('直す', null))).toEqual(['noto-sans', 'noto-sans-jp']);
    expect(packagesOf(setOf('直', 'zh'))).toEqual(['noto-sans', 'noto-sans-sc']);
    expect(packagesOf(setOf('直', null))).toEqual(['noto-sans', 'noto-sans-sc']);
  });

  it('a card draws styled Unicode letters as plain ones', () => {
    expect(createTypesetter('en', '').set('𝐁𝐨𝐥𝐝 𝓈𝒸𝓇𝒾𝓅𝓉', 700).text).toBe('Bold script');
  });
});

function setOf(title: string, lang: string | null): Typesetter {
  const typesetter = createTypesetter(lang, title);
  typesetter.set(title, 700);
  return typesetter;
}

describe('font slices of a card', () => {
  it('a card loads only the font slices that its characters need', () => {
    const names = (title: string, lang: string) =>
      [...setOf(title, lang).slices].map(({ name }) => name).sort();
    expect(names('Plain words', 'en')).toEqual(['noto-sans-latin-700']);
    expect(names('Ёлки', 'ru')).toEqual(['noto-sans-cyrillic-700', 'noto-sans-latin-700']);
    expect(names('你', 'zh')).toHaveLength(2);
    expect(names('তিন', 'bn')).toEqual(['noto-sans-latin-700']);
  });

  it('a font slice is decompressed once', () => {
    const [first, second] = [setOf('Plain', 'en'), setOf('words', 'en')];
    expect([...first.slices][0]?.data).toBe([...second.slices][0]?.data);
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  describe('the titles of the corpus', () => {
    it('every title of the corpus is drawn without losing a character', async () => {
      const titles = titlesIn(join(corpus, 'posts'));
      expect(titles.length).toBeGreaterThan(100);
      for (const { title, lang } of titles) {
        const typesetter = createTypesetter(lang, title);
        const set = typesetter.set(title, 700);
        expect(set.complete, title).toBe(true);
        expect(await missing(set, typesetter.slices), title).toEqual([]);
        const card = {
          title,
          blogName: 'Corpus',
          description: null,
          host: 'corpus.example',
          date: '2026-03-14T00:00:00.000Z',
          lang,
          accent: null,
          icon: null,
        };
        expect((await drawCard(card)).length, title).toBeGreaterThan(5000);
      }
    });
  });
}

function titlesIn(folder: string): { title: string; lang: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  return files.flatMap((path) => {
    const [, fence, matter = ''] =
      readFileSync(join(folder, path), 'utf8').match(/^(---|\+\+\+)\n(.*?)\n\1/s) ?? [];
    const { title }: { title?: unknown } = fence === '+++' ? parseToml(matter) : (parseYaml(matter) ?? {});
    return typeof title === 'string' ? [{ title, lang: path.split('/').at(-2) ?? 'en' }] : [];
  });
}
