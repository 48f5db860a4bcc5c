import { expect, it } from 'vitest';
import type { LayoutFrame } from '../../../generator/layouts/engine.ts';
import work, { type PreviewTask } from '../../../generator/previews/worker.ts';
import { blog, postView } from '../render/views.ts';

const expiresAt = '2026-11-01T12:00:00.000Z';
const previewLink = { url: 'https://ink.example/a-post/', expiresAt };
const layoutLink = {
  pageUrl: previewLink.url,
  blogUrl: 'https://ink.example/',
  previewUrl: 'https://api.example/preview/layouts/token/',
  expiresAt,
};

/** A page whose owner and author have written `<body>` wherever they can. */
const view = postView(
  { title: 'A <body> of work', description: '"<body>"', html: '<p title="<body>">text</p>' },
  {
    ...blog,
    name: '<body>',
    description: '<!-- <body> -->',
    customCss: '/* <body> */ a::after { content: "<body>" }',
  },
);

const render = (task: Partial<PreviewTask>) =>
  work({
    ...{ view, frame: null, previewLink: null, layoutLink: null, ...task },
    startedAt: new BigInt64Array(new SharedArrayBuffer(24)),
  });

const noBody: LayoutFrame = ['', null];
const comments: LayoutFrame = ['<!-- <body> --><style>/* <body> */</style>', '<p title="<body>">'];

it.each([
  ['of a post', { previewLink }],
  ['of a layout with comments and styles', { layoutLink, frame: comments }],
  ['of a layout without anything', { layoutLink, frame: noBody }],
])('the banner of a preview %s begins the body, and stands nowhere else', async (_what, task) => {
  const html = await render(task);
  expect(html.match(/<aside lang="en" dir="ltr" aria-label="Preview"/g)).toHaveLength(1);
  expect(html).toMatch(/<\/head>\s*<body><aside lang="en" dir="ltr" aria-label="Preview"/);
});

it('a page that is only returned has no banner', async () => {
  expect(await render({})).not.toContain('aria-label="Preview"');
});
