import { parseDate } from '../../folder/dates.ts';
import type { WxrElement } from './wxr-stream.ts';

/** An item of an export: a post, a page, an image of the library, or something that a plugin keeps. */
export interface WxrItem {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly title: string;
  /** The address, possibly with a query. */
  readonly link: string;
  readonly name: string;
  readonly creator: string;
  readonly html: string;
  readonly excerpt: string;
  /** ISO 8601 in UTC; undefined if it has none, as drafts have none. */
  readonly date: string | undefined;
  readonly password: string;
  readonly isSticky: boolean;
  readonly attachmentUrl: string;
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[];
  /** Values of fields that plugins and themes keep. */
  readonly meta: (key: string) => string | undefined;
  readonly metaValues: (key: string) => readonly string[];
  readonly comments: number;
  /** Whether a text of it is longer than any post may be. */
  readonly isCut: boolean;
}

export function itemOf({ children }: WxrElement): WxrItem {
  const texts = new Map(children.map(({ name, text }) => [name, text]));
  const text = (name: string) => clean(texts.get(name) ?? '');
  const values = children
    .filter(({ name }) => name === 'wp:postmeta')
    .map((element) => ({
      key: childText(element, 'wp:meta_key'),
      value: childText(element, 'wp:meta_value'),
    }));
  const metaValues = (wanted: string) => values.filter(({ key }) => key === wanted).map(({ value }) => value);
  return {
    id: text('wp:post_id').trim(),
    kind: text('wp:post_type').trim(),
    status: text('wp:status').trim(),
    title: text('title').replace(/\s+/g, ' ').trim(),
    link: text('link').trim(),
    name: text('wp:post_name').trim(),
    creator: text('dc:creator').trim(),
    html: text('content:encoded'),
    excerpt: text('excerpt:encoded'),
    date: dateOf(text('wp:post_date_gmt'), text('wp:post_date'), text('pubDate')),
    password: text('wp:post_password'),
    isSticky: text('wp:is_sticky').trim() === '1',
    attachmentUrl: text('wp:attachment_url').trim(),
    terms: children
      .filter(({ name }) => name === 'category')
      .map(({ attributes, text: name }) => ({
        domain: attributes.domain ?? '',
        slug: attributes.nicename ?? '',
        name: clean(name).trim(),
      })),
    meta: (key) => metaValues(key).find((value) => value.trim() !== ''),
    metaValues,
    comments: Number(texts.get('comments') ?? 0),
    isCut: children.some(({ name, isCut }) => isCut && name === 'content:encoded'),
  };
}

export const childText = ({ children }: WxrElement, name: string): string =>
  clean(children.find((child) => child.name === name)?.text ?? '');

/** Control characters have no place in a text, and the API takes none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const clean = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');

/** WordPress notes both times; a draft that was never published has zeros. */
function dateOf(utc: string, local: string, published: string): string | undefined {
  const [first] = [utc, published, local].flatMap((text) => {
    const date = /^0000/.test(text.trim()) || /-0001/.test(text) ? undefined : parseDate(text);
    return date === undefined || date < '0002' ? [] : [date];
  });
  return first;
}
