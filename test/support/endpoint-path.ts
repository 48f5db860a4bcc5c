/** Path of an endpoint for a call: every parameter gets the value, and escaped colons are unescaped. */
export const callablePath = (path: string, value: string): string =>
  path.replace(/(?<!\\):\w+/g, value).replaceAll('\\:', ':');
