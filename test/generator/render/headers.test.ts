import { describe, expect, it } from 'vitest';
import { headersFor, parseHeaderRules } from '../../../generator/edge/header-rules.ts';
import { headersFile } from '../../../generator/render/headers.ts';

const none = { ownerHtml: { header: '', footer: '', ad: '' }, layout: '' };
const CSP = 'Content-Security-Policy';

const sentFor = async (path: string, ...given: Parameters<typeof headersFile>) =>
  headersFor(parseHeaderRules(await headersFile(...given)), path);
const policyFor = async (path: string, ...given: Parameters<typeof headersFile>) =>
  (await sentFor(path, ...given)).get(CSP) ?? '';

describe('the headers of a blog', () => {
  it('the headers are lines in the format of Netlify and Cloudflare Pages', async () => {
    const lines = (await headersFile(none)).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '/*',
      '  X-Content-Type-Options: nosniff',
      '  Referrer-Policy: strict-origin-when-cross-origin',
    ]);
    expect(lines[3]).toMatch(/^ {2}Content-Security-Policy: default-src 'none'; script-src 'sha256-/);
    expect(lines.at(-1)).toBe('');
  });

  it('the policy allows only the theme’s scripts if the owner has added nothing', async () => {
    const policy = await policyFor('/a-post/', none);
    expect(policy).toMatch(/script-src(?: 'sha256-[\w+/]+=*')+;/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(await headersFile()).toBe(await headersFile(none));
  });

  it('the policy allows the style sheet of feeds and the manifest, which are files of the blog', async () => {
    const policy = await policyFor('/feed.xml', none);
    expect(policy).toMatch(/style-src 'self' 'unsafe-inline';.*manifest-src 'self';/);
  });

  it.each([
    { ...none, ownerHtml: { ...none.ownerHtml, header: '<p>' } },
    { ...none, ownerHtml: { ...none.ownerHtml, footer: '<p>' } },
    { ...none, ownerHtml: { ...none.ownerHtml, ad: '<p>' } },
    { ...none, layout: '{{ content }}<script>1</script>' },
    { ...none, layout: '<img src=x onerror="x()">{{ content }}' },
    { ...none, layout: '<link rel="stylesheet" href="https://a.example/a.css">{{ content }}' },
    { ...none, layout: '<IFRAME src="https://a.example/"></IFRAME>{{ content }}' },
  ])('the policy allows the owner’s scripts if there may be some: %j', async (blog) => {
    const policy = await policyFor('/', blog);
    expect(policy).toMatch(/^default-src 'self' https: data: blob: 'unsafe-inline' 'unsafe-eval';/);
    expect(policy).not.toContain('sha256');
    for (const kept of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'self'"]) {
      expect(policy).toContain(kept);
    }
  });

  it('the policy stays strict for a layout without scripts', async () => {
    const layout = '<style>a{}</style><nav>on: {{ page.kind }}</nav><img src="/a.png" alt="">{{ content }}';
    expect(await headersFile({ ...none, layout })).toBe(await headersFile(none));
  });
});

describe('a path with a policy of its own', () => {
  const more = { '/search/*': { 'script-src': ["'self'", "'wasm-unsafe-eval'"], 'connect-src': ["'self'"] } };

  it('a path policy adds sources to those of the blog', async () => {
    const rest = await policyFor('/a-post/', none, more);
    expect(rest).toBe(await policyFor('/a-post/', none));
    const own = await policyFor('/search/', none, more);
    expect(own).toMatch(/script-src(?: 'sha256-[\w+/]+=*')+ 'self' 'wasm-unsafe-eval';/);
    expect(own).toMatch(/; connect-src 'self'$/);
    expect(own).toContain("default-src 'none'");
    expect(await policyFor('/search/pagefind/x.js', none, more)).toBe(own);
    for (const other of ['/search', '/searching/', '/a/search/', '/']) {
      expect(await policyFor(other, none, more)).toBe(rest);
    }
    expect((await sentFor('/search/', none, more)).get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('a path policy leaves an open policy open', async () => {
    const own = await policyFor('/search/', { ...none, ownerHtml: { ...none.ownerHtml, ad: 'x' } }, more);
    expect(own).toMatch(
      /script-src 'self' https: data: blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'/,
    );
    expect(own).toMatch(/connect-src 'self' https: wss: data: blob:;/);
  });
});

it('header rules are read as Netlify and Cloudflare Pages read them', () => {
  const rules = parseHeaderRules(`# a comment
/*
  A: 1
  B: x: y

/b.c/*
  A: 2
  ! B

/b.c/d
  B: 3
`);
  const of = (path: string) => Object.fromEntries(headersFor(rules, path));
  expect(of('/')).toEqual({ A: '1', B: 'x: y' });
  expect(of('/b.c/')).toEqual({ A: '1, 2' });
  expect(of('/b.c/d')).toEqual({ A: '1, 2', B: '3' });
  expect(of('/bxc/')).toEqual({ A: '1', B: 'x: y' });
  expect(of('/a\n/b.c/')).toEqual({ A: '1', B: 'x: y' });
});
