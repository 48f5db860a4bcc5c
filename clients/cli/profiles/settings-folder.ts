import { join } from 'node:path';

/** The folder of this person's settings, as the platform has it; `XDG_CONFIG_HOME` takes precedence on all of them. */
export function settingsFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (environment.XDG_CONFIG_HOME) return join(environment.XDG_CONFIG_HOME, 'platen');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'platen');
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), 'platen');
  return join(home, '.config', 'platen');
}
