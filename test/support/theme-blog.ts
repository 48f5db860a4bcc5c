import { expect } from 'vitest';
import type { TestPlaten } from './platen.ts';

/**
 * Publishes posts in several scripts with every kind of content, enough for a second list page. Returns the blog's
 * address.
 */
export async function publishEverything(
  platen: TestPlaten,
  { slug, name, settings = {} }: { slug: string; name: string; settings?: object },
): Promise<string> {
  const blog = (await platen.call('POST', '/blogs', { slug, name, description: 'Notes on type.' })).json;
  const write = async (method: string, path: string, body: object) => {
    const answer = await platen.call(method, path, body, { headers: { 'X-Blog-Id': blog.id } });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  for (let n = 1; n <= 20; n += 1) {
    await write('POST', '/posts', {
      title: `Early ${n}`,
      content: 'Text.',
      tags: ['ink'],
      status: 'published',
    });
  }
  for (const post of posts) await write('POST', '/posts', { ...post, status: 'published' });
  await write('PUT', '/posts/old-address', { slug: 'new-address' });
  const headers = { Prefer: 'wait=60' };
  const last = { settings, description: 'On type.' };
  const { headers: applied, text } = await platen.call('PUT', `/blogs/${blog.id}`, last, { headers });
  expect(applied.get('preference-applied'), text).toBe('wait=60');
  return blog.url;
}

/** Relative addresses of each kind of page of such a blog. A script shows the search results. */
export const pageKinds = {
  front: '',
  list: 'page/1/',
  everything: 'everything/',
  long: 'long/',
  arabic: 'arabic/',
  japanese: 'japanese/',
  'a short post': 'new-address/',
  tag: 'tags/ink/',
  'page of a tag': 'tags/ink/page/1/',
  tags: 'tags/',
  archive: 'archive/',
  month: `archive/${new Date().toISOString().slice(0, 7)}/`,
  search: 'search/',
  'search with results': 'search/?q=ink',
  'search with results in Arabic': `search/?q=${encodeURIComponent('الحرف')}`,
  missing: 'nowhere/',
  redirect: 'old-address/',
} as const;

const paragraphs = (text: string, count: number): string => `${text}\n\n`.repeat(count);
export const latin =
  'The compositor sets one line after the other, and locks the forme when the page is full.';
const arabic = 'كان الورّاقون ينسخون الكتب باليد، ثم جاءت المطبعة فصار تصحيح الحرف الواحد يعني إعادة الطبع.';
const japanese = '木版では、一枚の板に一ページ全体を彫ります。*大切*なのは、文字を一つずつ組むことです。';

/** Every kind of content that a post may have. */
const everything = `An opening with a [link](#table), \`code\`, <kbd>Ctrl</kbd>, a note[^1] and $a^2$.

[TOC]

## Table

| Paper | Width |
| :---- | ----: |
| A4    |   210 |

## Code

\`\`\`ts title="fold.ts" {1} showLineNumbers
const half = Math.floor(1 / 2); // ${'wide '.repeat(30)}
\`\`\`

\`\`\`diff
-old
+new
\`\`\`

## Formula

$$
\\begin{aligned}
a &= \\frac{1}{2} \\\\
b &= \\sqrt{2}
\\end{aligned}
$$

## Diagram

\`\`\`mermaid
flowchart LR
  A[Write] --> B[Press]
\`\`\`

## Lists

1. One
   - Nested
2. Two

- [x] done
- [ ] open

> A quotation.

> [!WARNING]
> What can go wrong.

***

<details>
<summary>More</summary>

Inside.

</details>

![A square](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)

[^1]: A footnote.
`;

const withSections = (text: string, title: string): string =>
  Array.from({ length: 5 }, (_, n) => `## ${title} ${n + 1}\n\n${paragraphs(text, 11)}`).join('');

/** Enough languages to fill several lines on a phone. */
const translations = {
  ...{
    ar: 'arabic',
    ja: 'japanese',
    'pt-BR': 'long',
    'zh-Hant': 'new-address',
    tlh: 'https://example.org/tlh/',
  },
  ...{ de: 'https://example.org/de/', fr: 'https://example.org/fr/', hi: 'https://example.org/hi/' },
};

const posts = [
  {
    title: 'Everything',
    slug: 'everything',
    tags: ['Type & Ink', '日本'],
    content: everything,
    translations,
  },
  { title: 'A long one', slug: 'long', tags: ['ink'], content: withSections(latin, 'Part') },
  {
    title: 'من المخطوطة إلى الويب',
    slug: 'arabic',
    tags: ['طباعة'],
    translations,
    content: `${withSections(arabic, 'فصل')}\n- بند\n\n\`\`\`\nx\n\`\`\``,
  },
  { title: '木版と活字', slug: 'japanese', tags: ['日本'], content: paragraphs(japanese, 3) },
  { title: 'Moved', slug: 'old-address', tags: [], content: 'It is here now.' },
];
