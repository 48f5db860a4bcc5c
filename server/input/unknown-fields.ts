import { z } from 'zod';

/** A field of the input that its schema does not read. */
export interface UnknownField {
  readonly name: string;
  /** Keys and indexes that lead to the object that has it; empty for the input itself. */
  readonly at: readonly PropertyKey[];
  /** The fields that this object may have. */
  readonly known: readonly string[];
}

type Schema = z.core.$ZodType;

/**
 * All fields, at any depth, that `schema` does not read, in the order of the input. What a schema passes on unseen
 * (`unknown`, the input of a transform, keys of a record) has none. Expects input that is not nested without end, as
 * JSON within `assertJsonLimits`.
 */
export function* unknownFields(
  schema: Schema,
  input: unknown,
  at: readonly PropertyKey[] = [],
): Generator<UnknownField> {
  const reader = readerOf(schema, input);
  if (reader instanceof z.ZodArray && Array.isArray(input)) {
    for (const [index, entry] of input.entries()) yield* unknownFields(reader.element, entry, [...at, index]);
  }
  if (!isObject(input)) return;
  if (reader instanceof z.ZodRecord) {
    for (const [key, value] of Object.entries(input))
      yield* unknownFields(reader.valueType, value, [...at, key]);
  }
  if (!(reader instanceof z.ZodObject)) return;
  const { shape } = reader;
  const known = Object.keys(shape);
  const isOpen = reader.def.catchall !== undefined && !(reader.def.catchall instanceof z.ZodNever);
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) yield* unknownFields(field, value, [...at, name]);
    else if (!isOpen) yield { name, at, known };
  }
}

/** The names of the fields that an input of this schema may have; empty if it is no object. */
export function fieldsOf(schema: Schema): readonly string[] {
  const reader = readerOf(schema, {});
  return reader instanceof z.ZodObject ? Object.keys(reader.shape) : [];
}

/** The names of those fields that an input has to have. */
export function requiredFieldsOf(schema: Schema): readonly string[] {
  const reader = readerOf(schema, {});
  if (!(reader instanceof z.ZodObject)) return [];
  const fields: [string, Schema][] = Object.entries(reader.shape);
  return fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name);
}

/** Levels at which `fieldPaths` stops, because a schema may refer to itself. */
const MAX_LEVELS = 4;

/** The paths of all fields in objects within objects, at most `MAX_LEVELS` long. */
export function fieldPaths(schema: Schema, at: readonly string[] = []): string[][] {
  const reader = readerOf(schema, {});
  if (!(reader instanceof z.ZodObject) || at.length === MAX_LEVELS) return [];
  return Object.entries(reader.shape).flatMap(([name, field]) => [
    [...at, name],
    ...fieldPaths(field, [...at, name]),
  ]);
}

/** The schema that reads the input: without wrappers, and of a union the first option that accepts the input. */
export function readerOf(schema: Schema, input: unknown): Schema | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly
  ) {
    return readerOf(schema.def.innerType, input);
  }
  if (schema instanceof z.ZodPipe) return readerOf(schema.def.in, input);
  if (schema instanceof z.ZodLazy) return readerOf(schema.def.getter(), input);
  if (schema instanceof z.ZodUnion) {
    const reader = schema.def.options.find((option) => z.safeParse(option, input).success);
    return reader && readerOf(reader, input);
  }
  return schema;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
