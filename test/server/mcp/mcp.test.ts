// Slow: starts a whole server, and waits for what tools publish.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHttp, type McpConnection, protocolVersions } from '../../support/mcp-client.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let server: TestPlaten;
beforeAll(async () => {
  server = await startTestPlaten();
});
afterAll(() => server.close());

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

describe.each(protocolVersions)('over HTTP, in the version %s', (version) => {
  let mcp: McpConnection;
  beforeAll(async () => {
    mcp = await connectHttp(server.origin, bearer(server.key), { version });
  });
  afterAll(() => mcp.close());

  it('a post is live when the tool answers, with the receipt', async () => {
    const slug = `ink-${version}`;
    const text = await mcp.text('create_post', { title: 'Ink', content: 'It *dries*.', slug });
    console.log(text);
    expect(text).toContain(`ive at http://starter.localhost`);
    expect((await server.read('starter', `/${slug}/`)).text).toContain('<em>dries</em>');
  });
  it('lists', async () => {
    const t0 = performance.now();
    const { tools } = await mcp.client.listTools();
    console.log(
      tools.length,
      JSON.stringify(tools).length,
      JSON.stringify(tools.map(({ outputSchema: _, ...t }) => t)).length,
      performance.now() - t0,
    );
    console.log(
      JSON.stringify(
        tools.find((t) => t.name === 'create_post'),
        null,
        1,
      ),
    );
    console.log(
      await mcp.client.listResources(),
      await mcp.client.listResourceTemplates(),
      await mcp.client.listPrompts(),
    );
    console.log(await mcp.refusal('create_post', { titel: 'x', tags: ['a'.repeat(60)] }));
    console.log(await mcp.refusal('get_post', { slug: 'none' }));
    console.log(await mcp.refusal('delete_post', { slug: `ink-${version}` }));
    console.log(await mcp.text('delete_post', { slug: `ink-${version}`, confirm: `ink-${version}` }));
    console.log(await mcp.text('list_posts'), await mcp.text('get_post', { slug: 'welcome' }).catch(String));
  });
});
