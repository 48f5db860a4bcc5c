import { setImmediate } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { type DomElement, everyElement, isPlayer, readElement } from './hostile-dom.ts';

/** What a page did that no page of a blog may do, one line each, and the page as it stood then. */
export interface Visit {
  readonly offences: readonly string[];
  readonly root: DomElement;
}

/** What a server sends, without any Content-Security-Policy. */
interface Content {
  readonly body: string;
  readonly contentType: string;
}

/** A browser page in which everything that hostile markup could do leaves a trace. One visit at a time. */
export interface Trap {
  readonly address: string;
  /**
   * Opens an HTML page, or what `contentType` says. `leadsTo` is the one address that it may go on to by itself.
   * Images are legitimate and answered: those of the page's own host with 404, those of others with a picture, so
   * that handlers of failure and of success both get their chance.
   */
  visit(body: string, options?: { readonly contentType?: string; readonly leadsTo?: string }): Promise<Visit>;
}

/** Below `localhost`, so that it is a secure context, in which scripts may do most. */
const ADDRESS = 'http://blog.localhost/post/';

/** A page that is not there by then has lost its way. */
const LOST_MS = 30_000;

/** The scripts of `harmless`, an HTML page, may run on every page. */
export function openTrap(browser: Browser, harmless = '<p>'): Trap {
  let watched: WatchedPage | undefined;
  let before: ReadonlySet<string> = new Set();
  let playersBefore: ReadonlySet<string> = new Set();

  /** A browser that is short of time may lose its way to pages that are open. It finds it to a new one. */
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
      // Images and players that are loaded late may be those of the page before.
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
        // Whatever it is still about to do, it must not do to the next page.
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
  // What is compiled on a harmless page is its own, or of this file, or of what drives the browser.
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
  // The page itself tells of what it sends, before it is looked at: the way by which requests are answered may be longer.
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
    // What came before the answer is told in a later turn, where all of it came at once.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    const report: Report | null = typeof result.value === 'string' ? JSON.parse(result.value) : null;
    return { report, log };
  }

  await open({ body: harmless, contentType: 'text/html; charset=utf-8' });
  isContentHostile = true;
  return { open, close: () => context.close() };
}

/** What one visit has brought to light. */
interface Log {
  readonly content: Content;
  readonly leadsTo: string | undefined;
  readonly offences: string[];
  /** Addresses that were asked for. */
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
    // A browser's own remarks, as on every image that is missing, have no arguments.
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

/** Players that an author may have embedded. */
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

/** What an author may have loaded from anywhere. */
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

/** Runs before every page: functions that attacks call speak up, and what there is of `window` is remembered. */
const plant = `for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'hostile', 'xss']) {
  window[name] = () => console.error('called ' + name);
}
Object.defineProperty(window, '__before', { value: {
  own: Object.getOwnPropertyDescriptors(window),
  ofDocument: Object.getOwnPropertyNames(document),
  query: Document.prototype.querySelectorAll,
  root: Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get,
} });`;

/** What a page says of itself. */
interface Report {
  readonly root: DomElement;
  readonly address: string;
  readonly changed: readonly string[];
  readonly protocols: readonly string[];
}

/**
 * Reads the page when its tasks at hand are done. Properties of its own that a document has come from named elements,
 * those that a window gets from scripts, its frames apart. A link whose address is none has the protocol \`:\` and leads nowhere.
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
