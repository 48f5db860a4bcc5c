import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { command } from '../command-line/command.ts';
import { count, text } from '../command-line/flags.ts';
import { findServer, HOW_TO_GET_A_SERVER } from '../dev/server-entry.ts';
import { CommandError } from '../terminal/errors.ts';

/** As `npm start` runs it. */
const NODE_OPTIONS = ['--single-threaded-gc', '--max-semi-space-size=32'];

export const serve = command({
  about:
    'Runs until Ctrl-C. The first start creates an account and prints its key. Every other setting is a ' +
    'variable of the environment: see the guide to operations.',
  flags: {
    port: count('port (8080)', { max: 65_535 }),
    data: text('folder', 'folder of the data (./data)'),
  },
  examples: ['serve', 'serve --port 8081 --data /srv/platen'],
  async run(context, _args, { port, data }) {
    const { cwd, environment, signal } = context;
    const entry = await findServer(cwd);
    if (entry === null) throw new CommandError(HOW_TO_GET_A_SERVER);
    const child = spawn(process.execPath, [...NODE_OPTIONS, entry], {
      cwd,
      env: {
        ...environment,
        NODE_ENV: 'production',
        ...(port !== undefined && { PORT: String(port) }),
        ...(data !== undefined && { PLATEN_DATA_DIR: data }),
      },
      stdio: 'inherit',
    });
    // Ctrl-C reaches the server by way of the terminal; a signal to this process alone does not.
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    const [code, endedBy]: (number | NodeJS.Signals | null)[] = await once(child, 'exit');
    signal.removeEventListener('abort', stop);
    if (typeof endedBy === 'string') return 128 + (constants.signals[endedBy as NodeJS.Signals] ?? 0);
    return typeof code === 'number' ? code : 1;
  },
});
