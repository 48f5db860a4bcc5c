import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldPaths, fieldsOf, unknownFields } from '../../../server/input/unknown-fields.ts';

const link = z.object({ label: z.string(), url: z.string() });
const schema = z
  .object({
    title: z.string(),
    meta: z
      .object({ description: z.string().optional() })
      .default({})
      .refine(() => true),
    links: z.array(link).max(3).nullish(),
    piped: z
      .object({ in: z.string() })
      .transform(({ in: given }) => ({ out: given }))
      .pipe(z.object({ out: z.string() })),
    either: z.union([z.object({ kind: z.literal('a'), a: z.int() }), z.object({ kind: z.literal('b') })]),
    byName: z.record(z.string(), link),
    anything: z.unknown(),
    open: z.looseObject({ known: z.string() }),
    loaded: z.preprocess((value) => value, z.object({ hidden: z.string() })),
    lazy: z.lazy(() => link),
  })
  .partial()
  .meta({ id: 'EveryKind' });

const found = (input: unknown) =>
  [...unknownFields(schema, input)].map(({ at, name }) => [...at, name].join('/'));

describe('unknown fields of an input', () => {
  it.each<[unknown, string[]]>([
    [{ title: 'T' }, []],
    [{ titel: 'T', title: 'T', x: 1 }, ['titel', 'x']],
    [{ meta: { description: 'D', descripton: 'D' } }, ['meta/descripton']],
    [{ links: [{ label: 'L' }, { lable: 'L' }, null, 7] }, ['links/1/lable']],
    [{ links: null }, []],
    [{ piped: { in: 'a', out: 'b' } }, ['piped/out']],
    [{ either: { kind: 'a', a: 1, b: 2 } }, ['either/b']],
    [{ either: { kind: 'b', a: 1 } }, ['either/a']],
    [{ either: { kind: 'c', z: 1 } }, []],
    [{ byName: { me: { label: 'L', url: '/', to: '/' } } }, ['byName/me/to']],
    [{ anything: { a: { b: 1 } } }, []],
    [{ open: { known: 'k', other: 1 } }, []],
    [{ loaded: { seen: 1 } }, []],
    [{ lazy: { labell: 'L' } }, ['lazy/labell']],
    [{ title: { not: 'text' }, links: { not: 'list' }, meta: ['not', { an: 'object' }] }, []],
    ['text', []],
    [null, []],
    [[{ titel: 1 }], []],
  ])('are found at any depth: %j', (input, names) => {
    expect(found(input)).toEqual(names);
  });

  it('can have the names of what every object has', () => {
    const input: unknown = JSON.parse('{"__proto__": {"title": 1}, "constructor": 1, "toString": 2}');
    expect(found(input)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it('come with the names of the object that they are in', () => {
    const [unknown] = unknownFields(schema, { links: [{ lable: 'L' }] });
    expect(unknown).toEqual({ name: 'lable', at: ['links', 0], known: ['label', 'url'] });
  });

  it('are found in milliseconds among 50,000', () => {
    const input = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`f${n}`, { a: [n] }]));
    const start = performance.now();
    expect([...unknownFields(schema, input)]).toHaveLength(50_000);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

it('the fields of a schema can be listed', () => {
  expect(fieldsOf(link.optional())).toEqual(['label', 'url']);
  expect(fieldsOf(z.string())).toEqual([]);
  const paths = fieldPaths(z.object({ a: z.object({ b: z.string() }).nullish(), c: z.array(link) }));
  expect(paths.map((path) => path.join('.'))).toEqual(['a', 'a.b', 'c']);
});
