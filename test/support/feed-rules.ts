import { elements, textOf, type XmlElement } from './xml.ts';

/**
 * Rules of the W3C feed validator, as far as a feed alone shows them, and of JSON Feed 1.1. Each function returns the
 * violations; `address` is the address of the feed.
 */

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const RFC822 =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

export function offencesOfAtom(feed: XmlElement, address: string): string[] {
  const { report, offences } = newReport();
  const entries = own(feed, 'entry');
  if (feed.name !== 'feed' || feed.attributes.xmlns !== 'http://www.w3.org/2005/Atom') report('no Atom');
  const known = {
    feed: {
      one: ['id', 'title', 'updated', 'author'],
      some: ['subtitle', 'generator'],
      many: ['link', 'entry'],
    },
    entry: {
      one: ['id', 'title', 'updated', 'published', 'content'],
      some: ['summary'],
      many: ['link', 'category'],
    },
  };
  for (const element of [feed, ...entries]) {
    const rules = element === feed ? known.feed : known.entry;
    for (const offence of offencesOfChildren(element, rules)) report(offence);
    for (const name of ['updated', 'published'])
      for (const { text } of own(element, name)) if (!isMoment(text, RFC3339)) report(`${name}: ${text}`);
    if (own(element, 'link').filter(({ attributes }) => attributes.rel === 'alternate').length !== 1)
      report('another number of alternate links than one');
    for (const { attributes } of own(element, 'link'))
      if (!isAbsolute(attributes.href)) report(`link: ${attributes.href}`);
    const lang = element.attributes['xml:lang'];
    if (!LANGUAGE.test(lang ?? (element === feed ? '' : 'en'))) report(`language: ${lang}`);
  }
  const self = own(feed, 'link').filter(({ attributes }) => attributes.rel === 'self');
  if (self.length !== 1 || self[0]?.attributes.href !== address) report('does not say where it is');
  if (!textOf(feed, 'name')) report('nobody has written it');
  for (const { attributes } of elements(feed, 'category'))
    if (!attributes.term) report('a category without term');
  for (const { attributes } of elements(feed, 'content')) if (attributes.type !== 'html') report('not HTML');
  for (const offence of offencesOfIds(elements(feed, 'id').map(({ text }) => text))) report(offence);
  return offences;
}

export function offencesOfRss(rss: XmlElement, address: string): string[] {
  const { report, offences } = newReport();
  const [channel, ...others] = rss.children;
  if (rss.name !== 'rss' || rss.attributes.version !== '2.0') report('no RSS 2.0');
  if (channel?.name !== 'channel' || others.length > 0)
    return [...offences, 'another number of channels than one'];
  const items = own(channel, 'item');
  const known = {
    channel: {
      one: ['title', 'link', 'description', 'language', 'lastBuildDate', 'atom:link'],
      some: ['generator'],
      many: ['item'],
    },
    item: {
      one: ['title', 'link', 'guid', 'pubDate', 'content:encoded'],
      some: ['description', 'dc:creator'],
      many: ['category'],
    },
  };
  for (const element of [channel, ...items]) {
    const rules = element === channel ? known.channel : known.item;
    for (const offence of offencesOfChildren(element, rules)) report(offence);
    for (const { text } of own(element, 'link')) if (!isAbsolute(text)) report(`link: ${text}`);
    for (const name of ['lastBuildDate', 'pubDate'])
      for (const { text } of own(element, name)) if (!isMoment(text, RFC822)) report(`${name}: ${text}`);
  }
  const self = own(channel, 'atom:link')[0]?.attributes;
  if (self?.rel !== 'self' || self.type !== 'application/rss+xml' || self.href !== address)
    report('does not say where it is');
  if (rss.attributes['xmlns:atom'] !== 'http://www.w3.org/2005/Atom') report('the prefix atom');
  if (rss.attributes['xmlns:content'] !== 'http://purl.org/rss/1.0/modules/content/')
    report('the prefix content');
  if (rss.attributes['xmlns:dc'] !== 'http://purl.org/dc/elements/1.1/') report('the prefix dc');
  if (!LANGUAGE.test(textOf(channel, 'language') ?? '')) report('the language');
  const guids = elements(channel, 'guid');
  if (guids.some(({ attributes }) => attributes.isPermaLink !== 'false'))
    report('an id that is taken for an address');
  for (const offence of offencesOfIds(guids.map(({ text }) => text))) report(offence);
  return offences;
}

const jsonFeed = {
  required: { version: 'string', title: 'string', items: 'array' },
  optional: {
    ...{
      home_page_url: 'url',
      feed_url: 'url',
      description: 'string',
      user_comment: 'string',
      next_url: 'url',
    },
    ...{
      icon: 'url',
      favicon: 'url',
      authors: 'authors',
      language: 'language',
      expired: 'boolean',
      hubs: 'array',
    },
  },
} as const;

const jsonItem = {
  required: { id: 'string', content_html: 'string' },
  optional: {
    ...{
      url: 'url',
      external_url: 'url',
      title: 'string',
      content_text: 'string',
      summary: 'string',
      image: 'url',
    },
    ...{
      banner_image: 'url',
      date_published: 'date',
      date_modified: 'date',
      authors: 'authors',
      tags: 'strings',
    },
    ...{ language: 'language', attachments: 'array' },
  },
} as const;

export function offencesOfJsonFeed(feed: unknown, address: string): string[] {
  if (!isObject(feed)) return ['no object'];
  const { report, offences } = newReport();
  if (feed.version !== 'https://jsonfeed.org/version/1.1') report('no JSON Feed 1.1');
  if (feed.feed_url !== address) report('does not say where it is');
  const items: readonly unknown[] = Array.isArray(feed.items) ? feed.items : [];
  for (const [object, rules] of [
    [feed, jsonFeed],
    ...items.map((item) => [item, jsonItem] as const),
  ] as const) {
    if (!isObject(object)) report('an item that is no object');
    else for (const offence of offencesOfFields(object, rules)) report(offence);
  }
  for (const offence of offencesOfIds(items.map((item) => (isObject(item) ? String(item.id) : ''))))
    report(offence);
  return offences;
}

interface FieldRules {
  readonly required: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
}

function offencesOfFields(
  object: Readonly<Record<string, unknown>>,
  { required, optional }: FieldRules,
): string[] {
  const missing = Object.keys(required).filter((name) => !(name in object));
  const wrong = Object.entries(object).filter(([name, value]) => {
    const kind = required[name] ?? optional[name];
    return kind === undefined ? !name.startsWith('_') : !isOf(kind, value);
  });
  return [
    ...missing.map((name) => `no ${name}`),
    ...wrong.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
}

function isOf(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'url':
      return isAbsolute(value);
    case 'date':
      return typeof value === 'string' && isMoment(value, RFC3339);
    case 'language':
      return typeof value === 'string' && LANGUAGE.test(value);
    case 'array':
      return Array.isArray(value);
    case 'strings':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'authors':
      return Array.isArray(value) && value.every((one) => isObject(one) && ('name' in one || 'url' in one));
    default:
      return typeof value === kind;
  }
}

interface ChildRules {
  readonly one: readonly string[];
  readonly some: readonly string[];
  readonly many: readonly string[];
}

function offencesOfChildren(element: XmlElement, { one, some, many }: ChildRules): string[] {
  const names = element.children.map(({ name }) => name);
  const count = (name: string) => names.filter((other) => other === name).length;
  return [
    ...one.filter((name) => count(name) !== 1).map((name) => `${count(name)} of ${name} in ${element.name}`),
    ...some.filter((name) => count(name) > 1).map((name) => `${count(name)} of ${name} in ${element.name}`),
    ...names.filter((name) => ![...one, ...some, ...many].includes(name)).map((name) => `unknown ${name}`),
    ...element.children
      .filter(({ name, text }) => name === 'title' && text.trim() === '')
      .map(() => 'an empty title'),
  ];
}

function offencesOfIds(ids: readonly string[]): string[] {
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...twice.map((id) => `an id twice: ${id}`),
    ...ids
      .filter((id) => !/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
      .map((id) => `id: ${id}`),
  ];
}

function newReport() {
  const offences: string[] = [];
  return { offences, report: (offence: string) => void offences.push(offence) };
}

const own = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

const isMoment = (text: string, form: RegExp): boolean => form.test(text) && !Number.isNaN(Date.parse(text));

const isAbsolute = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\/[^/\s]/.test(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
