import { Context, filters, Liquid, LiquidError, type Template, toValueSync } from 'liquidjs';
import { type LayoutData, listsPosts } from './data.ts';
import { MAX_FRAME, MAX_OUTPUT_UNITS, MAX_SOURCE, MAX_STEPS } from './limits.ts';
import { LayoutRefused } from './refused.ts';
import { emitterFor, escapingTags } from './tags.ts';
import { type UnknownVariables, unknownVariables } from './unknown-variables.ts';

/**
 * A layout's output before and after `content`. `after` is null if the layout leaves `content` out, which it may where
 * posts are listed, to list them itself.
 */
export type LayoutFrame = readonly [before: string, after: string | null];

/** An owner's layout, compiled for use on many pages. */
export interface Layout {
  /** Throws `LayoutRefused` if the layout fails on this page, or exceeds a limit (limits.ts). */
  frame(data: LayoutData): LayoutFrame;
  /** What it reads that no page has. */
  unknownVariables(): UnknownVariables;
}

/**
 * Placeholder for `content` while the layout runs, so that the page's text neither counts against the limits nor can be
 * changed. No stored text contains a NUL.
 */
const CONTENT = '\0content\0';

/** What stands in the place of `content`: the skip link of every page leads to it. */
const OWN_CONTENT = /<main\s(?:[^>]*\s)?id=["']?Content["'\s>]/;

const MAX_MESSAGE = 200;

/** Tags that read other templates. There are no others. */
const unavailableTags = ['include', 'render', 'layout', 'block'];

/** `sample` gives a different page each time, and `..._exp` filters evaluate text. */
const unavailableFilters = Object.keys(filters).filter((name) => name === 'sample' || name.endsWith('_exp'));
const dateFilters = Object.keys(filters).filter((name) => name.startsWith('date'));

/** Compiles a layout. Date filters use `language` (BCP 47), the blog's language. Throws `LayoutRefused`. */
export function compileLayout(source: string, language: string): Layout {
  const engine = createEngine(language);
  const templates = withRefusal(() => engine.parse(source));
  return {
    frame: (data) => withRefusal(() => splitAtContent(runLayout(engine, templates, data), listsPosts(data))),
    unknownVariables: () => withRefusal(() => unknownVariables(templates)),
  };
}

function createEngine(language: string): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    outputEscape: 'escape',
    relativeReference: false,
    dynamicPartials: false,
    templates: {},
    parseLimit: MAX_SOURCE,
    timezoneOffset: 0,
    locale: language,
  });
  for (const name of unavailableTags) delete engine.tags[name];
  for (const name of unavailableFilters) engine.unregisterFilter(name);
  for (const name of dateFilters) {
    const format = filters[name];
    if (typeof format !== 'function') continue;
    engine.registerFilter(name, function (value, ...rest) {
      if (value === 'now' || value === 'today') throw new Error('a page cannot use the current time');
      return format.call(this, value, ...rest);
    });
  }
  for (const [name, tag] of Object.entries(escapingTags)) engine.registerTag(name, tag);
  return engine;
}

function runLayout(engine: Liquid, templates: Template[], data: LayoutData): string {
  const scope = Object.assign(Object.create(null), { ...data, content: CONTENT });
  const context = new Context(scope, engine.options, { sync: true }, { liquid: engine });
  Object.assign(context, {
    memoryLimit: limit(MAX_OUTPUT_UNITS, 'makes too much text or too many entries for one page'),
    renderLimit: limit(MAX_STEPS, `takes more than ${MAX_STEPS} steps on one page`),
  });
  const out = emitterFor(context);
  toValueSync(engine.renderer.renderTemplates(templates, context, out));
  if (out.buffer.length > MAX_FRAME) throw new LayoutRefused(`makes more than ${MAX_FRAME} characters`);
  return out.buffer;
}

/** Replaces LiquidJS's own limits: its render limit measures time, which differs from machine to machine. */
function limit(most: number, message: string) {
  let used = 0;
  const use = (count: number) => {
    used += count > 0 ? count : 0;
    if (used > most) throw new LayoutRefused(message);
  };
  return { use, check: () => use(1) };
}

function splitAtContent(html: string, mayLeaveOut: boolean): LayoutFrame {
  const [before = '', after, ...more] = html.split(CONTENT);
  if (after === undefined) {
    if (mayLeaveOut && OWN_CONTENT.test(before)) return [before, null];
    const instead = mayLeaveOut ? ', nor a main element with the id "Content" in its place' : '';
    throw new LayoutRefused(`does not print {{ content }}${instead}`);
  }
  if (more.length > 0) throw new LayoutRefused('prints {{ content }} more than once');
  return [before, after];
}

/** Turns every error into a `LayoutRefused` that names the position, if there is one. */
function withRefusal<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): LayoutRefused {
  if (!LiquidError.is(error)) return new LayoutRefused(errorText(error), { cause: error });
  const [line, column] = error.token.getPosition();
  const reason = errorText(error.originalError ?? error).replace(/, line:\d+, col:\d+$/, '');
  return new LayoutRefused(`line ${line}, column ${column}: ${reason}`, { cause: error });
}

function errorText(error: unknown): string {
  if (error instanceof RangeError && /call stack/.test(error.message)) return 'it is nested too deeply';
  const message = error instanceof Error ? error.message : String(error);
  return shortened(message.replace(/^tag "(.*)" not found$/s, 'undefined tag: $1'));
}

/** Cuts long messages: some quote the whole tag. */
function shortened(message: string): string {
  const characters = Array.from(message);
  return characters.length > MAX_MESSAGE ? `${characters.slice(0, MAX_MESSAGE).join('')}…` : message;
}
