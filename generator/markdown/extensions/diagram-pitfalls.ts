/** Messages are written over what lies beside them when they are longer. */
const MAX_MESSAGE = 32;

/*
 * What the library does not draw whole although it knows each statement: some come in the wrong order, or together
 * with others.
 */

/** Two links between the same nodes would be drawn as one. */
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

/** Before the first message, or at the edges of a block, a note would be lost or misplaced. */
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

/** A name that is explained after it was used would keep standing for itself. */
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

/** A state that is described after it was used would keep its name. */
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
