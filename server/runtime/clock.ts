/** The time, as everything that keeps or compares moments is given it. */
export interface Clock {
  /** Now, as an ISO 8601 string in UTC with milliseconds. */
  now(): string;
}

export const systemClock: Clock = { now: () => new Date().toISOString() };

/** The moment of a change: now, but never that of the state before it, so that moments tell states apart. */
export const momentAfter = (previous: string, now: string): string =>
  now > previous ? now : later(previous, 1);

/** The moment some milliseconds after (or, where negative, before) another. */
export const later = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();
