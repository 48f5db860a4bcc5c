import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fixedBlog } from '../../../clients/mcp/active-blog.ts';
import { markdownReference } from '../../../clients/mcp/markdown-reference.ts';
import { VERSION } from '../../../clients/mcp/version.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { root } from '../../support/packed-client.ts';
import { type Answers, type FakeSession, fakeSession } from './fake-api.ts';

const blogs = [
  { id: '00000000-0000-4000-8000-000000000001', slug: 'starter', name: 'Starter' },
  { id: '00000000-0000-4000-8000-000000000002', slug: 'notes', name: 'Notes' },
];
const summary = { slug: 'ink', title: 'Ink', tags: ['paper'], meta_description: 'On ink.' };
const answering: Answers = ({ request }) => {
  if (request === 'GET /blogs') return [200, { data: blogs }];
  if (request.startsWith('GET /blogs/')) {
    const settings = { language: 'de', accent_color: '#0a7', author: { name: 'Ada' }, navigation: [] };
    return [
      200,
      {
        ...blogs[1],
        description: 'Notes on type',
        url: 'https://notes.example/',
        settings,
        theme_config: {},
      },
    ];
  }
  if (request.startsWith('GET /posts?'))
    return [200, { data: [summary, { ...summary, slug: 'pens' }], pagination: {} }];
  if (request === 'GET /posts/ink') return [200, { ...summary, content_md: 'Black **ink**.' }];
  return [404, { error: 'not_found', message: 'there is no such post' }];
};

let mcp: FakeSession;
afterEach(() => mcp?.close());
const read = async (uri: string) => {
  const [content] = (await mcp.client.readResource({ uri })).contents;
  return content && 'text' in content ? content.text : '';
};

it('the Markdown of a post is a resource, and the newest posts are listed', async () => {
  mcp = await fakeSession(answering);
  const { resources } = await mcp.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'platen://markdown',
    'platen://posts/starter/ink',
    'platen://posts/starter/pens',
  ]);
  expect(await read('platen://posts/notes/ink')).toBe('Black **ink**.');
  expect(mcp.sent.at(-1)?.headers.get('X-Blog-Id')).toBe(blogs[1]?.id);
  await expect(read('platen://posts/notes/nothing')).rejects.toThrow('there is no such post');
});

it('a key that may list nothing still has the reference', async () => {
  mcp = await fakeSession(() => [403, { error: 'forbidden', message: 'no' }]);
  expect((await mcp.client.listResources()).resources.map(({ uri }) => uri)).toEqual(['platen://markdown']);
  const ref = { type: 'ref/prompt' as const, name: 'improve_post' };
  const { completion } = await mcp.client.complete({ ref, argument: { name: 'slug', value: '' } });
  expect(completion.values).toEqual([]);
});

it('the style of a blog says how it looks and how it writes', async () => {
  mcp = await fakeSession(answering);
  const style = await read('platen://style/notes');
  for (const part of [
    '# Notes',
    'Notes on type',
    'Language: de',
    '#0a7',
    'Ada',
    'Ink (ink, paper): On ink.',
    'Black **ink**.',
  ]) {
    expect(style).toContain(part);
  }
});

it('slugs are completed: of blogs, and of posts of the blog that is filled in', async () => {
  mcp = await fakeSession(answering);
  const post = { type: 'ref/resource' as const, uri: 'platen://posts/{blog}/{slug}' };
  const complete = async (name: string, value: string, args?: Record<string, string>) =>
    (
      await mcp.client.complete({
        ref: post,
        argument: { name, value },
        ...(args && { context: { arguments: args } }),
      })
    ).completion.values;
  expect(await complete('blog', 'no')).toEqual(['notes']);
  expect(await complete('slug', 'p', { blog: 'notes' })).toEqual(['pens']);
  expect(mcp.sent.at(-1)?.headers.get('X-Blog-Id')).toBe(blogs[1]?.id);
});

it('prompts name the blog that tools have to be given', async () => {
  mcp = await fakeSession(answering, { activeBlog: fixedBlog() });
  const { prompts } = await mcp.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    'write_post',
    'improve_post',
    'review_drafts',
    'report_views',
  ]);
  const text = async (name: string, args: Record<string, string>) => {
    const { messages } = await mcp.client.getPrompt({ name, arguments: args });
    return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join();
  };
  expect(await text('write_post', { topic: 'Ink', blog: 'notes' })).toContain('blog: "notes" to every tool');
  expect(await text('improve_post', { slug: 'ink' })).not.toContain('to every tool');
});

it.each([
  ['write_post', {}, 'topic', 10_000],
  ['write_post', { topic: 'Ink' }, 'blog', 63],
  ['improve_post', {}, 'slug', 100],
])('the prompt %s with %o repeats of %s at most %i characters', async (name, args, argument, max) => {
  mcp = await fakeSession(answering);
  const ask = (length: number) =>
    mcp.client.getPrompt({ name, arguments: { ...args, [argument]: 'x'.repeat(length) } });
  expect(JSON.stringify(await ask(max))).toContain('x'.repeat(max));
  await expect(ask(max + 1)).rejects.toThrow(argument);
});

it('the reference of Markdown holds in the renderer: each example becomes what it says', () => {
  const { html } = renderMarkdown(markdownReference);
  const expected = [
    ...[
      '<em>stressed</em>',
      '<del>withdrawn</del>',
      '<kbd>',
      '🎉',
      'class="task-list-item-checkbox" checked',
    ],
    ...['<th class="align-right">Width</th>', '<nav class="toc"', 'class="footnote-backref"'],
    ...['<figcaption>paper.js</figcaption>', 'data-line="1"', '<mfrac>', 'such as $5 is no formula'],
    ...['display="block"', '<svg', 'From draft to edge', 'While it dries', 'youtube-nocookie.com/embed/'],
    'src="https://example.org/press.jpg"',
  ];
  for (const part of expected) expect(html).toContain(part);
});

it('the server names the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'clients/mcp/package.json'), 'utf8'));
  expect(VERSION).toBe(version);
});
