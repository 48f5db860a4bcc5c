/** Elements that no published post may contain, whatever its author wrote. */
const forbiddenElements = new Set(
  (
    'script style form button select option textarea iframe frame frameset object embed applet svg math base meta ' +
    'link title template noscript noembed noframes plaintext xmp audio video canvas body html head'
  ).split(' '),
);

const knownAttributes = new Set(
  (
    'abbr align alt aria-label checked cite class colspan datetime dir disabled headers height href hreflang id lang ' +
    'media open rel reversed rowspan scope sizes span src srcset start title type value width'
  ).split(' '),
);

const knownClasses =
  /^(?:anchor|contains-task-list|footnote-backref|footnote-ref|align-(?:left|center|right)|footnotes|language-\S+|task-list-item(?:-checkbox)?)$/;

const TAG = /^<\/?([a-z][a-z0-9]*)((?: [a-z][a-z-]*(?:="[^"<>]*")?)*)( \/)?>$/;

/** Elements that the pipeline adds after the sanitiser, each in its only allowed form. */
const additions: readonly (readonly [RegExp, string])[] = [
  [
    /<figure class="video"><iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/[\w-]{11}(?:\?start=\d+)?" title="YouTube video(?: \d+)?" loading="lazy" allow="[a-z; -]+" referrerpolicy="strict-origin-when-cross-origin"><\/iframe>/g,
    '<figure>',
  ],
  [
    /<math(?: [a-z]+="[^"<>]*")*>(?:<\/?(?:m[a-z]+|span)(?: (?!on|href|src)[a-z]+="[^"<>]*")*>|[^<>])*<\/math>/g,
    '',
  ],
  [
    /<figure class="diagram" tabindex="0"><svg [^<>]*>(?:<\/?(?:defs|marker|g|path|line|polyline|polygon|rect|circle|ellipse|text|tspan)(?: (?!on|href|style)[\w-]+="[^"<>]*")*\/?>|[^<>])*<\/svg><\/figure>/g,
    '',
  ],
  [/<nav class="toc" aria-label="Contents">(.*?)<\/nav>/g, '$1'],
  [/<figure class="code">/g, '<figure>'],
  [/<section class="footnotes" role="doc-endnotes">/g, '<section>'],
  [/<(span|mark|ins|del) class="(?:hljs-[\w -]+|line)"(?: data-line="\d+")?>/g, '<$1>'],
  [/<div class="(?:table" tabindex="0|markdown-alert markdown-alert-[a-z]+)">/g, '<div>'],
  [/<p class="markdown-alert-title">/g, '<p>'],
  [/<code class="math-error" title="[^"]*">/g, '<code>'],
  [/<pre tabindex="0">/g, '<pre>'],
  [/ loading="lazy" decoding="async" \/>/g, ' />'],
];

const withoutAdditions = (html: string) =>
  additions.reduce((rest, [addition, bare]) => rest.replace(addition, bare), html);

/**
 * Violations in a piece of published HTML, one line each; empty if there are none. Reads only the canonical form, so
 * anything that browsers might parse differently is a violation by itself.
 */
export function offences(html: string): string[] {
  return withoutAdditions(html)
    .split(/(<[^>]*>)/)
    .flatMap((piece, index) => {
      if (index % 2 === 0) return /[<>]/.test(piece) ? [`stray bracket in ${piece}`] : [];
      const tag = TAG.exec(piece);
      if (tag === null) return [`not canonical: ${piece}`];
      const [, name = '', attributes = ''] = tag;
      return [
        ...(forbiddenElements.has(name) ? [`element: ${piece}`] : []),
        ...(name === 'input' && !/ type="checkbox".* disabled/.test(piece) ? [`input: ${piece}`] : []),
        ...Array.from(attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)).flatMap(
          ([, attribute = '', value = '']) =>
            attributeOffences(name, attribute, decode(value)).map((offence) => `${offence}: ${piece}`),
        ),
      ];
    });
}

function attributeOffences(element: string, name: string, value: string): string[] {
  if (!knownAttributes.has(name)) return [`attribute ${name}`];
  if (name === 'class') return value.split(' ').every((word) => knownClasses.test(word)) ? [] : ['class'];
  if (name === 'href') return hasScheme(value, ['http:', 'https:', 'mailto:', 'tel:']) ? [] : ['href'];
  if (name === 'src' || name === 'cite') return hasScheme(value, ['http:', 'https:']) ? [] : [name];
  if (name === 'srcset') {
    const addresses = value.split(/,\s+/).map((candidate) => candidate.trim().split(' ')[0] ?? '');
    return addresses.every((address) => hasScheme(address, ['http:', 'https:'])) ? [] : ['srcset'];
  }
  if (name === 'id' && !/^h[1-6]$/.test(element))
    return /^(?:user-content-|fn-|fnref-)/.test(value) ? [] : ['id'];
  return [];
}

/** The address as a browser on a published page would resolve it. */
function hasScheme(address: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(address, 'https://blog.example/post/')) return true;
  return schemes.includes(new URL(address, 'https://blog.example/post/').protocol);
}

function decode(value: string): string {
  return value
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
