import { describe, expect, it } from 'vitest';
import { imagePathIn } from '../../../generator/edge-paths.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { resolveHtml, resolveMarkdown } from '../../../server/media/references.ts';

const path = '/019a2f6e-7c10-7000-8000-00000000002a/019a2f70-1b44-7000-8000-0000000000a1.jpg';
const mediaUrl = 'https://m.example/$&"<x';
const escapedUrl = 'https://m.example/$&amp;&quot;&lt;x';
const reference = `platen-media:${path}`;
const small = reference.replace('.jpg', '-480.avif');
const sources = [
  {
    type: 'image/avif',
    files: [
      { address: small, width: 480 },
      { address: reference.replace('.jpg', '-900.avif'), width: 900 },
    ],
  },
];
const images = new Map([
  [path, { address: reference, width: 900, height: 600, sources }],
  [path.replace('.jpg', '-480.avif'), { address: small, width: 480, height: 320, sources: [] }],
]);
const html = (source: string) => renderMarkdown(source, images).html;

const namings = [
  `https://media.example.org${path}`,
  `http://localhost:8080/media${path}`,
  `HTTP://127.0.0.1/media${path}`,
  `https://s3.example.org/old-bucket/media${path}`,
  `//cdn.example.org${path}`,
  `/media${path}`,
];
const others = [
  `https://example.org/?url=https://media.example.org${path}`,
  `https://example.org/#/media${path}`,
  `https://media.example.org${path}?width=100`,
  `https://media.example.org${path}x`,
  `https://media.example.org${path}/x`,
  `https://media.example.org${path.replace('a1', 'a2')}`,
  `https://media.example.org${path.toUpperCase()}`,
  `/images${path}`,
  `/x/media${path}`,
  `media${path}`,
  path,
];

describe('an address of an uploaded image', () => {
  it.each(namings)('an image is stored as a reference however a post names it: %s', (address) => {
    expect(imagePathIn(address)).toBe(path);
    const page = html(`[![a](${address})](${address})`);
    expect(page).toMatch(new RegExp(`^<p><a href="${reference}"[^>]*><picture><source type="image/avif" `));
    expect(page).toContain(`srcset="${small} 480w, `);
    expect(page).toContain(`<img src="${reference}" alt="a" width="900" height="600"`);
    expect(page).not.toContain('/media/');
  });

  it.each(others)('an address that only looks like one stays: %s', (address) => {
    expect(html(`![a](${address})`)).toContain(`<img src="${address}" alt="a" loading`);
  });

  it('an author’s own sources and the address of a variant become references', () => {
    const [one = ''] = namings;
    const variant = one.replace('.jpg', '-480.avif');
    expect(html(`<img src="/a.png" srcset="${variant} 480w, /b.png 900w, ${one} 1000w" alt="">`)).toContain(
      `srcset="${small} 480w, /b.png 900w, ${reference} 1000w"`,
    );
    expect(html(`<picture><source srcset="${one}"><img src="${one}" alt=""></picture>`)).toContain(
      `<source srcset="${reference}" />`,
    );
    expect(html(`![a](${variant})`)).toContain(`<img src="${small}" alt="a" width="480" height="320"`);
  });

  it('text that names an image is not changed', () => {
    const [one = ''] = namings;
    expect(html(`\`${one}\` and <b title="${one}">b</b>`)).toBe(
      `<p><code>${one}</code> and <b title="${one}">b</b></p>\n`,
    );
  });
});

describe('stored HTML', () => {
  it('every reference becomes the address of today, and nothing is left of it', () => {
    const stored = html(
      `[![a](/media${path})](/media${path}) <img src="/a.png" srcset="/media${path} 2x, /media${path} 3x">`,
    );
    const shown = resolveHtml(stored, mediaUrl);
    expect(shown).toBe(stored.replaceAll('platen-media:', () => escapedUrl));
    expect(shown).not.toContain('platen-media:');
    expect(shown).toContain(`<a href="${escapedUrl}${path}"`);
  });

  it.each([
    `platen-media:${path}`,
    `\`<img src="platen-media:${path}">\``,
    `    <a href="platen-media:${path}">`,
    `<b title='src="platen-media:${path}"'>b</b>`,
    `![ src="platen-media:${path}" srcset="platen-media:${path}](/b.png " href="platen-media:${path}")`,
    `<img src="/b.png" alt="x, platen-media:${path} srcset=&quot;platen-media:${path}">`,
    `<a href="/x?platen-media:${path}">a</a>`,
    `<img src="/b.png" srcset="/x?,platen-media:${path} 2x">`,
    `$\\text{src="platen-media:${path}"}$`,
    `\`\`\`mermaid\ngraph TD\n  A["src=platen-media:${path}"]\n\`\`\``,
  ])('an author cannot write a reference: %s', (source) => {
    const stored = html(source);
    expect(resolveHtml(stored, mediaUrl)).toBe(stored);
  });

  it.each(['a href', 'img src', 'img srcset', 'source srcset'])(
    'the sanitiser drops a reference that an author writes: %s',
    (place) => {
      for (const scheme of ['platen-media:', 'PLATEN-MEDIA:', ' platen-media:', 'platen&#45;media:']) {
        const page = html(`<div><${place}="${scheme}${path}">x</div>`);
        expect(page.toLowerCase()).not.toContain('platen-media');
      }
    },
  );
});

describe('the Markdown of a post', () => {
  const resolve = (source: string, paths = [path]) => resolveMarkdown(source, paths, 'https://m.example');

  it.each(namings)('an image in it has the address of today: %s', (address) => {
    const at = (url: string) =>
      `![a](${url} "t") <${url}> <img src=${url}> <img src="${url}"> ![][b]\n\n[b]: ${url}\n\nSee ${url}.`;
    expect(resolve(at(address))).toBe(at(`https://m.example${path}`));
    expect(resolve(at(address), [])).toBe(at(address));
  });

  it.each(others)('an address that only looks like one stays: %s', (address) => {
    expect(resolve(`![a](${address})`)).toBe(`![a](${address})`);
  });

  it('hostile Markdown takes no longer than its length', () => {
    const started = performance.now();
    const source = `http://${'http://'.repeat(280)}?${path}`.repeat(480);
    expect(source.length).toBeGreaterThan(950_000);
    expect(resolve(source)).toBe(source);
    expect(resolve(`/media${path}`.repeat(12_000)).length).toBeGreaterThan(950_000);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
