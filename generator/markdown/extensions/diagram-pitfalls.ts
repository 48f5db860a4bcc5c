/** Characters. Longer messages overlap their neighbours. */
const MAX_MESSAGE = 32;

/*
 * Diagrams that the library does not draw correctly although it knows each statement, because of their order or their
 * combination. Each function returns true if its pitfall is avoided.
 */

/** Two links between the same nodes are drawn as one. */
export function linksStandAlone(statements: readonly string[]): boolean {
  const seen = new Set<string>();
  for (const statement of statements) {
    const names = statement.replace(/\|[^|]*\||[[({].*?[\])}]+/g, ' ').match(/\w(?:[\w-]*\w)?/g) ?? [];
    for (const [index, name] of names.entries()) {
      const next = names[index + 1];
      if (next === undefined || statement.includes('&') || statement.startsWith('subgraph')) continue;
      const pair = [name, next].sort().join(' ');
      if (seen.has(pair)) return false;
      seen.add(pair);
    }
  }
  return true;
}

/** A note before the first message, or at a block's edge, is lost or misplaced. No notes are accepted in blocks. */
export function notesFollowMessages(statements: readonly string[]): boolean {
  let open = 0;
  let messages = 0;
  return statements.every((statement) => {
    if (/^note\b/i.test(statement)) return open === 0 && messages > 0;
    if (/^(?:loop|alt|opt|par|critical|break)\b/.test(statement)) open += 1;
    else if (statement === 'end') open -= 1;
    else if (statement.includes('>') || statement.includes(')')) messages += 1;
    return true;
  });
}

/** A participant that is declared after its first use keeps its plain name. Also checks the length of messages. */
export function participantsComeFirst(statements: readonly string[]): boolean {
  const used = new Set<string>();
  return statements.every((statement) => {
    const participant = /^(?:participant|actor) (\S+)/.exec(statement)?.[1];
    if (participant !== undefined) return !used.has(participant);
    const [, from, to, message = ''] =
      /^([^\s:><()-]+) ?-[^\s\w]* ?[+-]?([^\s:><()-]+) ?: ?(.+)$/.exec(statement) ?? [];
    if (from !== undefined && to !== undefined) used.add(from).add(to);
    return message.length <= MAX_MESSAGE;
  });
}

/** A state that is described after its first use keeps its plain name. */
export function descriptionsComeFirst(statements: readonly string[]): boolean {
  const used = new Set<string>();
  return statements.every((statement) => {
    const [, from, to] = /^(\S+?) ?--> ?([^\s:]+)/.exec(statement) ?? [];
    if (from !== undefined && to !== undefined) {
      used.add(from).add(to);
      return true;
    }
    const described = /^state "[^"]*" as (\S+)/.exec(statement)?.[1] ?? /^([^\s:]+) ?:/.exec(statement)?.[1];
    return described === undefined || !used.has(described);
  });
}
