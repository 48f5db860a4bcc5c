import type { Place } from './command-tree.ts';

/** The script for `~/.config/fish/completions/platen.fish`, or for `source`. */
export function fishCompletion(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const withValue = new Set(
    places.flatMap(({ options }) => options.filter((one) => one.takesValue).map(({ word }) => word)),
  );
  return `# fish completion of platen. Load it with: platen completion fish | source
function __platen_at
    set -l path ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${[...withValue].join(' ')}
                set skip 1
            case '-*'
            case '*'
                set -l longer (string trim "$path $word")
                contains -- $longer ${paths.join(' ')}; and set path $longer
        end
    end
    test "$path" = "$argv[1]"
end
complete -c platen -f
${places.flatMap(placeLines).join('\n')}
`;
}

function placeLines({ path, commands, options, choices, takesPaths }: Place): string[] {
  const at = `complete -c platen -n ${quoted(`__platen_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ word, about }) => `${at} -a ${word} -d ${quoted(about)}`),
    ...(choices.length > 0 ? [`${at} -a ${quoted(choices.join(' '))}`] : []),
    ...(takesPaths ? [`${at} -F`] : []),
    ...options.map(({ word, about, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -x' : '';
      return `${at} -l ${word.replace(/^--/, '')} -d ${quoted(about)}${value}`;
    }),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
