import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as addresses from '../../generator/addresses.ts';

const { absoluteUrl, feedFiles, feedAddress, fileOf, listAddress, postAddress, postUrl } = addresses;

describe('the addresses of a blog', () => {
  it('a list has a first page and numbered pages', () => {
    expect([listAddress(null), listAddress(null, 7)]).toEqual(['/', '/page/7/']);
    expect([listAddress('ink'), listAddress('ink', 7)]).toEqual(['/tags/ink/', '/tags/ink/page/7/']);
    expect([listAddress('@2026-11'), listAddress('@2026-11', 7)]).toEqual([
      '/archive/2026-11/',
      '/archive/2026-11/page/7/',
    ]);
  });

  it('an address is percent-encoded, and its file is not', () => {
    expect(feedAddress('été', 'rss')).toBe('/tags/%C3%A9t%C3%A9/rss.xml');
    expect(fileOf(feedAddress('été', 'rss'))).toBe('tags/été/rss.xml');
  });

  it('an address that ends with a slash leads to the index.html of a folder', () => {
    expect([fileOf('/'), fileOf(postAddress('hello'))]).toEqual(['index.html', 'hello/index.html']);
  });

  it('a URL is absolute, also on a blog that is not at the root of its host', () => {
    expect(absoluteUrl('https://ink.example/', '/')).toBe('https://ink.example/');
    expect(postUrl('https://ink.example/blog/', 'hello')).toBe('https://ink.example/blog/hello/');
  });
});

/** Code that cannot import the map, at CloudFront and in a script that every search page contains, or serves no blog. */
const elsewhere = [
  'server/openapi/reference.ts',
  'templates/scripts/search.ts',
  'generator/edge/cloudfront/function.js',
  'generator/edge/cloudfront/not-found.js',
  'server/guides/guide-files.ts',
  'server/guides/routes.ts',
];

it('no other module writes an address', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const constants = Object.values(addresses).filter((value) => typeof value === 'string');
  const written = [...constants, ...Object.values(feedFiles)].filter((address) => address !== '/');
  const files = ['generator', 'server', 'templates'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|svelte|svx)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const found = files
    .filter((file) => file !== 'generator/addresses.ts' && !elsewhere.includes(file))
    .flatMap((file) =>
      codeOf(readFileSync(join(root, file), 'utf8')).flatMap((line) =>
        written.filter((address) => line.includes(address)).map((address) => `${file}: ${address}`),
      ),
    );
  expect(found).toEqual([]);
});

/** Lines of code, without comments, imports, and examples of the API. */
const codeOf = (source: string): string[] =>
  source.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*|import |example:)| from '/.test(line));
