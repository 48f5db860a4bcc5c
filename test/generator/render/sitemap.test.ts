import { expect, test } from 'vitest';
import { sitemapIndexXml, sitemapXml } from '../../../generator/render/sitemap.ts';

test('a sitemap lists addresses with the time of the last change if it is known', () => {
  const entries = [
    { url: 'https://ink.example.com/', lastmod: null },
    { url: 'https://ink.example.com/a/', lastmod: '2026-03-10T23:45:00.000Z' },
  ];
  expect(sitemapXml(entries)).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://ink.example.com/</loc></url>
<url><loc>https://ink.example.com/a/</loc><lastmod>2026-03-10T23:45:00.000Z</lastmod></url>
</urlset>
`,
  );
});

test('a sitemap index lists sitemaps', () => {
  expect(sitemapIndexXml(['https://ink.example.com/sitemap-1.xml'])).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://ink.example.com/sitemap-1.xml</loc></sitemap>
</sitemapindex>
`,
  );
});

test('a full sitemap keeps to the protocol’s limits: 50,000 addresses and 50 MB', () => {
  const longest = `https://${'b'.repeat(63)}.example.com/${'s'.repeat(100)}/`;
  const entries = Array.from({ length: 1_000 }, () => ({
    url: longest,
    lastmod: '2026-03-10T23:45:00.000Z',
  }));
  expect(Buffer.byteLength(sitemapXml(entries))).toBeLessThan(1_000_000);
});
