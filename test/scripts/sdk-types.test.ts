import { describe, expect, it, test } from 'vitest';
import { comment, type Schema, typeOf } from '../../scripts/sdk-types/schema-types.ts';

const input = { isInput: true };
const output = { isInput: false };

describe('a schema becomes the type', () => {
  it.each<[string, Schema]>([
    ['string', { type: 'string', format: 'date-time' }],
    ['Blob', { type: 'string', format: 'binary' }],
    ['number | null', { type: 'integer', nullable: true }],
    ['"a" | "b"', { type: 'string', enum: ['a', 'b'] }],
    ['("a" | "b")[]', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    ['(string | null)[]', { type: 'array', items: { type: 'string', nullable: true } }],
    ['ErrorBody', { $ref: '#/components/schemas/Error' }],
    [
      'Post & Warned',
      { allOf: [{ $ref: '#/components/schemas/Post' }, { $ref: '#/components/schemas/Warned' }] },
    ],
    ['string | boolean', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
    ['Record<string, string>', { type: 'object', additionalProperties: { type: 'string' } }],
    ['unknown', {}],
  ])('%s', (type, schema) => {
    expect(typeOf(schema, output)).toBe(type);
  });

  it('with comments, and optional fields that may be undefined in what clients send', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Ends here: */' },
        'a-b': { type: 'boolean', default: false },
      },
      required: ['name'],
    };
    const fields = ['  /** Ends here: *\u200b/ */', '  name: string;', '  /** @default false */'];
    expect(typeOf(schema, output)).toBe(['{', ...fields, '  "a-b"?: boolean;', '}'].join('\n'));
    expect(typeOf(schema, input)).toBe(['{', ...fields, '  "a-b"?: boolean | undefined;', '}'].join('\n'));
  });

  it('with one of the fields that anyOf requires', () => {
    const text: Schema = { type: 'string' };
    const schema: Schema = {
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    expect(typeOf(schema, output).replace(/\s+/g, ' ')).toBe(
      '{ a?: string; b?: string; } & ({ a: string; } | { b: string; })',
    );
  });
});

test('a keyword or a type without a rule is an error, because it might change the type', () => {
  const unknown = { type: 'string', not: {} };
  expect(() => typeOf(unknown, output)).toThrow('no rule for the keyword not');
  expect(() => typeOf({ type: 'file' }, output)).toThrow('no rule for a schema of type file');
});

test('a comment has several lines if it needs them, and is empty if there is nothing to say', () => {
  expect(comment({})).toBe('');
  expect(comment({ description: 'One.\n\nTwo.', default: 1 })).toBe(
    '/**\n * One.\n *\n * Two.\n * @default 1\n */\n',
  );
});
