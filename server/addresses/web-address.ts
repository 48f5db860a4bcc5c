/**
 * The end of a sentence that begins with the name of a field. Whatever names an address publishes it: a user name there
 * makes it look like that of another host, and a password is given to every reader.
 */
export const NAMES_A_USER = 'must not contain a user name or password';

/** Whether an absolute address names a user or has a password. False for what is no absolute address. */
export function namesUser(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/**
 * Whether it is an absolute http or https address. Requires the slashes: without them, some texts would be read as
 * relative to an address of the same scheme.
 */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
