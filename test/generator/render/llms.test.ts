import { markdownToHTML } from 'comrak';
import { describe, expect, it } from 'vitest';
import { llmsFullTxt, llmsTxt } from '../../../generator/render/llms.ts';
import type { PostSource, SitePostSummary } from '../../../generator/site/post.ts';
import { blog, summary } from './views.ts';

const source = (changes: Partial<PostSource> = {}): PostSource => ({
  ...summary,
  source: 'Text.\n',
  translations: [],
  ...changes,
});

/** Finds links as the format's reference reader does: by a regular expression, without Markdown. */
const entriesIn = (text: string) =>
  Array.from(text.matchAll(/^-\s*\[([^\]]+)\]\(([^)]+)\)(?::\s*(.*))?$/gm), ([, title, url, notes]) => ({
    title,
    url,
    notes,
  }));

describe('llms.txt', () => {
  it('llms.txt names the blog, links to the Markdown of each post, and then to optional pages', () => {
    expect(llmsTxt(blog, [summary, { ...summary, slug: 'b', title: 'B', description: '' }])).toBe(
      [
        '# Ink &amp; Paper',
        '',
        '> Notes on type',
        '',
        '## Posts',
        '',
        '- [The composing stick](https://ink.example.com/the-composing-stick.md): What it taught me about limits',
        '- [B](https://ink.example.com/b.md)',
        '',
        '## Optional',
        '',
        '- [Archive](https://ink.example.com/archive/): All posts, by month',
        '- [Tags](https://ink.example.com/tags/): All posts, by tag',
        '- [The newest posts in full](https://ink.example.com/llms-full.txt): As Markdown, in one file',
        '- [Atom feed](https://ink.example.com/feed.xml)',
        '- [RSS feed](https://ink.example.com/rss.xml)',
        '- [JSON feed](https://ink.example.com/feed.json)',
        '',
      ].join('\n'),
    );
  });

  it('llms.txt and llms-full.txt speak the language of the blog, except for the name of the optional section', () => {
    const german = { ...blog, settings: { ...blog.settings, language: 'de' } };
    const text = llmsTxt(german, [summary]);
    expect(text.match(/^## .*/gm)).toEqual(['## Beiträge', '## Optional']);
    expect(text).toContain('- [Archiv](https://ink.example.com/archive/): Alle Beiträge, nach Monat\n');
    expect(text).toContain('- [Atom-Feed](https://ink.example.com/feed.xml)\n');
    expect(llmsFullTxt(german, [source()])).toContain('\n- Adresse: https://ink.example.com/');
  });

  it('llms.txt leaves out what the blog does not have', () => {
    const text = llmsTxt({ ...blog, description: '' }, []);
    expect(text).toMatch(/^# Ink &amp; Paper\n\n## Optional\n/);
  });

  it.each([
    'a](https://evil.example/) - [b](https://evil.example/',
    'a\n- [b](https://evil.example/)',
    'a\r## Posts\u2028- [b](https://evil.example/)\u0085# c',
    '[a]: https://evil.example/',
    '`code [a](https://evil.example/) `',
    '\\](https://evil.example/)',
    '<a href="https://evil.example/">a</a> <https://evil.example/> <!--',
    '![a](https://evil.example/a.png)',
    '# a # b #',
    '- a',
    '1. a',
    '12) a',
    '+ a',
    '=== ---',
    '--- | ---',
    '~~a~~ **b** _c_ $d$ &amp; &#91;',
    '> a',
    '# a',
    '*a*',
    'a _b_ c',
    '~~a~~',
    '`a`',
    'a [b] c',
    'a &amp; b',
    'a <i> b',
    '\\!',
    'a\tb',
    'a\nb',
    'a  b',
    ' a',
    'a ',
    'a\u0085b',
    'a\u3000b',
  ])('llms.txt stays well-formed with a hostile title, description or name: %j', (text) => {
    const shown = text.replace(/\s+|\u0085/g, ' ').trim();
    const named = { ...blog, name: text, description: text };
    const posts: SitePostSummary[] = [{ ...summary, title: text, description: text }, summary];
    const written = llmsTxt(named, posts);
    expect(entriesIn(written).map(({ url }) => url)).toEqual(
      entriesIn(llmsTxt(blog, [summary, summary])).map(({ url }) => url),
    );
    const html = markdownToHTML(written, {
      extension: { table: true, strikethrough: true, footnotes: true },
    });
    const escaped = shown
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    expect(html.split('\n').slice(0, 7)).toEqual([
      `<h1>${escaped}</h1>`,
      '<blockquote>',
      `<p>${escaped}</p>`,
      '</blockquote>',
      '<h2>Posts</h2>',
      '<ul>',
      `<li><a href="https://ink.example.com/the-composing-stick.md">${escaped}</a>: ${escaped}</li>`,
    ]);
  });
});

describe('llms-full.txt', () => {
  it('llms-full.txt holds the source of each post below its title, address and dates', () => {
    const posts = [
      source(),
      source({ slug: 'b', title: 'B *b*', source: '## More', updatedAt: summary.publishedAt }),
    ];
    expect(llmsFullTxt(blog, posts)).toBe(
      [
        '# Ink &amp; Paper',
        '',
        '> Notes on type',
        '',
        '---',
        '',
        '# The composing stick',
        '',
        '- Address: https://ink.example.com/the-composing-stick/',
        '- Published: 2026-03-10T23:30:00.000Z',
        '- Updated: 2026-03-10T23:45:00.000Z',
        '',
        'Text.',
        '',
        '---',
        '',
        '# B \\*b\\*',
        '',
        '- Address: https://ink.example.com/b/',
        '- Published: 2026-03-10T23:30:00.000Z',
        '',
        '## More',
        '',
      ].join('\n'),
    );
  });

  it('llms-full.txt holds at most a mebibyte in bytes, and only whole posts', () => {
    const posts = Array.from({ length: 30 }, (_, n) =>
      source({ title: `N${n}`, source: '日'.repeat(30_000) }),
    );
    const text = llmsFullTxt(blog, posts);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_048_576);
    expect(Array.from(text.matchAll(/^# N(\d+)$/gm), ([, n]) => Number(n))).toEqual(
      Array.from({ length: 11 }, (_, n) => n),
    );
    expect(text.endsWith('日\n')).toBe(true);
  });

  it('llms-full.txt holds the newest post however long it is', () => {
    const text = llmsFullTxt(blog, [source({ source: 'x'.repeat(1_048_576) }), source({ title: 'Second' })]);
    expect(text.length).toBeGreaterThan(1_048_576);
    expect(text).not.toContain('Second');
  });
});
