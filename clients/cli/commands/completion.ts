import { command, type Entry, required } from '../command-line/command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof shells;

/** The command that prints the completion of these commands, itself among them. */
export const completionOf = (entries: readonly Entry[]) =>
  command({
    about: `For good, add a line to the file that your shell reads at its start:

  ~/.bashrc                   eval "$(platen completion bash)"
  ~/.zshrc                    eval "$(platen completion zsh)"      (after compinit)
  ~/.config/fish/config.fish  platen completion fish | source`,
    args: { shell: required('shell', { choices: Object.keys(shells) }) },
    examples: ['completion bash', 'completion fish > ~/.config/fish/completions/platen.fish'],
    async run({ terminal }, { shell }) {
      const tree = await commandTree(entries);
      terminal.print(shells[shell as Shell](tree));
    },
  });
