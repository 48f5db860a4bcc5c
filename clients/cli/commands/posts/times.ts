import { UsageError } from '../../terminal/errors.ts';
import { parseTime } from '../../terminal/moments.ts';

/** The time that an option or argument says, in ISO 8601. Throws a UsageError. */
export function timeFlag(name: string, typed: string): string {
  const time = parseTime(typed, Date.now());
  if (time !== undefined) return time;
  throw new UsageError(
    `${name} must be a time such as 2026-03-14T09:30 (here), 2026-03-14T09:30Z or +2h, not ${JSON.stringify(typed)}`,
  );
}
