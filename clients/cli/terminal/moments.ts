/** A time for people, in the zone of this machine: `2026-03-14 09:30`. */
export function shownTime(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The same in a table; programs get it as it is. */
export const timeIn = ({ columns }: { readonly columns: number | null }, iso: string | null): string =>
  columns === null ? (iso ?? '') : shownTime(iso);

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A time that somebody typed, in ISO 8601 and UTC: `2026-03-14T09:30`, `2026-03-14 09:30`, `2026-03-14` (in the zone of
 * this machine unless it names one), or `+30m`, `+2h`, `+3d` from now. Undefined if it is none.
 */
export function parseTime(typed: string, now: number): string | undefined {
  const text = typed.trim();
  const [, number, unit] = /^\+(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (number !== undefined && (unit === 'm' || unit === 'h' || unit === 'd'))
    return new Date(now + Number(number) * UNITS[unit]).toISOString();
  const [, day, time = 'T00:00', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
  if (day === undefined) return undefined;
  const clock = time.replace(/^T/, '');
  const date = new Date(`${day}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  // `Date` would take February 30 for March 2.
  const isDay =
    !Number.isNaN(Date.parse(`${day}T00:00Z`)) && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  return isDay && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined;
}
