import { edgeOf } from '../generator/edge/edge-kinds.ts';
import type { Services } from './compose.ts';
import { readConfig } from './config/config.ts';
import { silenceSdkWarning } from './config/edge-settings.ts';
import { starterSlug } from './installation/first-start.ts';
import { type FirstKey, type Platen, startPlaten } from './platen.ts';
import { stopOnSignal } from './runtime/stop-on-signal.ts';

silenceSdkWarning(process.env);
const platen = await start();
printGreeting(platen);
stopOnSignal(() => void stop());

async function stop(): Promise<void> {
  try {
    await platen.stop();
  } catch (error) {
    console.error(`platen: did not stop cleanly: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

/** Errors here are for the operator to fix, so it prints the message without a stack. */
async function start(): Promise<Platen> {
  try {
    return await startPlaten(readConfig(process.env));
  } catch (error) {
    console.error(`platen: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

function printGreeting({ services, firstKey }: Platen): void {
  const api = `${services.config.publicUrl}/v1`;
  console.log(`Platen is running.\n\n  API           ${api}`);
  console.log(`  Guides        ${services.config.publicUrl}/docs/`);
  console.log(`  Reference     ${services.config.publicUrl}/docs/reference/`);
  console.log(`  ${blogsLine(services, firstKey !== null)}`);
  if (firstKey === null) return;
  const { line, get } = process.stdout.isTTY ? keyOnTerminal(firstKey) : keyInFile(firstKey);
  console.log(`  API key       ${line}

Publish a post:

  export PLATEN_API_KEY=${get}
  curl -X POST ${api}/posts \\
    -H "Authorization: Bearer $PLATEN_API_KEY" \\
    -H 'Content-Type: application/json' \\
    -H 'Prefer: handling=strict, wait=10' \\
    -d '{"title": "Hello, world", "content": "My **first** post.", "status": "published"}'
`);
  if (process.stdout.isTTY) firstKey.removeFile();
}

function keyOnTerminal({ secret }: FirstKey) {
  return { line: `${secret}   (shown this once: keep it)`, get: secret };
}

/** Standard output that is not a terminal may end up in logs, so it gets the file's path and not the secret. */
function keyInFile({ path }: FirstKey) {
  return {
    line: `in the file ${path}\n                Copy the key: Platen removes the file at the first start after the key was used.`,
    get: `"$(cat '${path.replaceAll("'", "'\\''")}')"`,
  };
}

/** Only the first start is sure to have a starter blog: its owner may delete or rename it later. */
function blogsLine({ config, blogUrl }: Services, isFirst: boolean): string {
  const { localFolder, description } = edgeOf(config.edge);
  if (localFolder === null) return `Blogs         in the ${description}`;
  if (isFirst) return `Starter blog  ${blogUrl({ slug: starterSlug(config.rootBlog), domain: null })}`;
  return `Blogs         ${new URL(config.publicUrl).protocol}//<slug>.${config.blogHost}/`;
}
