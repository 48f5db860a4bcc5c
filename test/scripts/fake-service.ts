import { createServer } from 'node:http';

/** The only key that the service accepts. */
export const KEY = `pk_live_${'a'.repeat(48)}`;

interface Call {
  readonly route: string;
  readonly blog: string | undefined;
  readonly body: Record<string, unknown>;
}
type Answer = [status: number, body: object | string] | 'hang up';
type Behaviour = (call: Call, before: number) => Answer | undefined;

/** A server with the interface for posts and rebuilds. A test may override some responses. */
export class FakeService {
  readonly calls: Call[] = [];
  readonly posts = new Map<string, Record<string, unknown>>();
  behaviour: Behaviour = () => undefined;
  private readonly server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const blog = request.headers['x-blog-id'];
      const call = {
        route: `${request.method} ${request.url}`,
        blog: Array.isArray(blog) ? blog[0] : blog,
        body: text === '' ? {} : JSON.parse(text),
      };
      const before = this.calls.filter((other) => other.route === call.route).length;
      this.calls.push(call);
      const allowed = request.headers.authorization === `Bearer ${KEY}`;
      const answer = allowed
        ? (this.behaviour(call, before) ?? this.answer(call))
        : this.error(401, 'unauthorized', 'Unknown key.');
      if (answer === 'hang up') {
        request.socket.destroy();
        return;
      }
      const [status, body] = answer;
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('listens on no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  count(route: string): number {
    return this.calls.filter((call) => call.route === route).length;
  }

  error(status: number, error: string, message: string): [number, object] {
    return [status, { error, message }];
  }

  private answer({ route, body }: Call): [number, object] {
    const [, method, resource, name, action] =
      /^(\w+) \/v1\/(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(route) ?? [];
    if (resource === 'rebuilds') return [200, { id: name, status: 'live', error: null }];
    if (method === 'GET') return [200, { data: [], pagination: {} }];
    const slug = name ?? String(body.slug);
    const stored = this.posts.get(slug);
    if (name === undefined && stored) return this.error(409, 'conflict', `The slug ${slug} is taken.`);
    if (name !== undefined && !stored) return this.error(404, 'not_found', 'No such post.');
    const post = { ...stored, ...body, slug, ...(action === 'publish' ? { status: 'published' } : {}) };
    this.posts.set(slug, post);
    const url = `http://blog.example/${slug}/`;
    return [method === 'POST' && !action ? 201 : 200, { ...post, url, rebuild_id: 'r1' }];
  }
}
