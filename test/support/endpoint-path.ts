/** A path of an endpoint as it is called: every parameter gets the value, and an escaped colon is one. */
export const callablePath = (path: string, value: string): string =>
  path.replace(/(?<!\\):\w+/g, value).replaceAll('\\:', ':');
