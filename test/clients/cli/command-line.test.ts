import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, type Entry, isGroup } from '../../../clients/cli/command-line/command.ts';
import { parseCommandLine } from '../../../clients/cli/command-line/program.ts';
import { entries } from '../../../clients/cli/entries.ts';
import { root } from '../../support/packed-client.ts';
import { createCli } from './run-cli.ts';

const cli = createCli();

async function commandsOf(some: readonly Entry[], path = ''): Promise<{ path: string; command: Command }[]> {
  const all = some.map(async ({ name, load }) => {
    const [loaded, at] = [await load(), `${path}${name}`];
    return isGroup(loaded) ? commandsOf(loaded.commands, `${at} `) : [{ path: at, command: loaded }];
  });
  return (await Promise.all(all)).flat();
}
const commands = await commandsOf(entries);

/** The words of a line for a shell, up to the first pipe or redirection. */
const wordsOf = (line: string): string[] =>
  [
    ...(/^(?:"[^"]*"|[^|<>#"]|#(?=[\da-f]))*/.exec(line)?.[0] ?? '').matchAll(
      /"([^"]*)"|'([^']*)'|[^\s"']+/g,
    ),
  ].map(([word, double, single]) => double ?? single ?? word);

/** Rejects if the command line would be refused. An example may begin with a variable or another program. */
const parses = (example: string) =>
  parseCommandLine(
    wordsOf(example.replace(/^.*?\bplaten (?=[a-z])/, '').replace(/\).*$/, '')),
    entries,
    null,
  );

describe('help', () => {
  it('shows every command in the overview, without loading any', async () => {
    const { code, out } = await cli('--help');
    expect(code).toBe(0);
    for (const { name, summary } of entries) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  });

  it.each(commands)(
    'of $path has its options and examples, which can be parsed',
    async ({ path, command }) => {
      const { code, out } = await cli(`${path} --help`);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: platen ${path} `);
      expect(out).toContain('--profile <name>');
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(out).toContain(`platen ${example}`);
      for (const example of command.examples) await parses(example);
      expect(command.examples.some((example) => example.startsWith(path))).toBe(true);
    },
  );

  it('loads nothing but the parser', () => {
    const packages = new Set<string>();
    const files = new Set<string>();
    const walk = (file: string): void => {
      if (files.has(file)) return;
      files.add(file);
      // Type imports are gone when it runs, and `import()` comes later.
      for (const [, , name = ''] of readFileSync(file, 'utf8').matchAll(
        /^import (?!type )([^;]*?from )?'([^']+)';$/gm,
      )) {
        if (name.startsWith('.')) walk(resolve(dirname(file), name));
        else if (!name.startsWith('node:')) packages.add(name);
      }
    };
    walk(join(root, 'clients/cli/main.ts'));
    expect([...packages]).toEqual(['commander']);
    expect([...files].filter((file) => /\/(?:sdk|commands|folder|deploy)\//.test(file))).toEqual([]);
  });

  it('is there as a command, too, and where the command is missing', async () => {
    expect((await cli('help posts list')).out).toBe((await cli('posts list --help')).out);
    const bare = await cli('posts');
    expect(bare).toMatchObject({ code: 2, out: '', err: (await cli('posts --help')).out });
  });
});

describe('a wrong command line', () => {
  it.each([
    ['pots', "unknown command 'pots': did you mean posts?\n  See platen --help"],
    ['posts lst', "unknown command 'lst': did you mean list?\n  See platen posts --help"],
    [
      'posts list --stats x',
      "unknown option '--stats': did you mean --status?\n  See platen posts list --help",
    ],
    ['posts list --status x', '--status must be draft, published or scheduled, not "x"'],
    ['posts list --per-page 101', '--per-page must be a whole number from 1 to 100, not "101"'],
    ['packs purchase 5', 'the size must be 100 or 300, not "5"'],
    ['posts get', "missing required argument 'slug'"],
    ['posts get a b', "too many arguments for 'get'"],
    ['posts list --tag', "option '--tag <tag>' argument missing"],
    ['posts create --publish --schedule +2h', 'give --publish or --schedule, not both'],
    ['posts schedule a noon', 'the time must be a time such as'],
    ['posts list --profile nobody', 'there is no profile "nobody": run platen login --profile nobody'],
    [
      'posts list --url example.org',
      '--url must begin with https:// or http://: did you mean https://example.org?',
    ],
    ['posts list --url localhost:8080', 'did you mean http://localhost:8080?'],
    ['posts list --url ftp://example.org', '--url must begin with https:// or http://\n'],
    [
      'posts list --url https://user:pass@example.org',
      '--url must have no user name, password, query or fragment',
    ],
  ])('%s is refused with exit code 2 and what to do', async (line, message) => {
    const { code, out, err } = await cli(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^platen: /);
    expect(err).toContain(message);
  });

  it('is an object with --json', async () => {
    const { err } = await cli('posts lst --json');
    expect(JSON.parse(err)).toEqual({
      error: 'wrong_usage',
      message: expect.stringContaining('did you mean list?'),
    });
  });
});

it('the guides have command lines that can be parsed', async () => {
  const guides = [
    'README.md',
    'clients/cli/README.md',
    'docs/command-line.md',
    'docs/deploy.md',
    'docs/moving.md',
    'docs/agents.md',
  ];
  const lines = guides.flatMap((guide) => {
    const blocks = readFileSync(join(root, guide), 'utf8').matchAll(/^```(?:sh|yaml)\n(.*?)^```$/gms);
    return [...blocks].flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'));
  });
  const ours = lines.filter((line) => /(?:^\s*|\| |\$\(|npx |-- )(?:@platen\/cli|platen) [a-z]/.test(line));
  expect(ours.length).toBeGreaterThan(25);
  for (const line of ours) await parses(line.replace('@platen/cli', 'platen'));
});

describe('completion', () => {
  it.each([
    ['platen po', ['posts']],
    ['platen posts un', ['unpublish']],
    ['platen --blog notes posts pre', ['preview']],
    ['platen --blog posts des', []],
    ['platen --blog posts dep', ['deploy']],
    ['platen posts list --st', ['--status']],
    ['platen posts list --status pub', ['published']],
    ['platen posts list --profile ', []],
    ['platen packs purchase ', ['100', '300']],
    ['platen completion ', ['bash', 'zsh', 'fish']],
    ['platen deploy --del', ['--delete-missing']],
    ['platen login --u', ['--url']],
  ])('of bash completes "%s"', async (line, expected) => {
    const { out: script } = await cli('completion bash');
    const words = line.split(' ');
    const program = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
compopt() { :; }
_platen; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = execFileSync('bash', ['-c', program], { encoding: 'utf8' });
    expect(found.split('\n').filter(Boolean)).toEqual(expected);
  });

  it('of zsh and fish has every command and option', async () => {
    const [zsh, fish] = [(await cli('completion zsh')).out, (await cli('completion fish')).out];
    for (const { path, command } of commands) {
      expect(zsh).toContain(`'${path}') `);
      expect(fish).toContain(`'__platen_at \\'${path}\\''`);
      for (const name of Object.keys(command.flags)) {
        const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        expect(zsh).toMatch(new RegExp(`--(?:no-)?${kebab}`));
        expect(fish).toMatch(new RegExp(`-l (?:no-)?${kebab} `));
      }
    }
  });
});
