/** Source of the current time, injected so that tests can control it. */
export interface Clock {
  /** Now, as an ISO 8601 string in UTC with milliseconds. */
  now(): string;
}

export const systemClock: Clock = { now: () => new Date().toISOString() };

/** The time of a change: now, but later than that of the previous state, so that times identify states. */
export const nextTimestamp = (previous: string, now: string): string =>
  now > previous ? now : addMilliseconds(previous, 1);

/** Adds milliseconds, which may be negative, to an ISO 8601 time. */
export const addMilliseconds = (time: string, milliseconds: number): string =>
  new Date(Date.parse(time) + milliseconds).toISOString();
