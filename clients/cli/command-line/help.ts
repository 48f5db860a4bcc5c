import type { Help, Command as Parser } from 'commander';

/** Columns of help where there is no terminal. */
const PIPED_WIDTH = 100;

/** The layout of help: what a command is for first, options that every command takes last. */
export const helpLayout = {
  showGlobalOptions: true,
  subcommandTerm: (parser: Parser): string =>
    [parser.name(), ...parser.registeredArguments.map((word) => shapeOf(word))].join(' '),
  formatHelp(parser: Parser, help: Help): string {
    const width = help.padWidth(parser, help);
    const item = (term: string, about: string) => help.formatItem(term, width, about, help);
    const isTop = parser.parent === null;
    const own = help.visibleOptions(parser).filter(({ long }) => isTop || long !== '--help');
    const everywhere = help.visibleGlobalOptions(parser).filter(({ long }) => long !== '--version');
    const options = (some: typeof own) =>
      some.map((option) => item(help.optionTerm(option), help.optionDescription(option)));
    const words = help
      .visibleArguments(parser)
      .map((word) => item(help.argumentTerm(word), word.description));
    return [
      `Usage: ${usageOf(parser)}\n`,
      `${help.boxWrap(help.commandDescription(parser), help.helpWidth ?? PIPED_WIDTH)}\n`,
      ...section('Arguments:', words),
      ...commandSections(),
      ...section(isTop ? 'Options, before or after the command:' : 'Options:', options(own)),
      ...section('Options of every command:', options(everywhere)),
    ].join('\n');

    function commandSections(): string[] {
      const commands = help.visibleCommands(parser);
      const headings = [...new Set(commands.map((one) => one.helpGroup() || 'Commands:'))];
      return headings.flatMap((heading) => {
        const these = commands.filter((one) => (one.helpGroup() || 'Commands:') === heading);
        const lines = these.map((one) => item(help.subcommandTerm(one), help.subcommandDescription(one)));
        return section(heading, lines);
      });
    }
  },
};

export const helpWidth = (columns: number | null): number => columns ?? PIPED_WIDTH;

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines, ''];

function usageOf(parser: Parser): string {
  const words = parser.registeredArguments.map((word) => shapeOf(word));
  return [pathOf(parser), ...(parser.commands.length > 0 ? ['<command>'] : words), '[options]'].join(' ');
}

const shapeOf = (word: Parser['registeredArguments'][number]): string => {
  const name = word.name() + (word.variadic ? '...' : '');
  return word.required ? `<${name}>` : `[${name}]`;
};

/** `platen posts list` */
export const pathOf = (parser: Parser): string =>
  parser.parent === null ? parser.name() : `${pathOf(parser.parent)} ${parser.name()}`;
