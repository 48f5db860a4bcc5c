import { type Command, type Entry, isGroup } from '../command-line/command.ts';
import { spelled } from '../command-line/flags.ts';
import { commonOptions } from '../command-line/program.ts';

/** A word that can be typed, and what it means. */
export interface Word {
  readonly word: string;
  readonly about: string;
}

/** What can follow a command line, for the scripts of shells. */
export interface Place {
  /** The words of the commands, such as `posts list`; empty for the start. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Option[];
  /** Values of the first argument, if it has a choice. */
  readonly choices: readonly string[];
  /** Whether arguments are files or folders. */
  readonly takesPaths: boolean;
}

export interface Option extends Word {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Every place of the command line. Loads all commands. */
export async function commandTree(entries: readonly Entry[], path = ''): Promise<Place[]> {
  const inner = entries.map(async ({ name, load }) => {
    const at = path === '' ? name : `${path} ${name}`;
    const loaded = await load();
    return isGroup(loaded) ? commandTree(loaded.commands, at) : [placeOf(at, loaded)];
  });
  const commands = entries.map(({ name, summary }) => ({ word: name, about: summary }));
  return [
    { path, commands, options: common, choices: [], takesPaths: false },
    ...(await Promise.all(inner)).flat(),
  ];
}

function placeOf(path: string, { args, flags }: Command): Place {
  const words = Object.values(args);
  const own = Object.entries(flags).map(
    ([name, { kind, about, choices }]): Option => ({
      word: kind === 'off' ? spelled(name).replace(/^--/, '--no-') : spelled(name),
      about,
      takesValue: kind === 'value' || kind === 'list',
      choices,
    }),
  );
  return {
    path,
    commands: [],
    options: [...own, ...common],
    choices: words[0]?.choices ?? [],
    takesPaths: words.some(({ isPath }) => isPath),
  };
}

const common: readonly Option[] = [
  ...commonOptions.map(([flags, about]) => ({
    word: /--[a-z]+/.exec(flags)?.[0] ?? '',
    about,
    takesValue: flags.includes('<'),
    choices: [],
  })),
  { word: '--help', about: 'show help', takesValue: false, choices: [] },
];
