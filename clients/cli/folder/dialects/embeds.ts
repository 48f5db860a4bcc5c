import { callout, calloutOf, details, escapeHtml } from './containers.ts';

/** Attributes of a shortcode, a Liquid tag or an include: named, and in their order. */
export interface Attributes {
  readonly named: Readonly<Record<string, string>>;
  readonly positional: readonly string[];
}

/** Reads `key="value"`, `key=value`, `"value"` and `value`. */
export function attributesOf(text: string): Attributes {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  const pattern = /(?:([\w-]+)[ \t]*[=:][ \t]*)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`,]+))/g;
  for (const [, name, double, single, tick, bare] of text.matchAll(pattern)) {
    const value = double?.replace(/\\(.)/g, '$1') ?? single ?? tick ?? bare ?? '';
    if (name === undefined) positional.push(value);
    else named[name.toLowerCase()] = value;
  }
  return { named, positional };
}

/** Markdown for something that several generators embed by this name; undefined if Platen has nothing like it. */
export function embed(name: string, { named, positional }: Attributes): string | undefined {
  const [first = '', second = ''] = positional;
  const id = named.id ?? named.video_id ?? named.youtubeid ?? named.video ?? first;
  switch (
    name
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/\.(?:html?|md|liquid|njk)$/, '')
  ) {
    case 'youtube':
    case 'youtubeplayer':
    case 'youtube-player':
      return youtube(named.url ?? id);
    case 'video':
      return named.provider === 'youtube' || /youtu\.?be/.test(named.url ?? '')
        ? youtube(named.url ?? id)
        : undefined;
    case 'vimeo':
      return id && block(/^https?:/.test(id) ? id : `https://vimeo.com/${id}`);
    case 'gist':
      return (
        first &&
        block(
          second && !/\./.test(second)
            ? `https://gist.github.com/${first}/${second}`
            : `https://gist.github.com/${first}`,
        )
      );
    case 'tweet':
    case 'x':
    case 'twitter': {
      const user = named.user ?? (second && first);
      const post = named.id ?? (second || first);
      return post && block(/^https?:/.test(post) ? post : `https://x.com/${user || 'i/web'}/status/${post}`);
    }
    case 'instagram':
      return id && block(`https://www.instagram.com/p/${id}/`);
    case 'codepen':
      return named.url && block(named.url);
    case 'figure':
    case 'image':
    case 'img':
      return figure({ named, positional });
    default:
      return undefined;
  }
}

const block = (text: string): string => `\n\n${text}\n\n`;

const youtube = (id: string): string | undefined => {
  if (/^https?:\/\//.test(id)) return block(id);
  return /^[\w-]{6,}$/.test(id) ? block(`https://www.youtube.com/watch?v=${id}`) : undefined;
};

function figure({ named, positional: [first = '', second = ''] }: Attributes): string | undefined {
  const src = named.src ?? named.url ?? named.image_path ?? named.path ?? named.file ?? first;
  if (!src) return undefined;
  const caption = named.caption ?? named.title ?? named.attr ?? '';
  const alt = named.alt ?? (caption || second);
  const image = `![${alt.replace(/[[\]]/g, '\\$&')}](${/[\s()]/.test(src) ? `<${src}>` : src})`;
  const linked = named.link || named.href ? `[${image}](${named.link ?? named.href})` : image;
  if (!caption) return `\n\n${linked}\n\n`;
  return `\n\n<figure>\n\n${linked}\n\n<figcaption>${escapeHtml(caption)}</figcaption>\n</figure>\n\n`;
}

/** Markdown for a block with this text within; undefined if Platen has nothing like it. */
export function embedAround(
  name: string,
  { named, positional }: Attributes,
  inner: string,
): string | undefined {
  const title = named.title ?? named.summary ?? named.header ?? '';
  switch (name.toLowerCase()) {
    case 'highlight':
    case 'code':
      return fenced(named.lang ?? named.language ?? positional[0] ?? '', inner);
    case 'mermaid':
      return fenced('mermaid', inner);
    case 'math':
    case 'katex':
    case 'latex':
      return inner.includes('$') ? inner : `\n$$\n${inner.trim()}\n$$\n`;
    case 'notice':
    case 'alert':
    case 'callout':
    case 'admonition':
    case 'hint': {
      const kind = named.type ?? named.color ?? named.icon ?? positional[0] ?? 'note';
      return callout(calloutOf(kind) ?? 'NOTE', title || (positional[1] ?? ''), inner);
    }
    case 'details':
    case 'expand':
    case 'spoiler':
      return details(title || (positional[0] ?? ''), inner);
    case 'quote':
    case 'blockquote':
      return `\n${inner
        .trim()
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')}\n`;
    case 'rawhtml':
    case 'raw':
    case 'html':
    case 'verbatim':
    case 'center':
    case 'lead':
      return inner;
    default:
      return calloutOf(name) && callout(calloutOf(name) ?? '', title || (positional[0] ?? ''), inner);
  }
}

/** A fence that is longer than any within. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}${language}\n${code.replace(/^\r?\n|\r?\n[ \t]*$/g, '')}\n${fence}\n`;
}
