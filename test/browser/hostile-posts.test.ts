// Slow: Chromium opens hundreds of hostile posts, from our own list and from the corpus, and waits for effects on
// each page.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '../../generator/markdown/render.ts';
import { openBrowser } from '../support/browser.ts';
import { corpusDir } from '../support/corpus.ts';
import { postsWith } from '../support/hostile-contexts.ts';
import { type DomElement, everyElement, offencesIn, textIn } from '../support/hostile-dom.ts';
import { openTrap, type Trap } from '../support/hostile-page.ts';
import { corpusEntries, type HostileEntry, ownEntries } from '../support/hostile-strings.ts';

let browser: Browser;
let traps: readonly Trap[] = [];
const trap = (): Trap => traps[0] ?? expect.fail('there is no page');

beforeAll(async () => {
  browser = await openBrowser();
  // An author's text must not reach the server log.
  vi.spyOn(console, 'log');
  traps = [openTrap(browser), openTrap(browser)];
}, 660_000);
afterAll(async () => {
  expect(console.log).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await browser.close();
});

/** A page that holds only posts, so that every other thing the browser finds in it came out of a post. */
const pageOf = (posts: readonly string[]): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>${posts
    .map((html) => `<article>${html}</article>`)
    .join('')}</body></html>`;

async function offencesOn(trap: Trap, posts: readonly string[]): Promise<string[]> {
  const { root, offences } = await trap.visit(pageOf(posts));
  return [...offences, ...offencesOfPosts(root, posts.length, trap.address)];
}

function offencesOfPosts(root: DomElement, count: number, address: string): string[] {
  const [head, body] = root.children;
  if (typeof body !== 'object' || body.name !== 'body') return ['there is no body'];
  const posts = body.children.filter((child) => typeof child === 'object');
  const isWhole =
    root.children.length === 2 &&
    body.children.length === count &&
    posts.every(({ name, attributes }) => name === 'article' && Object.keys(attributes).length === 0);
  return [
    ...(isWhole ? [] : ['a post does not end where it should']),
    ...(JSON.stringify(head) === emptyHead ? [] : [`in the head: ${JSON.stringify(head)}`]),
    ...posts.flatMap((post) => offencesIn(post, address)),
  ];
}

const emptyHead = JSON.stringify({
  name: 'head',
  space: 'html',
  children: [{ name: 'meta', space: 'html', children: [], attributes: { charset: 'utf-8' } }],
  attributes: {},
});

/** Attacks per page: opening a page takes longer than inspecting it. */
const TOGETHER = 15;

/** Findings of the browser for each entry that is not harmless. Two pages work at once. */
async function offencesOfEntries(entries: readonly HostileEntry[]): Promise<object[]> {
  const found: object[] = [];
  const batches = Array.from({ length: Math.ceil(entries.length / TOGETHER) }, (_, index) =>
    entries.slice(index * TOGETHER, (index + 1) * TOGETHER),
  ).values();
  const work = async (trap: Trap) => {
    for (const batch of batches) {
      const rendered = batch.map(({ name, strings }) => ({
        name,
        posts: strings.flatMap(postsWith).map(render),
      }));
      const offences = await offencesOn(
        trap,
        rendered.flatMap(({ posts }) => posts),
      );
      if (offences.length === 0) continue;
      const alone = [];
      for (const { name, posts } of rendered) alone.push({ name, offences: await offencesOn(trap, posts) });
      const guilty = alone.filter((one) => one.offences.length > 0);
      found.push(...(guilty.length > 0 ? guilty : [{ name: batch.map(({ name }) => name), offences }]));
    }
  };
  await Promise.all(traps.map(work));
  return found;
}

const render = (source: string): string => renderMarkdown(source).html;

describe('our own attacks in a browser without a content security policy', () => {
  it('none of our own attacks does anything, at whatever place in a post', async () => {
    expect(await offencesOfEntries(ownEntries)).toEqual([]);
  });

  it('template syntax in a post is shown as text', async () => {
    const { root } = await trap().visit(pageOf(templates.map(render)));
    const articles = [...everyElement(root)].filter(({ element }) => element.name === 'article');
    expect(articles.map(({ element }) => textIn(element).trim())).toEqual(templates);
  });

  it('diagrams, formulas and frames that the renderer makes are not reported', async () => {
    expect(await offencesOn(trap(), [render(drawn)])).toEqual([]);
    const { root } = await trap().visit(pageOf([render(drawn)]));
    const names = new Set([...everyElement(root)].map(({ element }) => element.name));
    expect([...names]).toEqual(
      expect.arrayContaining(['svg', 'math', 'iframe', 'nav', 'img', 'ins', 'input']),
    );
  });
});

const templates = [
  '{{ 7*191 }}',
  '{% if x %}y{% endif %}',
  '<%= 7*191 %>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the literal text is the test value
  '${7*191}',
  '{7*191}',
  '{@html "b"}',
  '#{7*191}',
];

const drawn = `[TOC]

# Heading

https://www.youtube.com/watch?v=abcdefghijk&t=90

$\frac{a}{b}$ and ![i](https://images.example/i.png "t") and a[^n]

\`\`\`math
\begin{pmatrix} color{red} a & \fbox{b} \\ c & d end{pmatrix} \tag{1}
\`\`\`

\`\`\`mermaid
graph LR
  A["Is <b>it</b> & so?"] -->|yes| B(Then)
\`\`\`

\`\`\`ts title="a.ts" {1} diff
+const a = '<script>';
\`\`\`

> [!NOTE]
> - [x] done

| a |
|---|
| b |

[^n]: A note.
`;

describe('the browser check', () => {
  it.each([
    ['a handler that runs', '<img src=x onerror=hostile()>', 'called hostile'],
    ['a handler that does nothing yet', '<p onclick="x">a</p>', 'handler onclick'],
    ['a script', '<script>1</script>', 'a script was compiled'],
    ['a script that calls', '<script>alert(1)</script>', 'called alert'],
    ['a script that fails', '<script>missing()</script>', 'error of a script'],
    ['a script that defines a global', '<script>var mine</script>', 'changed: window.mine'],
    ['a script that overwrites a global', '<script>fetch = 0</script>', 'changed: window.fetch'],
    ['a script that runs later', '<script>setTimeout(() => hostile(), 1)</script>', 'called hostile'],
    ['a script in a drawing', '<svg onload="hostile()"></svg>', 'called hostile'],
    ['a script in a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', 'called alert'],
    ['a script that navigates away', '<script>location = "//e.example"</script>', 'request (document)'],
    ['a script that sends a request', '<script>fetch("/x")</script>', 'request (fetch)'],
    ['a style sheet from another host', '<link rel=stylesheet href="//e.example/s">', 'request (stylesheet)'],
    ['a style sheet', '<style>p { color: red }</style>', 'unknown element: <style>'],
    ['a style attribute', '<p style="color: red">a</p>', 'style: <p'],
    ['an image that is not the author’s', '<p style="background:url(//e.example/b)">', 'but of no img'],
    ['a poster', '<video poster="//e.example/p"></video>', 'but of no img'],
    ['a sound', '<audio src="//e.example/a" preload=auto></audio>', 'request (media)'],
    ['a frame', '<iframe src="//e.example/"></iframe>', 'request (frame)'],
    [
      'a video frame of another kind',
      '<iframe src="//www.youtube.com/embed/abcdefghijk"></iframe>',
      'frame: <iframe',
    ],
    ['an object', '<object data="//e.example/o"></object>', 'unknown element: <object'],
    ['a form', '<form action="/x"><button>b</button></form>', 'unknown element: <form'],
    ['an input field', '<input name="q">', 'input: <input'],
    ['a base element', '<base href="//e.example">', 'unknown element: <base'],
    ['a template', '<template><p onclick=x>a</p></template>', 'handler onclick'],
    ['a comment', '<!-- a -->', 'unknown element: <other:#comment'],
    ['a link to a script', '<a href=" java&#9;script:hostile()">a</a>', 'link to javascript:'],
    [
      'a link to a script in a drawing',
      '<svg><a xlink:href="javascript:x"></a></svg>',
      'unknown element: <svg:a',
    ],
    ['a drawing outside a diagram', '<svg><path d="M0 0"/></svg>', 'unknown element: <svg:svg'],
    ['HTML in a drawing', '<figure class=diagram><svg><foreignObject></svg></figure>', '<svg:foreignObject'],
    [
      'a fill from another host',
      '<figure class=diagram><svg><g fill="url(//e.example/#a)">',
      'value of fill',
    ],
    ['a formula with a link', '<math href="//e.example"><mi>a</mi></math>', 'attribute href'],
    ['a formula out of its place', '<math><mi style="position:fixed">a</mi></math>', 'style: <math:mi'],
    ['HTML in a formula', '<math><mtext><p>a</p></mtext></math>', 'unknown element: <p'],
    [
      'a named element that scripts could read',
      '<p id="hostileConfig">a</p>',
      'changed: window.hostileConfig',
    ],
    ['an id without a prefix', '<p id="other">a</p>', 'id: <p'],
    [
      'a name that shadows a property of the document',
      '<img name="getElementById" src="/a">',
      'changed: document.getElementById',
    ],
    ['a ping', '<a href="/a" ping="//e.example">a</a>', 'attribute ping'],
    [
      'an end tag that closes the post too early',
      '</article><p>a</p>',
      'a post does not end where it should',
    ],
    ['markup that is left open', '<p title="', 'a post does not end where it should'],
  ])('the browser check reports %s', async (_, html, offence) => {
    expect(await offencesOn(trap(), [html, '<p>after</p>'])).toContainEqual(expect.stringContaining(offence));
  });

  // Either the check sees the element, or the browser has already left the page.
  it.each([
    ['navigates away', '<meta http-equiv=refresh content="0;url=//e.example">'],
    ['reloads itself', '<meta http-equiv=refresh content="0">'],
  ])('the browser check reports a page that %s', async (_, html) => {
    expect(await offencesOn(trap(), [html, '<p>after</p>'])).toContainEqual(
      expect.stringMatching(/^(?:unknown element: <meta|request \(document\))/),
    );
  });

  it('the browser check reports nothing in a harmless post', async () => {
    expect(await offencesOn(trap(), ['<p>a</p>', '<img src="https://images.example/i.png" alt="">'])).toEqual(
      [],
    );
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  describe('known attacks in a browser without a content security policy', () => {
    const entries = corpusEntries(corpus);

    it('no known attack does anything, at whatever place in a post', async () => {
      expect(entries.length).toBeGreaterThan(700);
      expect(await offencesOfEntries(entries)).toEqual([]);
    }, 600_000);
  });
}
