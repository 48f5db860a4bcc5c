// Slow: starts a whole server, and calls every operation of the API in a scenario that waits for rebuilds.
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, createContract, type Operation } from '../../support/contract.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let contract: Contract;
beforeAll(async () => {
  platen = await startTestPlaten();
  contract = createContract((await platen.call('GET', '/openapi.json', undefined, { key: null })).json);
});
afterAll(() => platen.close());

/** A call of an operation. `with`: path parameters; `keep`: fields of the response that later steps use. */
interface Step {
  readonly call: string;
  readonly with?: Readonly<Record<string, string>>;
  /** What the response warns of, apart from what all are made to. */
  readonly warns?: string;
  readonly keep?: (json: Answer['json']) => Readonly<Record<string, string>>;
}

const post = { slug: 'post' };
const blog = { id: 'blog' };
const deadEnd = 'to: leads to /hello/, where nothing is published yet';

/** Every operation of the API, each after those that create its input. */
const scenario: readonly Step[] = [
  { call: 'getOpenApiDocument' },
  { call: 'createBlog', keep: ({ id }) => ({ blog: id }) },
  { call: 'listBlogs' },
  { call: 'getBlog', with: blog },
  { call: 'updateBlog', with: blog },
  { call: 'previewLayout', with: blog },
  { call: 'setRedirects', with: blog, warns: deadEnd },
  { call: 'listRedirects', with: blog },
  { call: 'removeRedirectAt', with: blog },
  { call: 'setRedirects', with: blog, warns: deadEnd, keep: ({ data }) => ({ redirect: data[0].id }) },
  { call: 'removeRedirect', with: { ...blog, redirectId: 'redirect' } },
  { call: 'createPost', keep: ({ slug, rebuild_id }) => ({ post: slug, rebuild: rebuild_id }) },
  { call: 'getRebuild', with: { id: 'rebuild' } },
  { call: 'createPosts' },
  { call: 'listPosts' },
  { call: 'getPost', with: post },
  { call: 'searchPosts' },
  { call: 'discoverPosts' },
  { call: 'getAnalytics' },
  { call: 'getPostAnalytics', with: post },
  {
    call: 'unpublishPost',
    with: post,
    warns: expect.stringMatching(/^published_at: was .*\/publish to keep it$/),
  },
  { call: 'createPreview', with: post },
  { call: 'publishPost', with: post },
  { call: 'updatePost', with: post },
  { call: 'schedulePost', with: post, warns: expect.stringMatching(/^published_at: was .*PUT keeps it$/) },
  { call: 'listRevisions', with: post, keep: ({ data }) => ({ revision: data[0].id }) },
  { call: 'getRevision', with: { ...post, id: 'revision' } },
  { call: 'restoreRevision', with: { ...post, id: 'revision' } },
  { call: 'renderMarkdown' },
  { call: 'uploadImage' },
  { call: 'listImages', keep: ({ data }) => ({ image: data[0].id }) },
  { call: 'deleteImage', with: { id: 'image' } },
  { call: 'registerDomain', with: blog },
  { call: 'getDomain', with: blog },
  { call: 'removeDomain', with: blog },
  { call: 'purchasePack' },
  { call: 'getPackBalance' },
  { call: 'createApiKey', with: blog, keep: ({ id }) => ({ apiKey: id }) },
  { call: 'listApiKeys', with: blog },
  { call: 'revokeApiKey', with: { ...blog, keyId: 'apiKey' } },
  { call: 'createToken', keep: ({ id }) => ({ token: id }) },
  { call: 'listTokens' },
  { call: 'revokeToken', with: { id: 'token' } },
  { call: 'getProfile' },
  { call: 'exportAccount' },
  { call: 'deletePost', with: post },
  { call: 'deleteBlog', with: blog },
  { call: 'deleteAccount' },
];

describe('every operation of the OpenAPI document', () => {
  it('every operation has a step in the scenario', () => {
    expect([...new Set(scenario.map(({ call }) => call))].sort()).toEqual(
      contract.operations.map(nameOf).sort(),
    );
  });

  const known: Record<string, string> = {};
  it.each(scenario.map((step) => [step.call, step] as const))(
    'every operation responds to its example as documented: %s',
    async (_, step) => {
      const operation = named(step.call);
      await refusesWhatItShould(operation, step);
      const answer = await send(operation, step, {}, platen.key, '?nobody=reads');
      expect(answer.status, answer.text).toBe(successOf(operation));
      const unread = expect.stringMatching(/^`nobody` is not a query parameter of this request/);
      const expected = [unread, ...(step.warns ? [step.warns] : [])];
      expect(answer.json.warnings).toEqual(operation.path === '/openapi.json' ? undefined : expected);
      Object.assign(known, step.keep?.(answer.json));
    },
  );

  /**
   * Calls the operation without a key, with headers that it reads, and with a parameter that it does not. In the
   * scenario, other headers change nothing.
   */
  async function refusesWhatItShould(operation: Operation, step: Step): Promise<void> {
    const reads = (header: string) => operation.parameters.some(({ name }) => name === header);
    if (operation.security.length > 0) expect((await send(operation, step, {}, null)).status).toBe(401);
    if (reads('X-Blog-Id')) {
      const unknown = await send(operation, step, { 'X-Blog-Id': uuid() });
      expect([unknown.status, unknown.json.message]).toEqual([
        404,
        expect.stringMatching(/^blog not found: .*X-Blog-Id/),
      ]);
    }
    if (reads('If-Match')) {
      expect((await send(operation, step, { 'If-Match': '"another"' })).status).toBe(412);
    }
    expect(reads('Prefer')).toBe(true);
    const prefer = { Prefer: 'wait=60, handling=strict' };
    const strict = await send(operation, step, prefer, platen.key, '?nobody=reads');
    expectRefusal(strict, 400, /^nobody: is not a query parameter/);
    expect(strict.headers.get('preference-applied')).toBe('handling=strict');
  }

  function send(
    operation: Operation,
    step: Step,
    headers = {},
    key: string | null = platen.key,
    query = '',
  ): Promise<Answer> {
    const reads = (header: string) => operation.parameters.some(({ name }) => name === header);
    const body = operation.requestBody?.content['application/json']?.example;
    const path = pathFor(operation, step);
    const withQuery = path + (path.includes('?') ? query.replace('?', '&') : query);
    return platen.call(operation.method, withQuery, body, {
      key,
      headers: {
        Prefer: 'wait=60',
        'X-Blog-Id': reads('X-Blog-Id') ? (known.blog ?? '') : uuid(),
        ...(!reads('If-Match') && { 'If-Match': '"another"' }),
        ...headers,
      },
    });
  }

  function pathFor({ path, parameters }: Operation, step: Step): string {
    const filled = path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => known[step.with?.[name] ?? ''] ?? 'missing',
    );
    const query = parameters.flatMap(({ name, in: place, schema }) =>
      place === 'query' && schema.example !== undefined
        ? [`${name}=${encodeURIComponent(String(schema.example))}`]
        : [],
    );
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }
});

it('an image can be uploaded as the form that the document describes', async () => {
  const { key } = await platen.account({ tier: 'free' });
  await platen.call('POST', '/blogs', { slug: 'forms', name: 'Forms' }, { key });
  const { requestBody } = named('uploadImage');
  const { data } = Object(requestBody?.content['application/json']?.example);
  const form = new FormData();
  for (const field of Object.keys(Object(requestBody?.content['multipart/form-data']?.schema.properties))) {
    form.append(field, new Blob([Buffer.from(data, 'base64')], { type: 'image/png' }), 'dot.png');
  }
  const encoded = new Response(form);
  const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' };
  const raw = new Uint8Array(await encoded.arrayBuffer());
  expect((await platen.call('POST', '/upload', undefined, { key, raw, headers })).status).toBe(201);
});

describe('the examples of the OpenAPI document', () => {
  it('every example is valid by its own schema', () => {
    const contents = contract.operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody?.content ?? {}, ...Object.values(responses).map(({ content }) => content ?? {})].flatMap(
        (content) => Object.values(content).map((media) => ({ operationId, ...media })),
      ),
    );
    const examples = contents.filter(({ example }) => example !== undefined);
    expect(examples.length).toBeGreaterThan(contract.operations.length * 2);
    for (const { operationId, schema, example } of examples) {
      expect({ operationId, violations: contract.violations(schema, example) }).toEqual({
        operationId,
        violations: [],
      });
    }
  });
});

describe('responses that differ from the OpenAPI document', () => {
  const summary = () => named('listPosts').responses['200']?.content?.['application/json']?.example;
  const answer = (given: Partial<Answer>): Answer => ({
    status: 200,
    headers: new Headers({
      'Content-Type': 'application/json; charset=utf-8',
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': '1777626000',
    }),
    text: '{}',
    json: summary(),
    ...given,
  });
  const without = (name: string) => {
    const { headers } = answer({});
    headers.delete(name);
    return headers;
  };
  const withHeader = (name: string, value: string) => {
    const { headers } = answer({});
    headers.set(name, value);
    return headers;
  };

  it('a response that conforms to the document passes the check', () => {
    expect(contract.differences('GET', '/posts?page=1', answer({}))).toEqual([]);
  });

  it.each<[string, () => Partial<Answer>, RegExp]>([
    ['another status', () => ({ status: 202 }), /status 202/],
    ['an extra field', () => ({ json: { ...Object(summary()), secret: 1 } }), /additional properties/],
    ['a missing field', () => ({ json: { data: [] } }), /pagination/],
    [
      'a field of another type',
      () => ({ json: { ...Object(summary()), data: [{ id: 7 }] } }),
      /\/data\/0\/id/,
    ],
    ['another media type', () => ({ headers: withHeader('content-type', 'text/html') }), /text\/html/],
    ['a missing header', () => ({ headers: without('x-ratelimit-limit') }), /X-RateLimit-Limit is missing/],
    [
      'a malformed header',
      () => ({ headers: withHeader('x-ratelimit-limit', 'many') }),
      /X-RateLimit-Limit: /,
    ],
    ['an extra header', () => ({ headers: withHeader('retry-after', '1') }), /retry-after is not documented/],
  ])('the check reports %s in a response', (_name, given, difference) => {
    expect(contract.differences('GET', '/posts', answer(given())).join('\n')).toMatch(difference);
  });

  it('the check reports an operation that the document lacks', () => {
    expect(contract.differences('GET', '/nowhere', answer({}))).toEqual([
      'there is no operation GET /nowhere',
    ]);
  });
});

const successOf = ({ responses }: Operation) =>
  Number(Object.keys(responses).find((status) => status < '300'));

const nameOf = ({ operationId }: Operation) => operationId;

function named(operationId: string): Operation {
  const found = contract.operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`there is no operation ${operationId}`);
  return found;
}
