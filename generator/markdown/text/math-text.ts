/** A MathML tag, or text. */
const TOKEN = /<(\/?)([a-z]+)[^>]*>|[^<]+/g;

/** Invisible operators: function application, invisible times and the like. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

/** Converts a formula from Temml's MathML to one line of escaped text: `x^2`, `(a+b)/2`, `√n`. */
export function mathText(math: string): string {
  const open: string[][] = [[]];
  for (const [token, slash, name] of math.matchAll(TOKEN)) {
    if (name !== undefined && slash === '') {
      open.push([]);
      continue;
    }
    const text = name === undefined ? token : elementText(name, open.pop() ?? []);
    open.at(-1)?.push(text);
  }
  return open.flat().join('').replace(INVISIBLE, '');
}

function elementText(element: string, parts: readonly string[]): string {
  const [first = '', second = '', third = ''] = parts;
  switch (element) {
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msup':
      return `${first}^${grouped(second)}`;
    case 'msub':
    case 'munder':
      return `${first}_${grouped(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case 'msqrt':
      return `√${grouped(parts.join(''))}`;
    case 'mroot':
      return `${grouped(second)}√${grouped(first)}`;
    case 'mspace':
    case 'mtd':
      return `${parts.join('')} `;
    case 'mtr':
      return `${parts.join('').trim()}, `;
    case 'mtable':
      return parts.join('').replace(/, $/, '');
    case 'mphantom':
      return '';
    default:
      return parts.join('');
  }
}

/** Adds parentheses, unless the text is a single symbol, word or number. */
const grouped = (text: string): string =>
  /^(?:[\p{L}\p{N}.]*|.|&\w+;)$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`;
