import type { Command, Group } from '../command-line/command.ts';
import { spelled } from '../command-line/flags.ts';
import { commonOptions, type Entry, isGroup } from '../command-line/program.ts';

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
export async function commandTree(entries: readonly Entry[]): Promise<Place[]> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ entry, command: await entry.load() })));
  const start = {
    path: '',
    commands: loaded.map(({ entry }) => ({ word: entry.name, about: entry.summary })),
  };
  return [
    { ...start, options: common, choices: [], takesPaths: false },
    ...loaded.flatMap(({ entry, command }) => placesOf(entry.name, command)),
  ];
}

function placesOf(path: string, command: Command | Group): Place[] {
  if (!isGroup(command)) return [placeOf(path, command)];
  const inner = Object.entries(command.commands);
  return [
    {
      path,
      commands: inner.map(([word, { summary }]) => ({ word, about: summary })),
      options: common,
      choices: [],
      takesPaths: false,
    },
    ...inner.map(([word, one]) => placeOf(`${path} ${word}`, one)),
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
