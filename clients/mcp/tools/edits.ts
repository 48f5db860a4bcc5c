/** A passage of a text, and what takes its place. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** Makes the edits one after the other. Throws an error that an agent can act on if a passage is not there once. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, { find, replace }, index) => {
    const [before = '', ...rest] = edited.split(find);
    if (rest.length === 1) return `${before}${replace}${rest[0]}`;
    const problem =
      rest.length === 0
        ? 'is not in the post: take it from get_post, character by character'
        : `is in the post ${rest.length} times: give more of the text around it`;
    throw new Error(`Nothing was changed: find of edits[${index}] ${problem}.`);
  }, text);
}
