import { z } from 'zod';

/**
 * An array of at most `max` items whose length is checked first. Zod's own `.max` checks every item before it, and
 * thousands of wrong items hold the thread up for longer than the rest of a call. The JSON Schema is that of `.max`.
 */
export const boundedArray = <Item extends z.ZodType>(array: z.ZodArray<Item>, max: number) =>
  z.preprocess(countedTo(max, 'items'), array.max(max));

/** A record of at most `max` entries, which are counted before they are checked. */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  record: z.ZodRecord<Key, Value>,
  max: number,
) => z.preprocess(countedTo(max, 'entries'), record);

const countedTo =
  (max: number, counted: string) =>
  (value: unknown, { addIssue }: z.RefinementCtx): unknown => {
    if (countOf(value) > max) addIssue(`must have at most ${max} ${counted}`);
    return value;
  };

/** How many items an array has, or fields another object. */
export function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
