import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that this person edits text with; null if none is set and nobody is at a terminal. */
export function editorOf(
  { VISUAL, EDITOR }: Environment,
  platform: NodeJS.Platform,
  isInteractive: boolean,
): string | null {
  const usual = platform === 'win32' ? 'notepad' : 'vi';
  return VISUAL?.trim() || EDITOR?.trim() || (isInteractive ? usual : null);
}

/** Lets somebody edit a file. Resolves when the editor has ended; throws a CommandError if it fails. */
export async function edit(editor: string, file: string): Promise<void> {
  // By a shell, because the variable may have options: `code --wait`.
  const quoted = process.platform === 'win32' ? `"${file}"` : `'${file.replaceAll("'", `'\\''`)}'`;
  const child = spawn(`${editor} ${quoted}`, { shell: true, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0)
    throw new CommandError(
      `the editor (${editor}) ended with ${signal ?? `the exit code ${code}`}: nothing was changed`,
    );
}

/** Shows an address in the browser. Resolves to false if no program for that could be started. */
export async function showInBrowser(
  url: string,
  { BROWSER }: Environment,
  platform: NodeJS.Platform,
): Promise<boolean> {
  const program = BROWSER?.trim() || usualOpener(platform);
  const [name = '', ...first] = platform === 'win32' && !BROWSER ? ['cmd', '/c', 'start', ''] : [program];
  const child = spawn(name, [...first, url], { stdio: 'ignore', detached: true });
  const started = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ]).catch(() => false);
  child.unref();
  return started;
}

const usualOpener = (platform: NodeJS.Platform): string => (platform === 'darwin' ? 'open' : 'xdg-open');
