const id = String.raw`\w(?:[\w-]*\w)?`;
const node = `${id}(?:\\[\\])?`;
const nodes = `${node}(?: ?& ?${node})*`;
const link = String.raw` <?(?:-->|---|-\.->|-\.-|==>|===)(?:\|\|)? `;
const STATEMENT = new RegExp(`^${nodes}(?:${link}${nodes})*$`);
const SUBGRAPH = /^subgraph (?:([\w-]+) ?\[[^\]]+\]|[\w -]+|"[^"]*")$/;
const DIRECTION = /^direction (?:TD|TB|LR|BT|RL)$/i;

/** Node shapes with their labels, which may contain anything except the closing bracket, and link labels. */
const label =
  /((?<=\w ?)(?:\(\(\([^()]+\)\)\)|\(\[[^[\]]+\]\)|\(\([^()]+\)\)|\[\[[^[\]]+\]\]|\[\([^()]+\)\]|\{\{[^{}]+\}\}|\[(?![/\\])[^[\]]+\]|\([^()]+\)|\{[^{}]+\})|\|[^|]+\|)/;

/**
 * Flowchart statements in the library's spelling: links in one form and between spaces, a node's shape at its first
 * mention, no classes. Null if a statement is not understood, or if a node would be drawn outside its group.
 */
export function normaliseFlowchart(statements: readonly string[]): string[] | null {
  const normalised: string[] = [];
  const shapes = new Map<string, string>();
  const groups = new Set<string>();
  /** For each node, the number of groups that had begun at its last mention. */
  const namedIn = new Map<string, number>();
  let groupCount = 0;
  let depth = 0;
  for (const statement of statements) {
    const subgraph = SUBGRAPH.exec(statement);
    if (subgraph) {
      depth += 1;
      groupCount += 1;
      groups.add(subgraph[1] ?? statement.slice('subgraph '.length));
      normalised.push(statement);
    } else if (statement === 'end') {
      depth -= 1;
      normalised.push(statement);
    } else if (DIRECTION.test(statement)) {
      if (depth === 0) return null;
      normalised.push(statement);
    } else {
      const line = normaliseLinks(statement.replace(/:::[\w-]+/g, ''));
      if (!STATEMENT.test(skeleton(line))) return null;
      for (const [name, shape] of nodesIn(line)) {
        if (depth > 0 && (namedIn.get(name) ?? groupCount) !== groupCount) return null;
        namedIn.set(name, groupCount);
        if (shape !== '') shapes.set(name, shape);
      }
      normalised.push(line);
    }
  }
  if (depth !== 0 || [...namedIn.keys()].some((name) => groups.has(name))) return null;
  return placeShapes(normalised, shapes);
}

/** A statement's nodes in order, each with its shape or an empty string. */
function* nodesIn(line: string): Generator<readonly [name: string, shape: string]> {
  const parts = line.split(label);
  for (let index = 0; index < parts.length; index += 2) {
    const names = (parts[index] ?? '').match(new RegExp(id, 'g')) ?? [];
    const shape = parts[index + 1] ?? '';
    for (const [nth, name] of names.entries()) {
      yield [name, nth === names.length - 1 && !shape.startsWith('|') ? shape : ''];
    }
  }
}

/** Moves each node's shape to the node's first mention. */
function placeShapes(lines: readonly string[], shapes: ReadonlyMap<string, string>): string[] {
  const placed = new Set<string>();
  return lines.map((line) => {
    if (/^(?:subgraph |direction |end$)/.test(line)) return line;
    const bare = line
      .split(label)
      .map((part, index) => (index % 2 === 0 || part.startsWith('|') ? part : ''))
      .join('');
    return bare.replace(new RegExp(`\\|[^|]*\\||${id}`, 'g'), (name) => {
      const shape = placed.has(name) ? undefined : shapes.get(name);
      if (shape === undefined) return name;
      placed.add(name);
      return name + shape;
    });
  });
}

const skeleton = (statement: string): string =>
  statement
    .split(label)
    .map((part, index) => (index % 2 === 0 ? part : part.startsWith('|') ? '||' : '[]'))
    .join('');

const LINK = /\s*(<?)(-{2,}>|-{3,}|={2,}>|={3,}|-\.+->|-\.+-)\s*/g;
const LABELLED_LINK = /\s*(--|==|-\.)(?![->=.])\s*([^-=.|]+?)\s*(-{2,}>|-{3,}|={2,}>|={3,}|\.+->|\.+-)\s*/g;

/** `A--yes-->B` and `A -->|yes| B` mean the same. The length of a link, a layout hint, is ignored. */
function normaliseLinks(statement: string): string {
  const parts = statement.split(label);
  return parts
    .map((part, index) => {
      if (index % 2 !== 0) return part;
      const bare = normaliseUnlabelled(part);
      return /^[[({]/.test(parts[index + 1] ?? '') ? bare.replace(/(?<=\w) $/, '') : bare;
    })
    .join('')
    .replace(/ ?(\|[^|]*\|) ?/g, '$1 ')
    .trim();
}

function normaliseUnlabelled(part: string): string {
  return part
    .replace(LABELLED_LINK, (_, open: string, words: string, close: string) => {
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
