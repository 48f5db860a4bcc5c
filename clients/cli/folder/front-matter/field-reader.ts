import type { z } from 'zod';
import type { LineMessage } from '../file-message.ts';
import type { SplitFile } from './front-matter.ts';

/** Reads single fields of front matter, and collects what is wrong with them. */
export interface FieldReader {
  /**
   * The value of the first of these fields that is there. If it does not fit, that is an error of the file: it cannot be
   * published as its author meant it.
   */
  need<Value>(names: readonly string[], schema: z.ZodType<Value | undefined>): Value | undefined;
  /** The same, but a value that does not fit is left out with a remark. */
  take<Value>(names: readonly string[], schema: z.ZodType<Value | undefined>): Value | undefined;
  /** Adds a remark about a field. */
  remark(field: string, message: string): void;
  /** Adds an error about a field. */
  refuse(field: string, message: string): void;
  /** The field of these that is there. */
  named(names: readonly string[]): string | undefined;
  readonly errors: readonly LineMessage[];
  readonly remarks: readonly LineMessage[];
}

/** Longest part of a value that a message repeats, in characters. */
const MAX_SHOWN = 40;

export function createFieldReader({ data, lineOf }: SplitFile): FieldReader {
  const errors: LineMessage[] = [];
  const remarks: LineMessage[] = [];

  const named = (names: readonly string[]) => names.find((name) => !isEmpty(valueAt(data, name)));
  const about = (field: string, message: string): LineMessage => ({
    line: lineOf(field.split('.').at(-1) ?? field),
    message: `\`${field}\` ${message}`,
  });

  function read<Value>(names: readonly string[], schema: z.ZodType<Value | undefined>, to: LineMessage[]) {
    const name = named(names);
    if (name === undefined) return undefined;
    const value = valueAt(data, name);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    to.push(about(name, `${parsed.error.issues[0]?.message ?? 'is not understood'}, not ${shown(value)}`));
    return undefined;
  }

  return {
    need: (names, schema) => read(names, schema, errors),
    take: (names, schema) => read(names, schema, remarks),
    remark: (field, message) => void remarks.push(about(field, message)),
    refuse: (field, message) => void errors.push(about(field, message)),
    named,
    errors,
    remarks,
  };
}

/** The value of `taxonomies.tags` or a plain field. */
function valueAt(data: Readonly<Record<string, unknown>>, name: string): unknown {
  let value: unknown = data;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
