import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedBlog } from '../../../clients/mcp/active-blog.ts';
import { protocolVersions } from '../../support/mcp-client.ts';
import { type Answers, type FakeSession, fakeSession } from './fake-api.ts';

const ids = {
  starter: '00000000-0000-4000-8000-000000000001',
  notes: '00000000-0000-4000-8000-000000000002',
};
const post = {
  id: 'p',
  slug: 'ink',
  title: 'Ink',
  status: 'published',
  tags: [],
  meta_description: '',
  created_at: '',
  updated_at: '',
  url: 'https://notes.example/ink/',
  content_md: 'Black ink. Blue ink.',
  content_html: '<p>Black ink. Blue ink.</p>',
};
const redirect = { from: '/old/', to: '/ink/' };
const links = (count: number) => Array(count).fill({ label: 'Ink', url: '/ink/' });
const languages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, 'ink']));
const pagination = { page: 1, per_page: 20, total: 0, total_pages: 0 };

/** An API with two blogs, in which every write goes well. */
const wellAnswering: Answers = ({ request }) => {
  if (request.startsWith('GET /blogs/'))
    return [200, { id: ids.notes, slug: 'notes', name: 'Notes', url: '', theme_config: {}, settings: {} }];
  if (request === 'GET /blogs')
    return [
      200,
      {
        data: [
          { id: ids.starter, slug: 'starter', name: '' },
          { id: ids.notes, slug: 'notes', name: 'Notes' },
        ],
      },
    ];
  if (request.startsWith('GET /rebuilds/'))
    return [200, { status: 'live', files_written: 14, files_removed: 0, duration_ms: 210 }];
  if (request.startsWith('DELETE')) return [200, { deleted: true }];
  if (request === 'POST /upload') return [201, { url: 'https://media.example/1.png' }];
  if (/^GET \/(posts|search|discover)\b(?!\/)/.test(request)) return [200, { data: [], pagination }];
  if (/^POST \/posts\/ink/.test(request))
    return [200, { ...post, scheduled_at: '', published_at: '', expires_at: '' }];
  const live = { 'Preference-Applied': 'wait=10', ETag: '"v7"' };
  return [200, { ...post, rebuild_id: 'r' }, live];
};

let mcp: FakeSession;
afterEach(() => mcp.close());
const lastBody = () => mcp.sent.findLast(({ body }) => body !== undefined)?.body;

describe('the tools', () => {
  /** The table of the interface: tool, required parameters, others. */
  const table: [name: string, required: string[], optional: string[]][] = [
    ['create_post', ['title', 'content'], ['slug', 'tags', 'status']],
    ['update_post', ['slug'], ['title', 'content', 'tags']],
    ['list_posts', [], ['status', 'tag', 'page', 'per_page']],
    ['get_post', ['slug'], []],
    ['delete_post', ['slug'], []],
    ['publish_post', ['slug'], []],
    ['schedule_post', ['slug', 'scheduled_at'], []],
    ['upload_image', [], ['data', 'filename']],
    ['list_blogs', [], []],
    ['set_active_blog', ['blog_id'], []],
    ['create_blog', ['slug', 'name'], ['description']],
    ['update_blog', [], ['blog', 'name', 'description', 'theme_config']],
    ['delete_blog', ['blog'], []],
    ['get_analytics', [], ['period']],
    ['search_posts', ['q'], ['page', 'per_page']],
    ['discover_posts', ['q'], ['tag', 'page', 'per_page']],
  ];

  it('are the sixteen of the interface with their parameters, and five more', async () => {
    mcp = await fakeSession(wellAnswering);
    const { tools } = await mcp.client.listTools();
    for (const [name, required, optional] of table) {
      const { inputSchema } = tools.find((tool) => tool.name === name) ?? {};
      expect([...(inputSchema?.required ?? [])].sort(), name).toEqual([...required].sort());
      expect(Object.keys(inputSchema?.properties ?? {}), name).toEqual(expect.arrayContaining(optional));
    }
    const others = tools.map(({ name }) => name).filter((name) => !table.some(([known]) => known === name));
    const redirects = ['list_redirects', 'remove_redirect', 'set_redirects'];
    expect(others.sort()).toEqual([...redirects, 'preview_post', 'unpublish_post'].sort());
  });

  it('have a title, annotations and an output schema, in 24,000 characters at most', async () => {
    mcp = await fakeSession(wellAnswering);
    const { tools } = await mcp.client.listTools();
    for (const { name, title, annotations, outputSchema } of tools) {
      expect({ name, title, annotations, outputSchema }).toEqual({
        name,
        title: expect.any(String),
        annotations: expect.any(Object),
        outputSchema: expect.objectContaining({ type: 'object' }),
      });
    }
    const destructive = tools
      .filter(({ annotations }) => annotations?.destructiveHint)
      .map(({ name }) => name);
    expect(destructive).toEqual(expect.arrayContaining(['delete_post', 'delete_blog']));
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading.sort()).toEqual(
      [
        ...['discover_posts', 'get_analytics', 'get_post', 'list_blogs', 'list_posts'],
        ...['list_redirects', 'search_posts'],
      ].sort(),
    );
    expect(JSON.stringify(tools).length).toBeLessThan(24_000);
  });

  it('create_post publishes unless it is told not to, and says that the post is live, with the receipt', async () => {
    mcp = await fakeSession(wellAnswering);
    const args = { title: 'Ink', content: 'Black.' };
    expect(await mcp.text('create_post', args)).toBe(
      'Published "ink". Live at https://notes.example/ink/ (receipt r: 14 files written in 0.21 s).',
    );
    expect(mcp.sent[0]?.headers.get('Prefer')).toBe('handling=strict, wait=10');
    expect(lastBody()).toEqual({ ...args, status: 'published' });
    await mcp.call('create_post', { ...args, status: 'draft', description: 'On ink' });
    expect(lastBody()).toEqual({ ...args, status: 'draft', meta: { description: 'On ink' } });
  });

  it('create_post, update_post and publish_post take the fields of a post, and null for those that can go', async () => {
    mcp = await fakeSession(wellAnswering);
    const details = {
      cover_image: { url: 'https://media.example/1.png', alt: 'Ink' },
      canonical_url: 'https://elsewhere.example/ink',
      published_at: '2019-03-14T09:30:00Z',
      series: { name: 'Ink', part: 2 },
      author: { name: 'Ada', url: 'https://ada.example/' },
      language: 'en',
      translations: { de: 'tinte' },
      featured: true,
      unlisted: false,
    };
    const page = { type: 'page', title: 'Ink', content: 'Black.', slug: 'ink', tags: ['pens'] };
    const meta = { description: 'On ink', og_image: 'https://media.example/2.png' };
    await mcp.text('create_post', { ...page, ...details, ...meta });
    expect(lastBody()).toEqual({ ...page, ...details, meta, status: 'published' });
    await mcp.text('update_post', { slug: 'ink', new_slug: 'inks', ...details, ...meta });
    expect(lastBody()).toEqual({ slug: 'inks', ...details, meta });
    const gone = { cover_image: null, canonical_url: null, series: null, author: null };
    const none = { ...gone, language: null, translations: null };
    await mcp.text('update_post', { slug: 'ink', ...none, description: null, og_image: null });
    expect(lastBody()).toEqual({ ...none, meta: { description: null, og_image: null } });
    await mcp.text('publish_post', { slug: 'ink', published_at: '2019-03-14T09:30:00Z' });
    expect(lastBody()).toEqual({ published_at: '2019-03-14T09:30:00Z' });
  });

  it('repeat the warnings of the API, and all that get_post says of a post', async () => {
    const details = { type: 'page', series: { name: 'Ink', part: 1 }, language: 'de', unlisted: true };
    const empty = { featured: false, translations: {}, author: null, scheduled_at: null };
    mcp = await fakeSession(() => [200, { ...post, ...details, ...empty, warnings: ['series.part: twice'] }]);
    const created = await mcp.call('create_post', { title: 'Ink', content: 'Text.' });
    expect(created.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Published .*\nWarning: series\.part: twice$/s) },
    ]);
    expect(created.structuredContent).toMatchObject({ warnings: ['series.part: twice'] });
    const text = await mcp.text('get_post', { slug: 'ink' });
    for (const line of [
      'type: "page"',
      'series: {"name":"Ink","part":1}',
      'language: "de"',
      'unlisted: true',
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(text).not.toMatch(/^(?:featured|translations|author|scheduled_at):/m);
  });

  it('update_post takes back what get_post printed', async () => {
    const details = {
      tags: ['pens'],
      published_at: '2019-03-14T09:30:00.000Z',
      series: { name: 'Ink', part: 2 },
      author: { name: 'Ada', url: null, image: null },
      language: 'en',
      cover_image: { url: 'https://media.example/1.png', alt: '' },
      canonical_url: 'https://elsewhere.example/ink',
      translations: { de: 'tinte' },
      featured: true,
      unlisted: true,
    };
    mcp = await fakeSession(() => [200, { ...post, ...details, meta_description: 'On ink', type: 'post' }]);
    const [, front = ''] = (await mcp.text('get_post', { slug: 'ink' })).split('---');
    const printed = Object.fromEntries(
      Array.from(front.matchAll(/^(\w+): (.*)$/gm), ([, name = '', value = '']) => [name, JSON.parse(value)]),
    );
    const { url: _, status: __, type: ___, ...fields } = printed;
    await mcp.text('update_post', fields);
    expect(lastBody()).toEqual({ title: 'Ink', ...details, meta: { description: 'On ink' } });
    // A draft has the structured content `published_at: null`.
    await mcp.text('update_post', { slug: 'ink', published_at: null });
    expect(lastBody()).toEqual({ published_at: null });
  });

  it.each([
    [
      'is not live yet',
      'pending',
      'Readers do not see it until the rebuild r has finished; then it is live at https://notes.example/ink/.',
    ],
    ['is live, but for its preview card', 'live', 'Live at https://notes.example/ink/ (receipt r: 14 files'],
    [
      'will not be live',
      'failed',
      'Published "ink". But readers do not see it: the rebuild r failed (the disk is full). Tell the user.',
    ],
  ])('say of a write whose wait has ended that it %s', async (_, status, expected) => {
    const receipt = {
      status,
      files_written: 14,
      files_removed: 0,
      duration_ms: 9,
      error: 'the disk is full',
    };
    mcp = await fakeSession(({ request }) =>
      request === 'GET /rebuilds/r' ? [200, receipt] : [200, { ...post, rebuild_id: 'r' }],
    );
    expect(await mcp.text('create_post', { title: 'Ink', content: 'Text.' })).toContain(expected);
  });

  it.each([
    ['delete_post', { slug: 'ink', confirm: 'ink' }, 'Deleted "ink".', 'still see it', 'gone for readers'],
    ['unpublish_post', { slug: 'ink' }, '"ink" is a draft.', 'still see it', 'gone for readers'],
    [
      'schedule_post',
      { slug: 'ink', scheduled_at: '2099-01-01T00:00:00Z' },
      '"ink" will be published at 2099-01-01T00:00:00Z.',
      'still see it',
      'gone for readers until that time',
    ],
    [
      'update_post',
      { slug: 'ink', title: 'Inks' },
      'Changed "ink".',
      'do not see the change',
      'live at https://notes.example/ink/',
    ],
    [
      'publish_post',
      { slug: 'ink' },
      'Published "ink".',
      'do not see it',
      'live at https://notes.example/ink/',
    ],
    [
      'set_redirects',
      { redirects: [redirect] },
      'Redirects: 1 created.',
      'do not see the change',
      'live for readers',
    ],
    [
      'remove_redirect',
      { from: '/old/' },
      'Removed the redirect at /old/.',
      'are still redirected',
      'gone for readers',
    ],
    [
      'update_blog',
      { name: 'N' },
      'Changed "ink".',
      'do not see all of the change',
      'live at https://notes.example/ink/',
    ],
  ])(
    '%s says what readers see: before its rebuild, after it, and if it fails',
    async (tool, args, start, before, after) => {
      const receipt = { files_written: 3, files_removed: 1, duration_ms: 90, error: 'the disk is full' };
      const times = { scheduled_at: '2099-01-01T00:00:00Z', published_at: '' };
      const redirects = [{ id: 'r1', ...redirect, result: 'created' }];
      let status = 'building';
      mcp = await fakeSession((sent) => {
        if (sent.request === 'GET /rebuilds/r') return [200, { ...receipt, status }];
        if (sent.request.startsWith('DELETE')) return [200, { deleted: true, rebuild_id: 'r' }];
        if (sent.request.endsWith('/redirects')) return [200, { data: redirects, rebuild_id: 'r' }];
        if (sent.request.startsWith('GET')) return wellAnswering(sent);
        return [200, { ...post, name: 'N', ...times, rebuild_id: 'r' }];
      });
      const text = () => mcp.text(tool, args);
      expect(await text()).toBe(
        `${start} Readers ${before} until the rebuild r has finished; then it is ${after}.`,
      );
      status = 'failed';
      expect(await text()).toBe(
        `${start} But readers ${before}: the rebuild r failed (the disk is full). Tell the user.`,
      );
      status = 'live';
      const sentence = after.replace(/^./, (first) => first.toUpperCase());
      expect(await text()).toBe(`${start} ${sentence} (receipt r: 3 files written, 1 removed in 0.09 s).`);
    },
  );

  it('schedule_post gives no receipt of a post that readers did not see', async () => {
    mcp = await fakeSession(() => [200, { ...post, status: 'scheduled', scheduled_at: '2099' }]);
    const args = { slug: 'ink', scheduled_at: '2099-01-01T00:00:00Z' };
    expect(await mcp.text('schedule_post', args)).toBe('"ink" will be published at 2099.');
  });

  it.each([
    [
      'was waited for',
      { 'Preference-Applied': 'wait=10' },
      'Live at https://notes.example/ink/ (rebuild r).',
    ],
    ['was not', {}, 'Readers do not see it until the rebuild r has finished'],
  ])('give no receipt to a key that may not read it, of a write that %s', async (_, headers, expected) => {
    mcp = await fakeSession(({ request }) =>
      request === 'GET /rebuilds/r'
        ? [403, { error: 'forbidden', message: '' }]
        : [200, { ...post, rebuild_id: 'r' }, headers],
    );
    expect(await mcp.text('create_post', { title: 'Ink', content: 'Text.' })).toContain(expected);
  });

  it.each([
    ['create_post', { title: 'T', content: 'Text.' }, 'tags', Array(10).fill('t'), Array(11).fill('t')],
    ['create_post', { title: 'T', content: 'Text.' }, 'tags', ['t'.repeat(50)], ['t'.repeat(51)]],
    ['create_post', { title: 'T', content: 'Text.' }, 'slug', 's'.repeat(100), 's'.repeat(101)],
    ['create_post', { title: 'T' }, 'content', 'c'.repeat(1_048_576), 'c'.repeat(1_048_577)],
    ['update_post', { slug: 'ink' }, 'new_slug', 's'.repeat(100), 's'.repeat(101)],
    ['get_post', { slug: 'ink' }, 'blog', ids.notes, 'b'.repeat(64)],
    ['list_posts', {}, 'per_page', 100, 101],
    ['list_posts', {}, 'page', 1, 0],
    ['search_posts', {}, 'q', 'q'.repeat(100), 'q'.repeat(101)],
    ['search_posts', { q: 'ink' }, 'per_page', 50, 51],
    ['discover_posts', { q: 'ink' }, 'per_page', 50, 51],
    ['list_redirects', {}, 'per_page', 100, 101],
    ['set_redirects', {}, 'redirects', Array(1_000).fill(redirect), Array(1_001).fill(redirect)],
    ['update_post', { slug: 'ink' }, 'translations', languages(20), languages(21)],
    ['update_blog', {}, 'settings', { navigation: links(10) }, { navigation: links(11) }],
    ['update_blog', {}, 'settings', { social_links: links(10) }, { social_links: links(11) }],
    ['create_blog', { name: 'N' }, 'slug', 's'.repeat(63), 's'.repeat(64)],
    ['create_blog', { slug: 's' }, 'name', 'n'.repeat(200), 'n'.repeat(201)],
    ['create_blog', { slug: 's', name: 'N' }, 'description', 'd'.repeat(1_000), 'd'.repeat(1_001)],
  ])('%s with %o: a limit of %s', async (tool, args, field, allowed, tooMuch) => {
    mcp = await fakeSession(wellAnswering);
    expect(await mcp.refusal(tool, { ...args, [field]: tooMuch })).toContain(field);
    expect(mcp.sent).toEqual([]);
    await mcp.call(tool, { ...args, [field]: allowed });
    expect(mcp.sent).not.toEqual([]);
  });

  it('refuse an argument that they do not know, by its name', async () => {
    mcp = await fakeSession(wellAnswering);
    expect(await mcp.refusal('get_post', { slug: 'ink', blogg: 'notes' })).toContain('blogg');
  });

  it('bound every list that they take', async () => {
    mcp = await fakeSession(wellAnswering);
    const { tools } = await mcp.client.listTools();
    const listsIn = (schema: object): object[] => [
      ...('items' in schema ? [schema] : []),
      ...Object.values(schema).flatMap((inner) => (inner && typeof inner === 'object' ? listsIn(inner) : [])),
    ];
    const lists = tools.flatMap(({ inputSchema }) => listsIn(inputSchema));
    expect(lists.length).toBeGreaterThanOrEqual(6);
    for (const list of lists) expect(list).toHaveProperty('maxItems');
  });

  it.each([
    ['set_redirects', { redirects: Array(24_000).fill({}) }],
    ['set_redirects', { redirects: Array(1_000).fill({}) }],
    ['update_post', { slug: 'ink', edits: Array(16_000).fill({ x: 1 }) }],
    ['update_post', { slug: 'ink', translations: languages(24_000) }],
    ['create_post', { title: 'T', content: 'Text.', tags: Array(24_500).fill({}) }],
    ['update_blog', { settings: { navigation: Array(12_000).fill({}) } }],
    ['get_post', { slug: 'ink', ...languages(24_000) }],
    ['get_post', { slug: 'ink', ['x'.repeat(1_000_000)]: 1 }],
  ])('%s answers a long call that is wrong with few words', async (tool, args) => {
    mcp = await fakeSession(wellAnswering);
    expect((await mcp.refusal(tool, args)).length).toBeLessThan(1_500);
    expect(mcp.sent).toEqual([]);
  });

  it('give no HTML, and back from a change no content', async () => {
    mcp = await fakeSession(wellAnswering);
    const got = await mcp.call('get_post', { slug: 'ink' });
    expect(got.structuredContent).toMatchObject({ content_md: post.content_md });
    expect(got.structuredContent).not.toHaveProperty('content_html');
    const changed = await mcp.call('update_post', { slug: 'ink', title: 'New' });
    expect(Object.keys(changed.structuredContent ?? {}).filter((name) => name.startsWith('content'))).toEqual(
      [],
    );
  });
});

describe('edits of update_post', () => {
  it('replace passages in the version that was read', async () => {
    mcp = await fakeSession(wellAnswering);
    const edits = [
      { find: 'Black', replace: 'Red' },
      { find: 'Red ink.', replace: 'Red $& ink!' },
    ];
    await mcp.text('update_post', { slug: 'ink', edits });
    expect(lastBody()).toEqual({ content: 'Red $& ink! Blue ink.' });
    expect(mcp.sent.find(({ body }) => body)?.headers.get('If-Match')).toBe('"v7"');
  });

  it.each([
    ['is not there', [{ find: 'green', replace: '' }], 'edits[0] is not in the post'],
    [
      'is there twice',
      [
        { find: 'Blue', replace: '' },
        { find: 'ink', replace: '' },
      ],
      'edits[1] is in the post more than once',
    ],
  ])('change nothing if a passage %s', async (_, edits, reason) => {
    mcp = await fakeSession(wellAnswering);
    expect(await mcp.refusal('update_post', { slug: 'ink', edits })).toContain(reason);
    expect(lastBody()).toBeUndefined();
  });

  it('do not make a post longer than it may be', async () => {
    mcp = await fakeSession(wellAnswering);
    const room = 1_048_576 - post.content_md.length + 'Blue'.length;
    const edits = (length: number) => [{ find: 'Blue', replace: 'b'.repeat(length) }];
    expect(await mcp.refusal('update_post', { slug: 'ink', edits: edits(room + 1) })).toContain(
      'with edits[0], the post would have more than 1048576 bytes',
    );
    await mcp.text('update_post', { slug: 'ink', edits: edits(room) });
  });

  it('do not come with content', async () => {
    mcp = await fakeSession(wellAnswering);
    const edits = [{ find: 'Blue', replace: '' }];
    expect(await mcp.refusal('update_post', { slug: 'ink', edits, content: 'Text.' })).toContain('not both');
  });
});

describe.each(protocolVersions)('deleting, in the version %s', (version) => {
  const deletions = () => mcp.sent.filter(({ request }) => request.startsWith('DELETE'));

  it('asks a person, and deletes only if they agree', async () => {
    const asked: string[] = [];
    let answer: { action: 'accept' | 'decline'; delete?: boolean } = { action: 'decline' };
    const person = (message: string) => {
      asked.push(message);
      return answer;
    };
    mcp = await fakeSession(wellAnswering, { version, person });
    // What the agent confirms does not count where a person can be asked.
    const args = { slug: 'ink', confirm: 'ink' };
    expect(await mcp.refusal('delete_post', args)).toContain('the user did not agree');
    answer = { action: 'accept', delete: false };
    expect(await mcp.refusal('delete_post', { ...args, blog: 'notes' })).toContain('the user did not agree');
    expect(deletions()).toEqual([]);
    answer = { action: 'accept', delete: true };
    expect(await mcp.text('delete_post', { slug: 'ink' })).toContain('Deleted "ink"');
    await mcp.text('set_active_blog', { blog_id: 'notes' });
    await mcp.text('delete_post', { slug: 'ink' });
    expect(await mcp.text('delete_blog', { blog: 'notes' })).toContain('Deleted the blog "notes"');
    expect(asked).toEqual([
      'Delete the post "ink" for good? This cannot be undone.',
      'Delete the post "ink" of the blog "notes" for good? This cannot be undone.',
      'Delete the post "ink" for good? This cannot be undone.',
      `Delete the post "ink" of the blog "${ids.notes}" for good? This cannot be undone.`,
      'Delete the blog "Notes" (notes) with all its posts, images and keys for good? This cannot be undone.',
    ]);
    expect(deletions().map(({ request }) => request)).toEqual([
      'DELETE /posts/ink',
      'DELETE /posts/ink',
      `DELETE /blogs/${ids.notes}`,
    ]);
  });

  it('names the blog that the client has chosen for all its calls', async () => {
    const asked: string[] = [];
    const person = (message: string) => {
      asked.push(message);
      return { action: 'decline' } as const;
    };
    mcp = await fakeSession(wellAnswering, { version, person, activeBlog: fixedBlog('notes') });
    await mcp.refusal('delete_post', { slug: 'ink' });
    await mcp.refusal('delete_post', { slug: 'ink', blog: 'starter' });
    expect(asked).toEqual([
      'Delete the post "ink" of the blog "notes" for good? This cannot be undone.',
      'Delete the post "ink" of the blog "starter" for good? This cannot be undone.',
    ]);
  });

  it('wants the slug of what goes from the agent of a client that cannot ask', async () => {
    mcp = await fakeSession(wellAnswering, { version });
    expect(await mcp.refusal('delete_post', { slug: 'ink' })).toContain('call it again with confirm: "ink"');
    expect(await mcp.refusal('delete_post', { slug: 'ink', confirm: 'pen' })).toContain(
      'confirm is not "ink"',
    );
    expect(await mcp.refusal('delete_blog', { blog: ids.notes, confirm: ids.notes })).toContain(
      'confirm: "notes"',
    );
    expect(deletions()).toEqual([]);
    await mcp.text('delete_post', { slug: 'ink', confirm: 'ink' });
    await mcp.text('delete_blog', { blog: ids.notes, confirm: 'notes' });
    expect(deletions()).toHaveLength(2);
  });
});

describe('the active blog', () => {
  const chosen = () =>
    mcp.sent.findLast(({ request }) => request.startsWith('GET /posts'))?.headers.get('X-Blog-Id');

  it('is that of the key, then the one that was set, and an argument goes before it', async () => {
    mcp = await fakeSession(wellAnswering);
    await mcp.text('list_posts');
    expect(chosen()).toBeNull();
    expect(await mcp.text('set_active_blog', { blog_id: 'notes' })).toContain(
      '"notes" (Notes) is the active blog',
    );
    await mcp.text('list_posts');
    expect(chosen()).toBe(ids.notes);
    await mcp.text('list_posts', { blog: 'starter' });
    expect(chosen()).toBe(ids.starter);
  });

  it('is not changed for a blog that there is not', async () => {
    mcp = await fakeSession(wellAnswering);
    expect(await mcp.refusal('set_active_blog', { blog_id: 'nothing' })).toContain(
      'no blog with the slug "nothing"',
    );
    await mcp.text('list_posts');
    expect(chosen()).toBeNull();
  });

  it('is no state where there are no sessions: the tool says to name the blog', async () => {
    mcp = await fakeSession(wellAnswering, { activeBlog: fixedBlog('notes') });
    expect(await mcp.refusal('set_active_blog', { blog_id: 'starter' })).toContain(
      'Give blog: "starter" to each tool',
    );
    await mcp.text('list_posts');
    expect(chosen()).toBe(ids.notes);
  });
});

describe('errors', () => {
  it.each([
    [401, { error: 'unauthorized', message: 'the key is revoked' }, ['the key is revoked', 'PLATEN_API_KEY']],
    [
      403,
      { error: 'forbidden', message: 'no', upgrade_url: 'https://up' },
      ['Plans: https://up', 'Do not repeat'],
    ],
    [404, { error: 'not_found', message: 'there is no post' }, ['list_posts', 'the argument blog']],
    [409, { error: 'conflict', message: 'the slug is taken' }, ['Choose another slug']],
    [412, { error: 'precondition_failed', message: 'changed' }, ['read it again']],
    [429, { error: 'rate_limit_exceeded', message: 'too many', retry_after: 90 }, ['Wait 90 seconds']],
    [500, { error: 'internal_error', message: 'oops' }, ['Try again in a minute']],
    [
      400,
      {
        error: 'bad_request',
        message: 'title is long',
        errors: [
          { field: 'title', message: 'title is long' },
          { field: 'tags[0]', message: 'is empty' },
        ],
        docs: 'https://docs/mistakes',
      },
      ['bad_request: title is long\n- tags[0]: is empty\nMore: https://docs/mistakes'],
    ],
    [502, 'a proxy', ['PLATEN_API_URL is the address']],
  ])('%i says what to do', async (status, body, parts) => {
    mcp = await fakeSession(() => [status, body]);
    const text = await mcp.refusal('get_post', { slug: 'ink' });
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toContain('pk_live_test');
  });

  it('of the network say so, too', async () => {
    mcp = await fakeSession(() => {
      throw new TypeError('fetch failed');
    });
    expect(await mcp.refusal('list_posts')).toContain('whether the server runs');
  });
});

describe('redirects', () => {
  const results = ['replaced', 'created'].map((result) => ({ id: 'r1', ...redirect, result }));
  const written = { data: results, rebuild_id: 'r' };
  const answering: Answers = (sent) => {
    if (/^GET \/blogs\/[^/]+\/redirects/.test(sent.request))
      return [200, { data: [{ id: 'r1', ...redirect }], pagination: { ...pagination, total: 1 } }];
    if (sent.request.startsWith('POST')) return [200, written, { 'Preference-Applied': 'wait=10' }];
    return wellAnswering(sent);
  };

  it('are listed, set and removed in the blog that is named, or the active one', async () => {
    mcp = await fakeSession(answering);
    expect(await mcp.text('list_redirects', { blog: 'notes' })).toContain('- /old/ -> /ink/\n1 in all');
    expect(await mcp.text('set_redirects', { redirects: [redirect], blog: 'notes' })).toMatch(
      /^Redirects: 1 created, 1 replaced\. Live for readers \(receipt r: /,
    );
    expect(lastBody()).toEqual({ redirects: [redirect] });
    await mcp.text('set_active_blog', { blog_id: 'notes' });
    await mcp.text('remove_redirect', { from: '/old/' });
    expect(mcp.sent.at(-1)?.request).toBe(`DELETE /blogs/${ids.notes}/redirects?from=%2Fold%2F`);
  });
});

describe('pictures', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const folder = mkdtempSync(join(tmpdir(), 'platen-mcp-'));
  const file = join(folder, 'dot.png');
  writeFileSync(file, png);
  afterEach(() => rmSync(join(folder, 'big.png'), { force: true }));
  const uploaded = async () => {
    const [upload] = lastBody().getAll('file');
    return { name: upload.name, type: upload.type, bytes: Buffer.from(await upload.arrayBuffer()) };
  };

  it('come by path or as base64, also as a data address', async () => {
    mcp = await fakeSession(wellAnswering);
    expect(await mcp.text('upload_image', { path: file, alt: 'A [dot]' })).toBe(
      'Stored. In Markdown: ![A \\[dot\\]](https://media.example/1.png)',
    );
    expect(await uploaded()).toEqual({ name: 'dot.png', type: 'image/png', bytes: png });
    await mcp.text('upload_image', {
      data: `data:image/png;base64,${png.toString('base64')}`,
      filename: 'p.png',
    });
    const wrapped = (png.toString('base64').match(/.{1,60}/g) ?? []).join('\r\n');
    await mcp.text('upload_image', { data: `${wrapped}\n`, filename: 'p.png' });
    expect(await uploaded()).toEqual({ name: 'p.png', type: 'image/png', bytes: png });
  });

  it('are refused if they are none, too large, or not there', async () => {
    mcp = await fakeSession(wellAnswering);
    const large = join(folder, 'big.png');
    writeFileSync(large, png);
    truncateSync(large, 5 * 1_048_576 + 1);
    expect(await mcp.refusal('upload_image', { path: large })).toContain('at most 5242880 (5 MB)');
    expect(await mcp.refusal('upload_image', { path: join(folder, 'none.png') })).toContain('no such file');
    expect(await mcp.refusal('upload_image', { path: folder })).toContain('not a file');
    const pipe = join(folder, 'pipe.png');
    execFileSync('mkfifo', [pipe]);
    expect(await mcp.refusal('upload_image', { path: pipe })).toContain('not a file');
    expect(await mcp.refusal('upload_image', { path: import.meta.filename })).toContain(
      'no image of a known type',
    );
    expect(await mcp.refusal('upload_image', { data: '<svg>' })).toContain('not base64');
    const blank = ' '.repeat(7_000_000);
    expect(await mcp.refusal('upload_image', { data: `${blank}!` })).toContain('not base64');
    expect(await mcp.refusal('upload_image', {})).toContain('Give path or data');
    expect(await mcp.refusal('upload_image', { path: file, data: 'aaaa' })).toContain('not both');
    truncateSync(large, 5 * 1_048_576);
    await mcp.text('upload_image', { path: large });
    expect(mcp.sent).toHaveLength(1);
  });

  it('have no path where the server runs elsewhere', async () => {
    mcp = await fakeSession(wellAnswering, { isRemote: true });
    expect(await mcp.refusal('upload_image', { path: file })).toContain('path');
    const { tools } = await mcp.client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'upload_image') ?? {};
    expect(inputSchema?.required).toEqual(['data']);
    await mcp.text('upload_image', { data: png.toString('base64') });
  });
});
