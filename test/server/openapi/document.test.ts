// Slow: validates the whole document with two linters.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../../../server/app.ts';
import type { Endpoint } from '../../../server/http/endpoint.ts';
import { createDocument } from '../../../server/openapi/document.ts';
import { createSchemaRegistry } from '../../../server/openapi/json-schema.ts';
import { type Contract, createContract } from '../../support/contract.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let document: object;
let contract: Contract;
beforeAll(async () => {
  platen = await startTestPlaten();
  document = (await platen.call('GET', '/openapi.json', undefined, { key: null })).json;
  contract = createContract(document);
});
afterAll(() => platen.close());

/** An endpoint that declares only what it must. */
const bare: Endpoint = {
  method: 'put',
  id: 'dye',
  path: '/shelves/:id/dusty-books',
  scope: 'blogs:write',
  summary: 'Dust the books of a shelf',
  body: z.object({ cloth: z.string(), water: z.boolean().default(false) }),
  status: 200,
  response: z.object({ dusted: z.int() }),
  handle: async () => ({ dusted: 1 }),
};
const documentOf = (...declared: Endpoint[]) =>
  createDocument(declared, { publicUrl: 'https://example.net' });

describe('rules for the OpenAPI document', () => {
  const redocly = async (source: object) => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: JSON.stringify(source),
      absoluteRef: 'openapi.json',
      config,
    });
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
  };
  // The two packages' types differ in optional properties.
  const oas = z.custom<RulesetDefinition>().parse(spectralRulesets.oas);
  const spectral = async (source: object) => {
    const linter = new spectralCore.Spectral();
    linter.setRuleset({ extends: [[oas, 'recommended']] });
    const problems = await linter.run({ ...structuredClone(source) });
    return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
  };
  const broken = () => ({ ...document, tags: [], servers: [{ url: 'http://localhost/v1/' }] });

  it('the document follows the rules that Redocly recommends', async () => {
    expect(await redocly(document)).toEqual([]);
    expect((await redocly(broken())).join('\n')).toMatch(/no-server-trailing-slash/);
  });

  it('the document follows the rules that Spectral recommends', async () => {
    expect(await spectral(document)).toEqual([]);
    expect((await spectral(broken())).join('\n')).toMatch(/operation-tag-defined/);
  });

  it('a minimal endpoint follows the rules', async () => {
    const source = documentOf(bare, { ...bare, id: 'clean', method: 'post', path: '/shelves', scope: null });
    expect([await redocly(source), await spectral(source)]).toEqual([[], []]);
    expect(createContract(source).operations[0]).toMatchObject({
      path: '/shelves/{id}/dusty-books',
      operationId: 'dye',
      tags: ['Blogs'],
      security: [{ apiKey: [] }],
      requestBody: { content: { 'application/json': { example: { cloth: 'text', water: false } } } },
    });
  });
});

it('the document describes every endpoint at the address where it is served', () => {
  const described = contract.operations.map(({ method, path }) => `${method} ${path}`);
  const served = endpoints(platen.services).map(
    ({ method, path }) =>
      `${method.toUpperCase()} ${path.replace('\\', '').replace(/:(\w+)(?=\/|$)/g, (all, name) => (all === ':batch' ? all : `{${name}}`))}`,
  );
  expect(described.sort()).toEqual(served.sort());
  expect(document).toMatchObject({ openapi: '3.0.3', info: { version: '0.1.0' }, servers: [{ url: '/v1' }] });
});

it('the document names the path prefix of a proxy', () => {
  const { servers } = createDocument([bare], { publicUrl: 'https://example.net/blogs' });
  expect(servers).toMatchObject([{ url: '/blogs/v1' }]);
});

describe('details that client generators use', () => {
  const schemas = () => Object(document).components.schemas;
  const operation = (id: string) => contract.operations.find(({ operationId }) => operationId === id);

  it('the document states all limits, those checked in code included', () => {
    expect(schemas().CreatePost).toMatchObject({
      required: ['title'],
      anyOf: [{ required: ['content'] }, { required: ['content_md'] }],
      properties: {
        title: { minLength: 1, maxLength: 500 },
        content: { minLength: 1, maxLength: 1_048_576 },
        slug: { pattern: '^[a-z0-9-]{1,100}$' },
        tags: { maxItems: 10, items: { minLength: 1, maxLength: 50 } },
        status: { default: 'draft', enum: ['draft', 'published', 'scheduled'] },
        meta: { properties: { description: { maxLength: 1_000, nullable: true } } },
      },
    });
    expect(schemas().CreateBlog.properties).toMatchObject({
      name: { maxLength: 200 },
      description: { maxLength: 1_000 },
    });
    expect(schemas().CreateToken.properties.name).toMatchObject({ maxLength: 100 });
    const q = operation('searchPosts')?.parameters.find(({ name }) => name === 'q');
    expect(q?.schema).toMatchObject({ minLength: 1, maxLength: 100 });
  });

  it('numbers in a query have a numeric type and their default', () => {
    const parameters = operation('listPosts')?.parameters ?? [];
    const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf('page')).toEqual({ type: 'integer', minimum: 1, default: 1 });
    expect(schemaOf('per_page')).toEqual({ type: 'integer', minimum: 1, default: 20 });
    expect(operation('getAnalytics')?.parameters[0]?.schema).toMatchObject({ default: '30d' });
  });

  it('only nullable fields allow null, and optional fields are not required', () => {
    const { required, properties } = schemas().ChangedPost;
    expect(Object.keys(properties).filter((name) => !required.includes(name))).toEqual([
      'taken_down_at',
      'taken_down_reason',
      'rebuild_id',
    ]);
    expect(Object.keys(properties).filter((name) => properties[name].nullable)).toEqual([
      'published_at',
      'og_image_url',
      'scheduled_at',
      'series',
      'canonical_url',
      'language',
      'author',
      'cover_image',
    ]);
    expect(schemas().Post.properties).not.toHaveProperty('rebuild_id');
  });

  it('every operation and every body has a unique name', () => {
    for (const { id, path } of endpoints(platen.services))
      expect({ path, id }).toEqual({ path, id: expect.any(String) });
    expect(Object.keys(schemas())).toEqual(
      expect.arrayContaining([
        'Post',
        'PostSummary',
        'Blog',
        'Error',
        'Pagination',
        'Receipt',
        'Profile',
        'Token',
      ]),
    );
  });

  it('every operation requires a key unless it is open to everybody', () => {
    const open = contract.operations.filter(({ security }) => security.length === 0);
    const declared = endpoints(platen.services).filter(({ scope }) => scope === null);
    expect(open.map(({ operationId }) => operationId).sort()).toEqual(declared.map(({ id }) => id).sort());
  });
});

it('two schemas cannot share a name', () => {
  const book = createSchemaRegistry();
  book.output(z.object({ a: z.string() }).meta({ id: 'Twin' }));
  expect(() => book.output(z.object({ b: z.string() }).meta({ id: 'Twin' }))).toThrow(
    'two different schemas have the name Twin',
  );
});
