// Slow: starts a whole server, and calls every operation of the API through the SDK.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../clients/sdk/generated/operations.ts';
import {
  type CreatedPost,
  NotFoundError,
  Platen,
  PreconditionFailedError,
  responseOf,
  UnauthorizedError,
} from '../../../clients/sdk/index.ts';
import { sdkTypesOf } from '../../../scripts/sdk-types/sdk-types.ts';
import { examplesOf, installPacked, root, runModule } from '../../support/packed-client.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let server: TestPlaten;
/** Method and path below `/v1` of every request so far. */
const requests: string[] = [];
let platen: Platen;

beforeAll(async () => {
  server = await startTestPlaten();
  platen = clientOf(server.key);
});
afterAll(() => server.close());

const clientOf = (apiKey: string) =>
  new Platen({
    apiKey,
    url: server.origin,
    fetch: (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname.replace('/v1', '')}`);
      return fetch(input, init);
    },
  });

const dot = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  content_type: 'image/png' as const,
};

/** What earlier steps made, for later ones. */
const made = { blog: '', redirect: '', rebuild: '', revision: '', image: '', apiKey: '', token: '' };

/** A call of every operation, each after those that make what it needs. */
const scenario: Record<keyof typeof operations, () => Promise<unknown>> = {
  getOpenApiDocument: () => platen.openApiDocument(),
  createBlog: async () => {
    const blog = await platen.blogs.create({ slug: 'press', name: 'The press' });
    made.blog = blog.id;
    platen = platen.withBlog('press');
  },
  listBlogs: () => platen.blogs.list().all(),
  getBlog: () => platen.blogs.get('press'),
  updateBlog: () => platen.blogs.update('press', { description: 'On ink' }, { wait: 60 }),
  previewLayout: () => platen.blogs.previewLayout('press', { layout: '{{ content }}' }),
  setRedirects: async () => {
    const redirects = [
      { from: '/old', to: '/new/' },
      { from: '/older', to: '/new/' },
    ];
    made.redirect = (await platen.redirects.set({ redirects })).data[0]?.id ?? '';
  },
  listRedirects: async () => expect(await platen.redirects.list({ per_page: 1 }).all()).toHaveLength(2),
  removeRedirect: () => platen.redirects.remove(made.redirect),
  removeRedirectAt: () => platen.redirects.removeAt('/older'),
  createPost: async () => {
    const post = await platen.posts.create({
      title: 'A post',
      content: 'Ink.',
      slug: 'post',
      status: 'published',
    });
    made.rebuild = post.rebuild_id ?? '';
  },
  getRebuild: () => platen.rebuild(made.rebuild),
  createPosts: () =>
    platen.posts.batch([
      { title: 'One', content: 'One.' },
      { title: 'Two', content: 'Two.' },
    ]),
  listPosts: async () =>
    expect((await platen.posts.list({ status: 'draft' })).data.map(({ slug }) => slug).sort()).toEqual([
      'one',
      'two',
    ]),
  getPost: () => platen.posts.get('post'),
  searchPosts: async () => expect((await platen.search({ q: 'post' })).data).toHaveLength(1),
  discoverPosts: () => platen.discover({ q: 'post' }).all(),
  getAnalytics: () => platen.analytics.overview({ period: '7d' }),
  getPostAnalytics: () => platen.analytics.post('post'),
  unpublishPost: () => platen.posts.unpublish('post'),
  createPreview: () => platen.posts.preview('post', { expires_in: 1 }),
  publishPost: () => platen.posts.publish('post'),
  updatePost: () => platen.posts.update('post', { title: 'Another title' }),
  schedulePost: () => platen.posts.schedule('post', { scheduled_at: '2100-01-01T00:00:00Z' }),
  listRevisions: async () => {
    made.revision = (await platen.posts.revisions.list('post')).data[0]?.id ?? '';
  },
  getRevision: () => platen.posts.revisions.get('post', made.revision),
  restoreRevision: () => platen.posts.revisions.restore('post', made.revision),
  renderMarkdown: async () =>
    expect((await platen.renderMarkdown({ content: '*ink*' })).content_html).toBe('<p><em>ink</em></p>\n'),
  uploadImage: () => platen.images.upload(dot, { filename: 'dot.png' }),
  listImages: async () => {
    const [image] = await platen.images.list().all();
    expect(image?.filename).toBe('dot.png');
    made.image = image?.id ?? '';
  },
  deleteImage: () => platen.images.delete(made.image),
  registerDomain: () => platen.domain.register({ hostname: 'press.example.org' }),
  getDomain: async () => expect((await platen.domain.get()).hostname).toBe('press.example.org'),
  removeDomain: () => platen.domain.remove(),
  purchasePack: () => platen.packs.purchase({ pack_type: '100' }),
  getPackBalance: () => platen.packs.balance(),
  createApiKey: async () => {
    made.apiKey = (await platen.apiKeys.create({ name: 'Press' })).id;
  },
  listApiKeys: async () =>
    expect((await platen.apiKeys.list()).data.map(({ name }) => name)).toEqual(['Press']),
  revokeApiKey: () => platen.apiKeys.revoke(made.apiKey),
  createToken: async () => {
    made.token = (await platen.tokens.create({ name: 'Robot', scopes: ['posts:read'] })).id;
  },
  listTokens: () => platen.tokens.list().all(),
  revokeToken: () => platen.tokens.revoke(made.token),
  getProfile: () => platen.account.profile(),
  exportAccount: async () => {
    for await (const part of platen.account.exportParts()) expect(part.total_posts).toBeGreaterThan(2);
  },
  deletePost: () => platen.posts.delete('post'),
  deleteBlog: () => platen.blogs.delete('press', { wait: 60 }),
  deleteAccount: async () => {
    const { key } = await server.account({ tier: 'free' });
    return clientOf(key).account.delete();
  },
};

it('the generated modules are those of the document', async () => {
  const generated = sdkTypesOf(await platen.openApiDocument());
  for (const [name, text] of Object.entries(generated)) {
    const file = `clients/sdk/generated/${name}`;
    const committed = readFileSync(join(root, file), 'utf8');
    expect(committed === text, `${file} is outdated: npm run generate-sdk-types`).toBe(true);
  }
});

describe('every operation of the document has a method, which calls nothing else', () => {
  it.each(Object.entries(scenario))('%s', async (id, call) => {
    requests.length = 0;
    await call();
    const known = Object.entries(operations).map(([name, entry]) => {
      const [method = '', path = ''] = entry.split(' ');
      return [name, new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const;
    });
    const called = requests.map((request) => known.find(([, pattern]) => pattern.test(request))?.[0]);
    // Slugs of blogs are looked up in their list.
    expect(called.filter((name) => name !== id && name !== 'listBlogs')).toEqual([]);
    expect(called).toContain(id);
  });
});

describe('a client against a server', () => {
  it('a published post is live after waitUntilLive, and its version guards a change', async () => {
    const notes = clientOf(server.key);
    const post: CreatedPost = await notes.posts.create({
      title: 'Live',
      content: 'Ink.',
      status: 'published',
    });
    const receipt = await notes.waitUntilLive(post);
    expect(receipt?.status).toBe('live');
    expect((await server.read('starter', '/live/')).status).toBe(200);

    const { etag } = responseOf(await notes.posts.get('live'));
    expect(await notes.posts.getIfChanged('live', etag ?? '')).toBeNull();
    const changed = await notes.posts.update('live', { title: 'Changed' }, { ifMatch: etag, wait: 60 });
    expect(responseOf(changed).isLive).toBe(true);
    expect(await notes.waitUntilLive(changed)).toBeNull();
    const stale = await notes.posts
      .update('live', { title: 'Lost' }, { ifMatch: '"another"' })
      .catch((error: unknown) => error);
    if (!(stale instanceof PreconditionFailedError)) return expect.fail(String(stale));
    await notes.posts.update('live', { title: 'Changed again' }, { ifMatch: stale.etag });
  });

  it('bytes and files are uploaded with the type that they have', async () => {
    const bytes = Uint8Array.from(Buffer.from(dot.data, 'base64'));
    const blog = clientOf(server.key);
    for (const image of [bytes, bytes.buffer, new Blob([bytes])]) {
      const options = { idempotencyKey: 'the same upload' };
      expect((await blog.images.upload(image, options)).url).toMatch(/\.png$/);
    }
    const [image, ...others] = await blog.images.list().all();
    expect([image?.content_type, others]).toEqual(['image/png', []]);
  });

  it('unknown fields are refused, and named in warnings by a client that is not strict', async () => {
    const fields = { title: 'Typed', content: 'Ink.', titel: 'Mistyped' };
    const strict = clientOf(server.key);
    await expect(strict.posts.create(fields)).rejects.toMatchObject({
      code: 'bad_request',
      errors: [{ field: 'titel', message: expect.stringContaining('did you mean `title`') }],
    });
    const { warnings } = await strict.posts.create(fields, { strict: false });
    expect(warnings).toEqual([expect.stringContaining('`titel`')]);
  });

  it('what the server refuses is an error of its own class, without the key', async () => {
    const { key } = await server.account({ tier: 'free' });
    await expect(clientOf(key).posts.get('none')).rejects.toBeInstanceOf(NotFoundError);
    const error = await clientOf('pk_live_wrong')
      .posts.list()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(JSON.stringify(error) + String(error)).not.toContain('pk_live_wrong');
    await expect(clientOf(key).redirects.list()).rejects.toThrow('this account has no blog');
    await expect(clientOf(server.key).withBlog('nowhere').posts.list()).rejects.toThrow(
      /no blog with the slug "nowhere"/,
    );
  });
});

describe('the package, installed in an empty folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installPacked('sdk');
  });
  afterAll(() => rmSync(dirname(folder), { recursive: true }));

  const examples = examplesOf('clients/sdk/README.md');

  it('has no other files than it needs, and no other package beside it', () => {
    const found = execFileSync('find', ['node_modules', '-name', '*', '-type', 'f'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const files = found
      .split('\n')
      .filter((file) => !/^$|\.package-lock\.json$|\/types\/.*\.d\.ts$/.test(file));
    expect(files.map((file) => file.replace('node_modules/@platen/sdk/', '')).sort()).toEqual([
      ...['LICENSE', 'README.md', 'index.js', 'package.json'],
    ]);
  });

  it.each(examples.map((text, at) => [at, text] as const))(
    'runs example %i of its README',
    async (at, text) => {
      const env = { PLATEN_API_KEY: server.key, PLATEN_API_URL: server.origin };
      await runModule(folder, { file: `example-${at}.mjs`, text }, env);
    },
  );

  it('type-checks for a strict reader of its declarations, with the types of Node and with those of browsers', () => {
    const files = examples.map((text, at) => {
      writeFileSync(join(folder, `example-${at}.ts`), text);
      return `example-${at}.ts`;
    });
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const strict = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ];
    const check = (...options: string[]) =>
      execFileSync(process.execPath, [compiler, ...strict, ...options], { cwd: folder, encoding: 'utf8' });
    const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    expect(check('--lib', 'es2022', '--exactOptionalPropertyTypes', ...nodeTypes, ...files)).toBe('');
    writeFileSync(
      join(folder, 'page.ts'),
      "import { Platen } from '@platen/sdk';\nexport const platen = new Platen();\n",
    );
    expect(
      check('--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler', 'page.ts'),
    ).toBe('');
  });
});
