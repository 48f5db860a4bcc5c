import { waitFlags } from '../answers/answers.ts';
import { command, optional, required } from '../command-line/command.ts';
import type { Context } from '../command-line/context.ts';
import { count, toggle } from '../command-line/flags.ts';
import type { DeployFlags } from './deploy.ts';

export const deployCommand = command({
  about:
    'Compares the folder with what the last deploy sent and with the posts in Platen, shows the plan, and ' +
    'sends what has changed. What was changed in Platen is left alone. If it is cut off, the next deploy ' +
    'goes on there.',
  args: { folder: required('folder with Markdown files', { isPath: true }) },
  flags: {
    dryRun: toggle('show the plan and do nothing'),
    deleteMissing: toggle('delete posts of earlier deploys of this folder whose files are gone'),
    overwrite: toggle('replace what was changed in Platen since the last deploy'),
    concurrency: count('requests at the same time (4)', { max: 16 }),
    ...waitFlags,
  },
  examples: ['deploy posts --dry-run', 'deploy posts --blog notes', 'deploy posts --delete-missing --yes'],
  run: (context, { folder }, flags) => deployFolder(context, folder, flags),
});

/** Deploys a folder with what the command line has of the world. Resolves to the exit code. */
export async function deployFolder(context: Context, folder: string, flags: DeployFlags): Promise<number> {
  // Loaded here, so that help is there at once.
  const [{ deploy }, { progressDisplay }] = await Promise.all([
    import('./deploy.ts'),
    import('../deploy/progress.ts'),
  ]);
  const { terminal, cwd, signal, common } = context;
  const [platen, { blog }] = [await context.platen(), await context.signIn()];
  const progress = progressDisplay(terminal.errorStream);
  const { prompts } = terminal;
  const confirm = async (question: string) => {
    const isWanted = await prompts?.confirm(question);
    if (!isWanted) terminal.tell('Nothing was done.\n');
    return isWanted ?? true;
  };
  try {
    return await deploy(
      {
        platen,
        cwd,
        signal,
        colours: terminal.colours,
        print: terminal.print,
        tell: terminal.tell,
        onProgress: common.json ? undefined : progress.onProgress,
        confirm: common.yes || prompts === null ? undefined : confirm,
      },
      folder,
      { ...flags, blog, json: common.json },
    );
  } finally {
    progress.stop();
  }
}

export const devCommand = command({
  about:
    'Runs until Ctrl-C, on a server of its own, and publishes nothing. Needs the server of Platen on this ' +
    'machine.',
  args: { folder: optional('folder with Markdown files; otherwise this one', { isPath: true }) },
  flags: { port: count('port (4321)', { max: 65_535 }) },
  examples: ['dev posts', 'dev posts --port 3000'],
  async run(context, { folder = '.' }, { port }) {
    const [{ dev }, { findServer }] = await Promise.all([
      import('./dev.ts'),
      import('../dev/server-entry.ts'),
    ]);
    const { terminal, cwd, signal, environment } = context;
    const { print, colours } = terminal;
    const serverEntry = await findServer(cwd);
    if (serverEntry !== null) terminal.tell('Starting a server for the preview.\n');
    return dev({ cwd, signal, print, colours, path: environment.PATH, serverEntry }, folder, { port });
  },
});
