import { command } from '../command-line/command.ts';

export const mcp = command({
  about:
    'Serves over standard input and output, for a client that starts it, with the key and the blog of the ' +
    'profile. The guide is at /docs/agents/ of your server, which has the same tools at /mcp.',
  examples: ['mcp', 'mcp --profile work --blog notes', 'claude mcp add platen -- platen mcp'],
  async run(context) {
    const { serveOverStdio } = await import('../../mcp/serve-stdio.ts');
    const { url, key, blog } = await context.signIn();
    const onError = (error: Error) => context.terminal.tell(`platen mcp: ${error.message}\n`);
    await serveOverStdio({ url, apiKey: key, blog, onError, signal: context.signal });
  },
});
