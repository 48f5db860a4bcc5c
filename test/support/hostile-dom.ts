/** An element of a parsed document with its contents, read in a browser. */
export interface DomElement {
  /** The parser's name; `#comment` for a comment. */
  readonly name: string;
  readonly space: 'html' | 'svg' | 'math' | 'other';
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (DomElement | string)[];
}

/** JavaScript for a page: a function from a node to a `DomElement`. For a style sheet, it keeps only the length. */
export const readElement = `(function read(node) {
  if (node.nodeType === 3 || node.nodeType === 4) return node.data;
  if (node.nodeType !== 1) return { name: node.nodeName, space: 'other', attributes: {}, children: [] };
  const space = { 'http://www.w3.org/1999/xhtml': 'html', 'http://www.w3.org/2000/svg': 'svg',
    'http://www.w3.org/1998/Math/MathML': 'math' }[node.namespaceURI] ?? 'other';
  const { childNodes } = space === 'html' && node.localName === 'template' ? node.content : node;
  const children = node.localName === 'style' ? [String(node.textContent.length)] : Array.from(childNodes, read);
  return { name: String(node.localName), space, children,
    attributes: Object.fromEntries(Array.from(node.attributes, ({ name, value }) => [name, value])) };
})`;

export interface Placed {
  readonly element: DomElement;
  /** From the parent up to the root. */
  readonly ancestors: readonly DomElement[];
}

/** The element and all its descendants, in document order. */
export function* everyElement(element: DomElement, ancestors: readonly DomElement[] = []): Generator<Placed> {
  yield { element, ancestors };
  for (const child of element.children) {
    if (typeof child !== 'string') yield* everyElement(child, [element, ...ancestors]);
  }
}

/** All text below an element, like `textContent`. */
export const textIn = (element: DomElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Elements that a post may contain: those that authors may write, and those that we generate. */
const htmlElements = names(`
  a abbr article b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption
  figure h1 h2 h3 h4 h5 h6 hr i iframe img input ins kbd li mark nav ol p picture pre q rp rt ruby s samp section
  small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`);
const svgElements = names(`
  circle clipPath defs desc ellipse g line linearGradient marker path pattern polygon polyline rect stop svg text
  textPath title tspan`);
const mathElements = names(`
  annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
  mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`);

const htmlAttributes = names(`
  abbr align alt checked cite class colspan datetime decoding dir disabled headers height href hreflang id lang
  loading media open rel reversed role rowspan scope sizes span src srcset start tabindex title type value width`);
const frameAttributes = names(
  'allow allowfullscreen class height loading referrerpolicy sandbox src title width',
);

/**
 * Elements that a post must not contain, or not in that form, one line each. `address` is the address of the page.
 */
export function offencesIn(post: DomElement, address: string): string[] {
  return [...everyElement(post)].flatMap((placed) => {
    const { element } = placed;
    const found = [
      ...(isKnown(placed) ? [] : ['unknown element']),
      ...Object.entries(element.attributes).flatMap(([name, value]) =>
        attributeOffences(element, name, value, address),
      ),
      ...(element.name === 'input' ? inputOffences(element) : []),
      ...(element.name === 'iframe' && !isPlayer(placed) ? ['frame'] : []),
    ];
    return found.map((offence) => `${offence}: ${shown(element)}`);
  });
}

/** Foreign elements need an ancestor that we generate: a diagram's figure for SVG, `math` for MathML. */
function isKnown({ element: { name, space }, ancestors }: Placed): boolean {
  const parent = ancestors[0];
  if (space === 'html') return htmlElements.has(name) && (parent?.space ?? 'html') === 'html';
  if (space === 'math') return mathElements.has(name) && (name === 'math') === (parent?.space === 'html');
  if (space !== 'svg' || !svgElements.has(name)) return false;
  if (parent?.space === 'svg') return name !== 'svg';
  return name === 'svg' && ancestors.some((ancestor) => isFigure(ancestor, 'diagram'));
}

function attributeOffences({ name: element, space }: DomElement, name: string, value: string, page: string) {
  if (/^on/i.test(name)) return [`handler ${name}`];
  if (name === 'style') return space === 'math' && isHarmlessStyle(value) ? [] : ['style'];
  if (/^(?:aria|data)-[a-z-]+$/.test(name)) return [];
  if (space === 'html') {
    const known = element === 'iframe' ? frameAttributes : htmlAttributes;
    return known.has(name) ? valueOffences(element, name, value, page) : [`attribute ${name}`];
  }
  if (/href|src|^to$|^from$|^values$|^begin$|^actiontype$|^name$/i.test(name)) return [`attribute ${name}`];
  return /url\((?!#[\w.-]+\))|javascript:|expression\(|@import/i.test(value) ? [`value of ${name}`] : [];
}

function valueOffences(element: string, name: string, value: string, page: string): string[] {
  if (name === 'href') return hasScheme(value, page, ['http:', 'https:', 'mailto:', 'tel:']) ? [] : ['href'];
  if (name === 'src' || name === 'cite') return hasScheme(value, page, ['http:', 'https:']) ? [] : [name];
  if (name === 'srcset') {
    const addresses = value.split(/,\s+/).map((candidate) => candidate.trim().split(/\s/)[0] ?? '');
    return addresses.every((one) => hasScheme(one, page, ['http:', 'https:'])) ? [] : ['srcset'];
  }
  // The id of a heading is its text, by design. Any other id is marked as the author's, a footnote's or ours.
  if (name === 'id' && !/^h[1-6]$/.test(element))
    return /^(?:user-content|fn|fnref)-/.test(value) ? [] : ['id'];
  return name === 'tabindex' && value !== '0' ? ['tabindex'] : [];
}

/** An invalid address leads nowhere. */
function hasScheme(address: string, page: string, schemes: readonly string[]): boolean {
  return !URL.canParse(address, page) || schemes.includes(new URL(address, page).protocol);
}

/** A style that moves nothing out of place, loads nothing and contains no escapes. */
function isHarmlessStyle(style: string): boolean {
  return style
    .split(';')
    .filter((declaration) => declaration.trim() !== '')
    .every(
      (declaration) =>
        /^\s*[a-z-]+\s*:[^\\@{}"<>]*$/.test(declaration) &&
        !/^\s*(?:position|inset|top|right|bottom|left|z-index|behavior|animation|content|-)/.test(
          declaration,
        ) &&
        !/url|image|expression|javascript|var\(|attr\(/i.test(declaration),
    );
}

function inputOffences({ attributes }: DomElement): string[] {
  return attributes.type === 'checkbox' && attributes.disabled !== undefined ? [] : ['input'];
}

/** The only allowed frame: our video player, which sets no cookie before it plays. */
export function isPlayer({ element: { name, attributes }, ancestors: [parent] }: Placed): boolean {
  const address = /^https:\/\/www\.youtube-nocookie\.com\/embed\/[\w-]{11}(?:\?start=\d+)?$/;
  return (
    name === 'iframe' &&
    address.test(attributes.src ?? '') &&
    parent !== undefined &&
    isFigure(parent, 'video')
  );
}

const isFigure = ({ name, attributes }: DomElement, kind: string): boolean =>
  name === 'figure' && (attributes.class ?? '').split(' ').includes(kind);

function shown({ name, space, attributes }: DomElement): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `<${space === 'html' ? '' : `${space}:`}${name}${written.join('')}>`.slice(0, 300);
}
