import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `pk_live_` and 192 random bits, of which only the hash is stored. A slow hash would protect nothing. */
const SECRET_BYTES = 24;
const PREFIX_LENGTH = 12;

export const secretPattern = /^pk_live_[A-Za-z0-9_-]{32,200}$/;

export const newSecret = (): string => `pk_live_${randomBytes(SECRET_BYTES).toString('hex')}`;

/** The part of a secret that may be shown, and by which its row is found. */
export const secretPrefix = (secret: string): string => secret.slice(0, PREFIX_LENGTH);

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares two hashes in constant time. */
export const hashesEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
