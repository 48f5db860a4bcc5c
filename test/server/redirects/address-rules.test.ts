import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../generator/addresses.ts';
import { fileOfTarget, parseFrom, parseTo } from '../../../server/redirects/address-rules.ts';

const name = (bytes: number) => 'é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2);

describe('the address of a redirect', () => {
  it.each([
    ['/2019/03/hello.html', '2019/03/hello.html', '/2019/03/hello.html'],
    ['/old/path', 'old/path/index.html', '/old/path/'],
    ['/old/path/', 'old/path/index.html', '/old/path/'],
    ['/old/path/index.html', 'old/path/index.html', '/old/path/'],
    ['/index.php/archives/12', 'index.php/archives/12/index.html', '/index.php/archives/12/'],
    ['/v1.2/', 'v1.2/index.html', '/v1.2/'],
    ['/日本/é', '日本/é/index.html', '/%E6%97%A5%E6%9C%AC/%C3%A9/'],
    ['/%E6%97%A5%e6%9c%ac/%C3%A9', '日本/é/index.html', '/%E6%97%A5%E6%9C%AC/%C3%A9/'],
    ['/100%25%3Fp=1', '100%?p=1/index.html', '/100%25%3Fp%3D1/'],
    ['/feed/', 'feed/index.html', '/feed/'],
    ['/hello.md', 'hello.md', '/hello.md'],
    [`/${name(255)}`, `${name(255)}/index.html`, `/${encodeURIComponent(name(255))}/`],
  ])('%s has a file, and an address again', (from, path, address) => {
    expect(parseFrom(from)).toEqual({ path });
    expect(addressOf(path)).toBe(address);
    expect(parseFrom(address)).toEqual({ path });
  });

  it.each([
    ['old', /begins with one slash/],
    ['//old', /begins with one slash/],
    ['https://old.example/x', /leave out scheme and host/],
    ['', /begins with one slash/],
    ['/?p=123', /before any \? or #/],
    ['/old#part', /before any \? or #/],
    ['/a//b', /must not contain \/\//],
    ['/a/../b', /begins with a dot/],
    ['/a/%2e%2E/b', /begins with a dot/],
    ['/./a', /begins with a dot/],
    ['/.well-known/x', /begins with a dot/],
    ['/a/_HEADERS', /name _headers/],
    ['/a%2Fb', /encoded slash/],
    ['/a%5cb', /backslash/],
    ['/a\\b', /backslash/],
    ['/a%00', /control characters/],
    ['/a\u0085', /control characters/],
    ['/a%0d%0aX: y', /control characters/],
    ['/%zz', /percent-encoding/],
    ['/%ff', /percent-encoding/],
    ['/\ud800', /percent-encoding/],
    [`/${name(256)}`, /more than 255 bytes/],
    ['/', /reserved/],
    ['/index.html', /reserved/],
    ['/404.html', /reserved/],
    ['/tags/rust.html', /reserved/],
    ['/page/2', /reserved/],
    ['/og', /reserved/],
    ['/pagefind/x', /reserved/],
    ['/feed.xml', /reserved/],
    ['/feed.xml/old', /reserved/],
    ['/sitemap-12.xml', /reserved/],
    ['/llms-full.txt', /reserved/],
    ['/post.md/amp', /below \/post.md/],
    ['/hello/index.html/x.html', /below index.html/],
    ['/hello/index.html/', /below index.html/],
    ['/%EF%BF%BF.html', /noncharacters/],
    ['/%EF%BF%BE', /noncharacters/],
    ['/a.*', /asterisk/],
    ['/a'.repeat(11), /at most 10 names/],
    [`${'/a'.repeat(10)}/b.html`, /at most 10 names/],
  ])('%j is refused', (from, problem) => {
    expect(parseFrom(from)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it.each([
    '/old/index.html',
    '/2019/03/04/title/',
    '/index.php/archives/2019/03/04/title',
    '/content/site/en/home/products/category/model/overview.html',
    '/a'.repeat(10),
  ])('a path may have ten names, more than sites have: %s', (from) => {
    expect(parseFrom(from)).toHaveProperty('path');
  });

  it('a path fits into the key of a bucket', () => {
    const path = (bytes: number) =>
      `/${`${'x'.repeat(99)}/`.repeat(8)}`.padEnd(bytes - '/index.html'.length + 1, 'x');
    expect(parseFrom(path(900))).toHaveProperty('path');
    expect(parseFrom(path(901))).toEqual({ problem: 'must be at most 900 bytes' });
  });
});

describe('the target of a redirect', () => {
  it.each([
    ['/hello/', '/hello/'],
    ['/', '/'],
    ['/a b/é?q=ü#teil', '/a%20b/%C3%A9?q=%C3%BC#teil'],
    ['/a/../b', '/b'],
    ['https://Bücher.example/x?a=1&b', 'https://xn--bcher-kva.example/x?a=1&b'],
    ['HTTP://example.org', 'http://example.org/'],
    [`/${'x'.repeat(1_499)}`, `/${'x'.repeat(1_499)}`],
  ])('%s is stored as URL parsers print it', (to, target) => {
    expect(parseTo(to)).toEqual({ target });
    expect(parseTo(target)).toEqual({ target });
  });

  it.each([
    '',
    'hello',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    '/%0a'.replace('%0a', '\n'),
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.org/',
    'https:example.org',
    'https://user:secret@example.org/',
    'https://',
    'https:\\\\evil.example',
    '/\ud800',
    `/${'x'.repeat(1_500)}`,
    `/${'é'.repeat(300)}`,
  ])('%j is refused, so that no redirect leads where it does not say', (to) => {
    expect(parseTo(to)).toHaveProperty('problem');
  });

  it('a target on a host of the blog is a file of the blog, whatever its query', () => {
    const origins = new Set(['https://ink.example', 'http://ink.localhost:3000']);
    const fileOf = (target: string) => fileOfTarget(target, origins);
    expect(fileOf('/old/path?x#y')).toBe('old/path/index.html');
    expect(fileOf('https://ink.example/%C3%A9.html')).toBe('é.html');
    expect(fileOf('/')).toBe('index.html');
    expect(fileOf('https://other.example/old/')).toBeNull();
    expect(fileOf('https://ink.example./old/')).toBe('old/index.html');
    expect(fileOf('http://ink.localhost.:3000/old/')).toBe('old/index.html');
    expect(fileOf('https://ink.example:3000/old/')).toBeNull();
    expect(fileOf('https://blog.invalid/old/')).toBeNull();
  });
});
