import {
  descriptionsComeFirst,
  linksStandAlone,
  notesFollowMessages,
  participantsComeFirst,
} from './diagram-pitfalls.ts';
import { normaliseFlowchart } from './flowchart-source.ts';

/**
 * A Mermaid source that the drawing library can draw completely. The library silently skips unknown statements, and an
 * incomplete diagram is worse than none: so each statement is checked against the forms that it draws.
 */
export interface DiagramSource {
  /** Accessible name: the author's `accTitle`, or else the caption, or else the kind of diagram. */
  readonly title: string;
  /** The author's title, shown above the diagram; empty if there is none. */
  readonly caption: string;
  readonly kind: string;
  /** The source in the spelling that the library reads. */
  readonly text: string;
}

interface Kind {
  readonly name: string;
  readonly header: RegExp;
  /** The statements in the library's spelling; null if it does not know one of them. */
  readonly normalise: (statements: readonly string[]) => readonly string[] | null;
  /** Checks that the library also draws the known statements in their order and combination. */
  readonly checks: readonly ((statements: readonly string[]) => boolean)[];
}

interface Forms {
  readonly statements: readonly RegExp[];
  /** Statements that open a block in braces, and the statements allowed in it. */
  readonly block?: { readonly opens: RegExp; readonly member: RegExp };
}

/** Statements without effect here: comments, links, activations and styles. Colours are the theme's. */
const ignored =
  /^(?:%%(?!\{)|accDescr\s*:|click\s|activate\s|deactivate\s|classDef\s|style\s|linkStyle\s|class\s+[\w,-]+\s+\w+$)/;
const accTitle = /^accTitle\s*:\s*(.+)$/;
/** Entities, icons and Markdown in labels, which the library would draw literally. */
const unsupportedLabel = /#\w+;|\bfa[bsr]?:fa-|"`/;

const member = String.raw`[+#~-]?(?:[\w\p{L}<>[\]]+(?: [\w\p{L}<>[\]]+)?|[\w\p{L}]+\([^():*$~]*\)(?: [\w\p{L}<>[\]]+)?)`;
const className = String.raw`[\w\p{L}]+(?:~\w+~)?`;
const relation = String.raw`(?:<\|--|<\|\.\.|\*--|o--|-->|--\*|--o|--\|>|\.\.>|\.\.\|>|<--|<\.\.|--)`;

const kinds: readonly Kind[] = [
  {
    name: 'Flowchart',
    header: /^(?:graph|flowchart)(?:\s+(?:TD|TB|LR|BT|RL))?$/i,
    normalise: normaliseFlowchart,
    checks: [linksStandAlone],
  },
  {
    name: 'State diagram',
    header: /^stateDiagram(?:-v2)?$/i,
    normalise: acceptForms({
      statements: [
        /^state (?:"[^"]+" as )?[\w\p{L}]+ ?\{$/u,
        /^state "[^"]+" as [\w\p{L}]+$/u,
        /^\}$/,
        /^(?:\[\*\]|[\w\p{L}-]*[\w\p{L}]) ?--> ?(?:\[\*\]|[\w\p{L}-]+)(?: ?: ?[^:].*)?$/u,
        /^[\w\p{L}-]+ ?: ?(?!.*-->)[^:].*$/u,
      ],
    }),
    checks: [descriptionsComeFirst],
  },
  {
    name: 'Sequence diagram',
    header: /^sequenceDiagram$/i,
    normalise: acceptForms({
      statements: [
        /^(?:participant|actor) [^\s:><]+(?: as .+)?$/,
        /^note (?:left of|right of|over) [^:]+: ?.+$/i,
        /^(?:loop|alt|opt|par|critical|break)\b.*$/,
        /^(?:else|and)\b.*$/,
        /^end$/,
        /^[^\s:><()-]+ ?(?:-->>|->>|-->|->|--\)|-\)) ?[+-]?[^\s:><()-]+ ?: ?.+$/,
      ],
    }),
    checks: [notesFollowMessages, participantsComeFirst],
  },
  {
    name: 'Class diagram',
    header: /^classDiagram(?:-v2)?$/i,
    normalise: acceptForms({
      block: {
        opens: new RegExp(`^class ${className} ?\\{$`, 'u'),
        member: new RegExp(`^(?:${member}|<<\\w+>>)$`, 'u'),
      },
      statements: [
        new RegExp(`^class ${className}$`, 'u'),
        new RegExp(`^${className} (?:"[^"]*" )?${relation} (?:"[^"]*" )?${className}(?: ?: ?.+)?$`, 'u'),
        new RegExp(`^${className} ?: ?${member}$`, 'u'),
      ],
    }),
    checks: [],
  },
  {
    name: 'Entity relationship diagram',
    header: /^erDiagram$/i,
    normalise: acceptForms(
      {
        block: { opens: /^[\w-]+ ?\{$/, member: /^\w+ \w+(?: (?:PK|FK|UK))?$/ },
        statements: [/^[\w-]+ (?:\|\||\|o|o\||\}\||o\{)(?:--|\.\.)(?:\|\||\|o|o\||\|\{|o\{) [\w-]+ ?: ?.+$/],
      },
      reverseCrowsFoot,
    ),
    checks: [],
  },
];

/** Reads a diagram; null if the library does not draw its kind or one of its statements. */
export function readDiagram(source: string): DiagramSource | null {
  const [frontMatter = ''] = /^\s*---\n.*?\n---\n/s.exec(source) ?? [];
  const caption =
    /^title:\s*(.+)$/m
      .exec(frontMatter)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2') ?? '';
  const all = statementsOf(source.slice(frontMatter.length));
  const [header = '', ...given] = all.filter((line) => !ignored.test(line) && !accTitle.test(line));
  const kind = kinds.find((one) => one.header.test(header));
  if (kind === undefined || given.length === 0 || given.some((line) => unsupportedLabel.test(line)))
    return null;
  const normalised = kind.normalise(given);
  if (normalised === null || !kind.checks.every((isAvoided) => isAvoided(normalised))) return null;
  const title = all.flatMap((line) => accTitle.exec(line)?.[1] ?? [])[0];
  return {
    title: title ?? (caption || kind.name),
    caption,
    kind: kind.name.toLowerCase(),
    text: [/^(?:graph|flowchart)$/i.test(header) ? `${header} TD` : header, ...normalised].join('\n'),
  };
}

/** Statements are separated by line ends, and by semicolons in lines without labels. */
function statementsOf(source: string): string[] {
  return source
    .split('\n')
    .flatMap((line) => (/["'[({|:]/.test(line) ? [line] : line.split(';')))
    .map((line) => line.trim().replace(/\s+/g, ' ').replace(/ ?;$/, ''))
    .filter((line) => line !== '');
}

/** Accepts statements of these forms, after `respell` has changed their spelling. */
function acceptForms(
  { statements, block }: Forms,
  respell = (line: string): string => line,
): Kind['normalise'] {
  return (given) => {
    const lines = given.map(respell);
    let inBlock = false;
    const all = lines.every((line) => {
      if (inBlock) {
        inBlock = line !== '}';
        return !inBlock || (block?.member.test(line) ?? false);
      }
      inBlock = block?.opens.test(line) ?? false;
      return inBlock || statements.some((form) => form.test(line));
    });
    return all ? lines : null;
  };
}

/** The library reads a left-hand crow's foot only in reverse. */
function reverseCrowsFoot(line: string): string {
  return line.replace(/^([\w-]+) \}o/, '$1 o{');
}
