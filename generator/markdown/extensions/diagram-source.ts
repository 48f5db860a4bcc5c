/**
 * What the drawing library understands of Mermaid. It passes over what it does not know without a word, and a picture
 * that leaves something out is worse than none: so each statement is compared with the forms that it does draw.
 */
export interface DiagramSource {
  /** In words, for those who cannot see it: the author's `accTitle`, or what kind of diagram it is. */
  readonly title: string;
  /** The title that the author has above the diagram; empty where there is none. */
  readonly caption: string;
  readonly kind: string;
  /** The source in the one spelling that the library reads. */
  readonly text: string;
}

interface Kind {
  readonly name: string;
  readonly header: RegExp;
  readonly statements: readonly RegExp[];
  /** Statements with blocks in braces whose lines are members and no statements. */
  readonly block?: RegExp;
  readonly spell?: (statement: string) => string;
}

/** Statements that change nothing that is seen. */
const unseen = /^(?:%%(?!\{)|accDescr\s*:|click\s|activate\s|deactivate\s)/;
const accTitle = /^accTitle\s*:\s*(.+)$/;

const id = String.raw`\w(?:[\w-]*\w)?`;
const node = String.raw`${id}(?:\[\])?(?::::${id})?`;
const nodes = `${node}(?: ?& ?${node})*`;
const link = String.raw` <?(?:-->|---|-\.->|-\.-|==>|===)(?:\|\|)? `;
const styles = [
  /^classDef \w+ [\w\s:;,#.%-]+$/,
  /^(?:class|style) [\w,-]+ [\w\s:;,#.%-]+$/,
  /^linkStyle (?:default|[\d, ]+) [\w\s:;,#.%-]+$/,
];

const kinds: readonly Kind[] = [
  {
    name: 'Flowchart',
    header: /^(?:graph|flowchart)(?:\s+(?:TD|TB|LR|BT|RL))?$/i,
    statements: [
      ...styles,
      /^direction (?:TD|TB|LR|BT|RL)$/i,
      /^subgraph (?:[\w -]+|[\w-]+ ?\[\]|"[^"]*")$/,
      /^end$/,
      new RegExp(`^${nodes}(?:${link}${nodes})*$`),
    ],
    spell: spellLinks,
  },
  {
    name: 'State diagram',
    header: /^stateDiagram(?:-v2)?$/i,
    statements: [
      /^direction (?:TD|TB|LR|BT|RL)$/i,
      /^state (?:"[^"]+" as )?[\w\p{L}]+ ?\{$/u,
      /^state "[^"]+" as [\w\p{L}]+$/u,
      /^\}$/,
      /^(?:\[\*\]|[\w\p{L}-]*[\w\p{L}]) ?--> ?(?:\[\*\]|[\w\p{L}-]+)(?: ?: ?.+)?$/u,
      /^[\w\p{L}-]+ ?: ?.+$/u,
    ],
  },
  {
    name: 'Sequence diagram',
    header: /^sequenceDiagram$/i,
    statements: [
      /^(?:participant|actor) \S+(?: as .+)?$/,
      /^note (?:left of|right of|over) [^:]+: ?.+$/i,
      /^(?:loop|alt|opt|par|critical|break)\b.*$/,
      /^(?:else|and)\b.*$/,
      /^end$/,
      /^[^\s:>-]+ ?(?:-->>|->>|-->|->|--x|-x|--\)|-\)) ?[+-]?[^\s:>-]+ ?: ?.+$/,
    ],
  },
  {
    name: 'Class diagram',
    header: /^classDiagram(?:-v2)?$/i,
    block: /^class \S+(?: ?~\w+~)? ?\{$/,
    statements: [
      /^class \S+(?: ?~\w+~)?$/,
      /^class \S+ ?\{ ?<<\w+>> ?\}$/,
      /^\S+ (?:"[^"]*" )?(?:<\|--|<\|\.\.|\*--|o--|-->|--\*|--o|--\|>|\.\.>|\.\.\|>|<--|<\.\.|--) (?:"[^"]*" )?[^\s:]+(?: ?: ?.+)?$/,
      /^[\w\p{L}]+ ?: ?(?!.*(?:--|\.\.)).+$/u,
    ],
  },
  {
    name: 'Entity relationship diagram',
    header: /^erDiagram$/i,
    block: /^[\w-]+ ?\{$/,
    statements: [/^[\w-]+ [|o}{]{2}(?:--|\.\.)[|o}{]{2} [\w-]+ ?: ?.+$/],
  },
];

/** Null for a kind or a statement that the library does not draw. */
export function readDiagram(source: string): DiagramSource | null {
  let title: string | undefined;
  const statements: string[] = [];
  const [frontMatter = ''] = /^\s*---\n.*?\n---\n/s.exec(source) ?? [];
  const caption =
    /^title:\s*(.+)$/m
      .exec(frontMatter)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') ?? '';
  for (const raw of source.slice(frontMatter.length).split('\n')) {
    const line = raw.trim().replace(/\s+/g, ' ').replace(/ ?;$/, '');
    title ??= accTitle.exec(line)?.[1];
    if (line !== '' && !unseen.test(line) && !accTitle.test(line)) statements.push(line);
  }
  const [header = '', ...rest] = statements;
  const kind = kinds.find((one) => one.header.test(header));
  if (kind === undefined || rest.length === 0) return null;
  const spelt = kind.spell === undefined ? rest : rest.map(kind.spell);
  if (!isUnderstood(kind, spelt)) return null;
  const heading = /^(?:graph|flowchart)$/i.test(header) ? `${header} TD` : header;
  return {
    title: title ?? (caption || kind.name),
    caption,
    kind: kind.name.toLowerCase(),
    text: [heading, ...spelt].join('\n'),
  };
}

function isUnderstood({ statements, block }: Kind, lines: readonly string[]): boolean {
  let inBlock = false;
  return lines.every((line) => {
    if (inBlock) {
      inBlock = line !== '}';
      return true;
    }
    inBlock = block?.test(line) ?? false;
    return inBlock || statements.some((form) => form.test(line) || form.test(skeleton(line)));
  });
}

/** Shapes with their labels, which may hold anything but what closes them; labels of links. */
const label =
  /((?<=\w ?)(?:\(\(\(.+?\)\)\)|\(\[.+?\]\)|\(\(.+?\)\)|\[\[.+?\]\]|\[\(.+?\)\]|\[\/.+?[\\/]\]|\[\\.+?[\\/]\]|\{\{.+?\}\}|\[[^[\]]+\]|\([^()]+\)|\{[^{}]+\})|\|[^|]+\|)/;

const skeleton = (statement: string): string =>
  statement
    .split(label)
    .map((part, index) => (index % 2 === 0 ? part : part.startsWith('|') ? '||' : '[]'))
    .join('');

const LINK = /\s*(<?)(-{2,}>|-{3,}|={2,}>|={3,}|-\.+->|-\.+-)\s*/g;
const WORDED = /\s*(--|==|-\.)(?![->=.])\s*([^-=.|]+?)\s*(-{2,}>|-{3,}|={2,}>|={3,}|\.+->|\.+-)\s*/g;

/** `A--yes-->B` and `A -->|yes| B` mean the same; the length of a link is a hint that is not taken. */
function spellLinks(statement: string): string {
  if (/^(?:subgraph|style|class|classDef|linkStyle|direction) /.test(statement)) return statement;
  return statement
    .split(label)
    .map((part, index) => (index % 2 === 0 ? spellBare(part) : part))
    .join('')
    .replace(/ ?(\|[^|]*\|) ?/g, '$1 ')
    .trim();
}

function spellBare(part: string): string {
  return part
    .replace(WORDED, (_, open: string, words: string, close: string) => {
      const arrow = open === '-.' ? `-${close}` : close;
      return ` ${shortLink(arrow)}|${words}| `;
    })
    .replace(LINK, (_, back: string, arrow: string) => ` ${back}${shortLink(arrow)} `)
    .replace(/ (\|)/g, '$1');
}

function shortLink(arrow: string): string {
  const line = arrow.startsWith('=') ? '==' : arrow.includes('.') ? '-.-' : '--';
  const points = arrow.endsWith('>');
  return line === '-.-' ? (points ? '-.->' : '-.-') : points ? `${line}>` : `${line}${line[0]}`;
}
