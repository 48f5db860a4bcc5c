import { setImmediate } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { type DomElement, everyElement, isPlayer, readElement } from './hostile-dom.ts';

/** Forbidden actions of a page, one line each, and its DOM at that point. */
export interface Visit {
  readonly offences: readonly string[];
  readonly root: DomElement;
}

/** A response without any Content-Security-Policy. */
interface Content {
  readonly body: string;
  readonly contentType: string;
}

/** A browser page that records every possible effect of hostile markup. One visit at a time. */
export interface Trap {
  readonly address: string;
  /**
   * Opens an HTML page, or one of type `contentType`. `leadsTo` is the only address that the page may navigate to by
   * itself. Images are allowed: those on the page's own host get a 404, all others an image, so that both error and
   * load handlers have a chance to run.
   */
  visit(body: string, options?: { readonly contentType?: string; readonly leadsTo?: string }): Promise<Visit>;
}

/** Below `localhost`, so that it is a secure context, in which scripts may do most. */
const ADDRESS = 'http://blog.localhost/post/';

/** A navigation that has not finished by then has failed. */
const LOST_MS = 30_000;

/** Scripts on `harmless`, an HTML page, may run on every page. */
export function openTrap(browser: Browser, harmless = '<p>'): Trap {
  let watched: WatchedPage | undefined;
  let before: ReadonlySet<string> = new Set();
  let playersBefore: ReadonlySet<string> = new Set();

  /** A browser under load may fail to navigate an open page, but not a new one. */
  async function open(content: Content, leadsTo?: string) {
    const opened = watched ?? (await openWatched(browser, harmless));
    watched = opened;
    try {
      return await opened.open(content, leadsTo);
    } catch {
      await opened.close();
      const anew = await openWatched(browser, harmless);
      watched = anew;
      return anew.open(content, leadsTo);
    }
  }

  return {
    address: ADDRESS,
    async visit(body, { contentType = 'text/html; charset=utf-8', leadsTo } = {}) {
      const { report, log } = await open({ body, contentType }, leadsTo);
      const root = report?.root ?? { name: '', space: 'other', attributes: {}, children: [] };
      const images = imagesIn(root);
      // Lazily loaded images and players may belong to the previous page.
      const stray = [...log.images].filter((url) => !images.has(url) && !before.has(url));
      before = images;
      const players = playersIn(root);
      const strayFrames = [...log.frames].filter((url) => !players.has(url) && !playersBefore.has(url));
      playersBefore = players;
      const offences = [
        ...log.offences,
        ...stray.map((url) => `request (image, but of no img): ${url}`),
        ...strayFrames.map((url) => `request (frame): ${url}`),
        ...(report === null ? ['the page was gone before it was read'] : offencesOf(report)),
      ];
      if (offences.length > 0 || leadsTo !== undefined) {
        // Pending effects of this page must not reach the next one.
        await watched?.close();
        watched = undefined;
      }
      return { root, offences };
    },
  };
}

interface WatchedPage {
  open(content: Content, leadsTo?: string): Promise<{ report: Report | null; log: Log }>;
  close(): Promise<void>;
}

async function openWatched(browser: Browser, harmless: string): Promise<WatchedPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let log = newLog({ body: '', contentType: '' });
  // Scripts compiled on a harmless page are its own, or of this file, or of the browser driver.
  const ours = new Set<string>();
  let isContentHostile = false;
  await page.addInitScript(plant);
  watch(page, (offence) => log.offences.push(offence));
  const debug = await context.newCDPSession(page);
  debug.on('Debugger.scriptParsed', ({ hash, executionContextAuxData }) => {
    if (executionContextAuxData?.type !== 'default') return;
    if (!isContentHostile) ours.add(hash);
    else if (!ours.has(hash)) log.offences.push('a script was compiled');
  });
  // The page reports its requests before it is inspected; the route handlers may run later.
  debug.on('Network.requestWillBeSent', ({ request, type }) => {
    if (type === 'Fetch' || type === 'XHR') {
      log.offences.push(`request (${type.toLowerCase()}): ${withoutFragment(request.url)}`);
    }
  });
  await debug.send('Debugger.enable');
  await debug.send('Network.enable');
  await context.route('**/*', (route) => answer(route, log));

  async function open(content: Content, leadsTo?: string) {
    log = newLog(content, leadsTo);
    await page.goto(ADDRESS, { timeout: LOST_MS });
    const looked = debug.send('Runtime.evaluate', { expression: look, awaitPromise: true });
    const { result } = await looked.catch(() => ({ result: { value: null } }));
    // Events that precede the response are delivered in later ticks if all of them arrived at once.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    const report: Report | null = typeof result.value === 'string' ? JSON.parse(result.value) : null;
    return { report, log };
  }

  await open({ body: harmless, contentType: 'text/html; charset=utf-8' });
  isContentHostile = true;
  return { open, close: () => context.close() };
}

/** Findings of one visit. */
interface Log {
  readonly content: Content;
  readonly leadsTo: string | undefined;
  readonly offences: string[];
  /** Requested addresses. */
  readonly images: Set<string>;
  readonly frames: Set<string>;
  isServed: boolean;
}

const newLog = (content: Content, leadsTo?: string): Log => ({
  content,
  leadsTo,
  offences: [],
  images: new Set(),
  frames: new Set(),
  isServed: false,
});

function watch(page: Page, report: (offence: string) => void): void {
  page.on('console', (message) => {
    // The browser's own messages, as for a missing image, have no arguments.
    if (message.args().length > 0) report(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => report(`error of a script: ${error.message}`));
  page.on('dialog', (dialog) => {
    report(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => report(`window opened: ${popup.url()}`));
  page.on('download', (download) => report(`download: ${download.url()}`));
  page.on('websocket', (socket) => report(`socket: ${socket.url()}`));
  page.on('worker', (worker) => report(`worker: ${worker.url()}`));
}

/** The smallest PNG. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

function answer(route: Route, log: Log): Promise<void> {
  const request = route.request();
  const url = withoutFragment(request.url());
  const isFrame = request.isNavigationRequest() && request.frame().parentFrame() !== null;
  const isMain = request.isNavigationRequest() && !isFrame;
  if (isMain && url === ADDRESS && !log.isServed) {
    log.isServed = true;
    return route.fulfill(log.content);
  }
  if (isMain && url === log.leadsTo) return route.fulfill({ status: 204 });
  if (isFrame) {
    log.frames.add(url);
    return route.fulfill({ body: '', contentType: 'text/html' });
  }
  if (request.resourceType() === 'image') {
    log.images.add(url);
    if (new URL(url).origin === new URL(ADDRESS).origin) return route.fulfill({ status: 404 });
    return route.fulfill({ body: picture, contentType: 'image/png' });
  }
  log.offences.push(`request (${request.resourceType()}): ${url}`);
  return route.abort();
}

/** Players that an author may embed. */
const playersIn = (root: DomElement): Set<string> =>
  new Set([...everyElement(root)].filter(isPlayer).map(({ element }) => element.attributes.src ?? ''));

function offencesOf({ address, changed, protocols }: Report): string[] {
  return [
    ...(address === ADDRESS ? [] : [`the page has gone to ${address}`]),
    ...changed.map((name) => `changed: ${name}`),
    ...protocols
      .filter((protocol) => !['http:', 'https:', 'mailto:', 'tel:'].includes(protocol))
      .map((protocol) => `link to ${protocol}`),
  ];
}

/** Images that an author may load from anywhere. */
function imagesIn(root: DomElement): Set<string> {
  const addresses = [...everyElement(root)].flatMap(({ element: { name, attributes } }) => {
    if (name !== 'img' && name !== 'source') return [];
    const candidates = (attributes.srcset ?? '').split(/,\s+|,$/);
    return [name === 'img' ? attributes.src : '', ...candidates.map((one) => one.trim().split(/\s/)[0])];
  });
  return new Set(
    addresses
      .filter((address) => address !== undefined && URL.canParse(address, ADDRESS))
      .map((address) => withoutFragment(new URL(address ?? '', ADDRESS).href)),
  );
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/**
 * Runs before every page: replaces functions that attacks call by reporting ones, and records the properties of
 * `window`.
 */
const plant = `for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'hostile', 'xss']) {
  window[name] = () => console.error('called ' + name);
}
Object.defineProperty(window, '__before', { value: {
  own: Object.getOwnPropertyDescriptors(window),
  ofDocument: Object.getOwnPropertyNames(document),
  query: Document.prototype.querySelectorAll,
  root: Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get,
} });`;

/** The page's report about itself. */
interface Report {
  readonly root: DomElement;
  readonly address: string;
  readonly changed: readonly string[];
  readonly protocols: readonly string[];
}

/**
 * Reads the page after its current tasks. Named elements become own properties of a document; scripts add properties
 * to a window, apart from its frames. A link with an invalid address has the protocol \`:\` and leads nowhere.
 */
const look = `new Promise((done) => setTimeout(done, 5)).then(() => {
  const { own, ofDocument, query, root } = window.__before;
  const now = Object.getOwnPropertyDescriptors(window);
  const isSame = (name) => name in own === name in now && Object.is(own[name]?.value, now[name]?.value) &&
    own[name]?.get === now[name]?.get;
  const changed = [...new Set([...Object.keys(own), ...Object.keys(now)])].filter((name) => !isSame(name));
  const named = Object.getOwnPropertyNames(document).filter((name) => !ofDocument.includes(name));
  const links = [...query.call(document, 'a, area')].map((link) => link.protocol);
  return JSON.stringify({
    root: ${readElement}(root.call(document)),
    address: location.href,
    changed: [
      ...changed.filter((name) => !/^(?:__before|\\d+)$/.test(name)).map((name) => 'window.' + name),
      ...named.map((name) => 'document.' + name),
      ...('hostileConfig' in window ? ['window.hostileConfig'] : []),
    ],
    protocols: links.filter((protocol) => protocol !== ':'),
  });
})`;
