import type { Services } from './compose.ts';
import { readConfig } from './config.ts';
import { quietSdk } from './edge-settings.ts';
import { type Platen, startPlaten } from './platen.ts';
import { STARTER_BLOG_SLUG } from './services/first-start.ts';

quietSdk(process.env);
const platen = await start();
greet(platen);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platen.stop());

/** What goes wrong here is the operator's to mend, so they get a sentence and not a stack. */
async function start(): Promise<Platen> {
  try {
    return await startPlaten(readConfig(process.env));
  } catch (error) {
    console.error(`platen: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

function greet({ services, newKey }: Platen): void {
  const api = `${services.config.publicUrl}/v1`;
  console.log(`Platen is running.\n\n  API           ${api}`);
  console.log(`  Reference     ${services.config.publicUrl}/docs`);
  console.log(`  ${whereBlogsAre(services, newKey !== null)}`);
  if (newKey === null) return;
  console.log(`  API key       ${newKey}   (shown this once: keep it)

Publish a post:

  curl -X POST ${api}/posts \\
    -H 'Authorization: Bearer ${newKey}' \\
    -H 'Content-Type: application/json' \\
    -H 'Prefer: wait=10' \\
    -d '{"title": "Hello, world", "content": "My **first** post.", "status": "published"}'
`);
}

/** There is a starter blog at the first start; what has become of it is unknown later. */
function whereBlogsAre({ config, blogUrl }: Services, isFirst: boolean): string {
  if (config.edge.kind === 's3') return `Blogs         in the bucket ${config.edge.bucket}`;
  if (isFirst) return `Starter blog  ${blogUrl({ slug: STARTER_BLOG_SLUG, domain: null })}`;
  return `Blogs         ${new URL(config.publicUrl).protocol}//<slug>.${config.blogHost}/`;
}
