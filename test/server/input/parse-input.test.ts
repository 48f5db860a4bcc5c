import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tryParse } from '../../../server/input/parse-input.ts';

const link = z.object({ label: z.string(), url: z.string() });
const schema = z.object({
  cover: z.object({ url: z.string(), alt: z.string().default('') }).nullish(),
  links: z.array(link.meta({ example: {} })).nullish(),
  tags: z.array(z.string().trim().min(1)).default([]),
  anything: z.array(z.unknown()).optional(),
  featured: z.boolean().optional(),
  part: z.int().optional(),
  name: z.string().optional(),
  seo: z.object({ a: z.string().nullish(), b: z.string().default('') }).optional(),
  wide: z.object(Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`f${n}`, z.string()]))).optional(),
});

describe('the message for a wrong type', () => {
  it.each<[object, string, string]>([
    [{ cover: 'https://example.org/' }, 'cover', 'must be an object with `url`, and optionally `alt`'],
    [{ links: [{ label: 'L', url: 'u' }, 'x'] }, 'links[1]', 'must be an object with `label` and `url`'],
    [{ links: 'x' }, 'links', 'must be a list of objects with `label` and `url`'],
    [{ tags: 'x' }, 'tags', 'must be a list of strings'],
    [{ anything: 'x' }, 'anything', 'must be a list'],
    [{ featured: 'yes' }, 'featured', 'must be true or false'],
    [{ part: 'x' }, 'part', 'must be a number'],
    [{ name: 1 }, 'name', 'must be a string'],
    [{ seo: 1 }, 'seo', 'must be an object, optionally with `a` and `b`'],
    [{ wide: 1 }, 'wide', 'must be an object'],
  ])('says what is expected: %j', (input, field, message) => {
    expect(tryParse(schema, input, 'the body').problems).toEqual([{ field, message }]);
  });
});
