import { drawsWhole } from './diagram-pitfalls.ts';
import { spellFlowchart } from './flowchart-source.ts';

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

export interface Kind {
  readonly name: string;
  readonly header: RegExp;
  readonly statements: readonly RegExp[];
  /** Statements that open a block in braces, and what may stand in it. */
  readonly block?: { readonly opens: RegExp; readonly member: RegExp };
  /** The statements in another spelling; null where one cannot be spelt. */
  readonly spell?: (statements: readonly string[]) => readonly string[] | null;
}

/** Statements that change nothing that is drawn here; colours are the theme's. */
const unseen =
  /^(?:%%(?!\{)|accDescr\s*:|click\s|activate\s|deactivate\s|classDef\s|style\s|linkStyle\s|class\s+[\w,-]+\s+\w+$)/;
const accTitle = /^accTitle\s*:\s*(.+)$/;
/** Entities, icons and Markdown in labels would be drawn as they are written. */
const literal = /#\w+;|\bfa[bsr]?:fa-|"`/;

const member = String.raw`[+#~-]?(?:[\w\p{L}<>[\]]+(?: [\w\p{L}<>[\]]+)?|[\w\p{L}]+\([^():*$~]*\)(?: [\w\p{L}<>[\]]+)?)`;
const className = String.raw`[\w\p{L}]+(?:~\w+~)?`;
const relation = String.raw`(?:<\|--|<\|\.\.|\*--|o--|-->|--\*|--o|--\|>|\.\.>|\.\.\|>|<--|<\.\.|--)`;

const kinds: readonly Kind[] = [
  {
    name: 'Flowchart',
    header: /^(?:graph|flowchart)(?:\s+(?:TD|TB|LR|BT|RL))?$/i,
    statements: [],
    spell: spellFlowchart,
  },
  {
    name: 'State diagram',
    header: /^stateDiagram(?:-v2)?$/i,
    statements: [
      /^state (?:"[^"]+" as )?[\w\p{L}]+ ?\{$/u,
      /^state "[^"]+" as [\w\p{L}]+$/u,
      /^\}$/,
      /^(?:\[\*\]|[\w\p{L}-]*[\w\p{L}]) ?--> ?(?:\[\*\]|[\w\p{L}-]+)(?: ?: ?[^:].*)?$/u,
      /^[\w\p{L}-]+ ?: ?(?!.*-->)[^:].*$/u,
    ],
  },
  {
    name: 'Sequence diagram',
    header: /^sequenceDiagram$/i,
    statements: [
      /^(?:participant|actor) [^\s:><]+(?: as .+)?$/,
      /^note (?:left of|right of|over) [^:]+: ?.+$/i,
      /^(?:loop|alt|opt|par|critical|break)\b.*$/,
      /^(?:else|and)\b.*$/,
      /^end$/,
      /^[^\s:><()-]+ ?(?:-->>|->>|-->|->|--\)|-\)) ?[+-]?[^\s:><()-]+ ?: ?.+$/,
    ],
  },
  {
    name: 'Class diagram',
    header: /^classDiagram(?:-v2)?$/i,
    block: {
      opens: new RegExp(`^class ${className} ?\\{$`, 'u'),
      member: new RegExp(`^(?:${member}|<<\\w+>>)$`, 'u'),
    },
    statements: [
      new RegExp(`^class ${className}$`, 'u'),
      new RegExp(`^${className} (?:"[^"]*" )?${relation} (?:"[^"]*" )?${className}(?: ?: ?.+)?$`, 'u'),
      new RegExp(`^${className} ?: ?${member}$`, 'u'),
    ],
  },
  {
    name: 'Entity relationship diagram',
    header: /^erDiagram$/i,
    block: { opens: /^[\w-]+ ?\{$/, member: /^\w+ \w+(?: (?:PK|FK|UK))?$/ },
    statements: [/^[\w-]+ (?:\|\||\|o|o\||\}\||o\{)(?:--|\.\.)(?:\|\||\|o|o\||\|\{|o\{) [\w-]+ ?: ?.+$/],
    // The library reads a crow's foot on this side only the other way round.
    spell: (statements) => statements.map((line) => line.replace(/^([\w-]+) \}o/, '$1 o{')),
  },
];

/** Null for a kind or a statement that the library does not draw. */
export function readDiagram(source: string): DiagramSource | null {
  const [frontMatter = ''] = /^\s*---\n.*?\n---\n/s.exec(source) ?? [];
  const caption =
    /^title:\s*(.+)$/m
      .exec(frontMatter)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') ?? '';
  const all = statementsOf(source.slice(frontMatter.length));
  const [header = '', ...given] = all.filter((line) => !unseen.test(line) && !accTitle.test(line));
  const kind = kinds.find((one) => one.header.test(header));
  if (kind === undefined || given.length === 0 || given.some((line) => literal.test(line))) return null;
  const spelt = kind.spell === undefined ? given : kind.spell(given);
  if (spelt === null || (kind.name !== 'Flowchart' && !isUnderstood(kind, spelt))) return null;
  if (!drawsWhole(kind.name, spelt)) return null;
  const title = all.flatMap((line) => accTitle.exec(line)?.[1] ?? [])[0];
  return {
    title: title ?? (caption || kind.name),
    caption,
    kind: kind.name.toLowerCase(),
    text: [/^(?:graph|flowchart)$/i.test(header) ? `${header} TD` : header, ...spelt].join('\n'),
  };
}

/** One to a line, or parted by semicolons where no label may hold one. */
function statementsOf(source: string): string[] {
  return source
    .split('\n')
    .flatMap((line) => (/["'[({|:]/.test(line) ? [line] : line.split(';')))
    .map((line) => line.trim().replace(/\s+/g, ' ').replace(/ ?;$/, ''))
    .filter((line) => line !== '');
}

function isUnderstood({ statements, block }: Kind, lines: readonly string[]): boolean {
  let inBlock = false;
  return lines.every((line) => {
    if (inBlock) {
      inBlock = line !== '}';
      return !inBlock || (block?.member.test(line) ?? false);
    }
    inBlock = block?.opens.test(line) ?? false;
    return inBlock || statements.some((form) => form.test(line));
  });
}
