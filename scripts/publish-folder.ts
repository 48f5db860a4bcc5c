import { parseArgs } from 'node:util';
import { publishFolder } from './publish/publish.ts';
import { describeSummary, progressDisplay } from './publish/report.ts';

const usage = `Publishes every Markdown file under a folder.

  node dist/scripts/publish-folder.js <folder> [options]

  --api <url>          URL of the service (default: PLATEN_PUBLIC_URL, else http://localhost:$PORT, port 8080)
  --key <key>          API key that may write posts (default: PLATEN_API_KEY)
  --blog <id>          id of the blog, for a key that covers several
  --concurrency <n>    parallel requests, 1 to 64 (default: 8)
`;

/** Invalid arguments; the usage is printed with the message. */
class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(usage);
    return;
  }
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError('give one folder');
  const key = values.key ?? process.env.PLATEN_API_KEY;
  if (!key) throw new UsageError('give a key with --key or PLATEN_API_KEY');
  const api = values.api ?? (process.env.PLATEN_PUBLIC_URL || `http://localhost:${process.env.PORT || 8080}`);
  if (!/^https?:\/\//.test(api)) throw new UsageError(`--api is not an HTTP URL: ${api}`);
  const concurrency = Number(values.concurrency ?? 8);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw new UsageError('--concurrency must be a number from 1 to 64');
  }

  const { onProgress, stop } = progressDisplay(process.stderr);
  const summary = await publishFolder({
    folder,
    api,
    key,
    blogId: values.blog,
    concurrency,
    onProgress,
    onPause: (seconds) => console.error(`\nthe rate limit is reached; continuing in ${seconds} s`),
  }).finally(stop);
  console.log(describeSummary(summary));
  if (summary.failed.length > 0) process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        api: { type: 'string' },
        key: { type: 'string' },
        blog: { type: 'string' },
        concurrency: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message);
  process.exitCode = 1;
}
