const MAX_SHOWN = 60;

/**
 * A name that a client or an owner chose, for a message: of bounded length, with nothing that hides or reorders text.
 */
export function shownName(name: string): string {
  const characters = Array.from(name.slice(0, 2 * (MAX_SHOWN + 1)));
  const shown = characters
    .slice(0, MAX_SHOWN)
    .join('')
    .replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, escaped);
  return characters.length > MAX_SHOWN ? `${shown}…` : shown;
}

/** The name in backticks. */
export const quotedName = (name: string): string => `\`${shownName(name)}\``;

const choice = new Intl.ListFormat('en', { type: 'conjunction' });

/** Names in backticks, as a list in words: `a`, `b`, and `c`. */
export const quotedNames = (names: readonly string[]): string => choice.format(names.map(quotedName));

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
