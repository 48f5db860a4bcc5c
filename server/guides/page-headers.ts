/**
 * Headers of the pages of the public host, in addition to those that Helmet sets on every response: they load from and
 * send to this server only, and no other page may frame them.
 */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;
