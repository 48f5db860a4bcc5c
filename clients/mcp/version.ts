/** Version of the package, which clients show beside the name of the server. */
export const VERSION = '0.1.0';
