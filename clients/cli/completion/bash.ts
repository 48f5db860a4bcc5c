import type { Place } from './command-tree.ts';

/** The script that `eval` or a file of bash-completion loads. */
export function bashCompletion(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const withValue = new Set(
    places.flatMap(({ options }) => options.filter((one) => one.takesValue).map(({ word }) => word)),
  );
  return `# bash completion of platen. Load it with: eval "$(platen completion bash)"
_platen() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' word i words='' values=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${[...withValue].join('|')}) ((i++)); continue ;;
      -*) continue ;;
    esac
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $prev" in
${places.flatMap(choiceLines).join('\n')}
  esac
  if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$cur")); return; fi
  case $prev in ${[...withValue].join('|')}) COMPREPLY=(); return ;; esac
  case "$path" in
${places.map(placeLine).join('\n')}
  esac
  [[ $cur == -* ]] || words=$values
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _platen platen
`;
}

const choiceLines = ({ path, options }: Place): string[] =>
  options
    .filter(({ choices }) => choices.length > 0)
    .map(({ word, choices }) => `    '${path} ${word}') values='${choices.join(' ')}' ;;`);

function placeLine({ path, commands, options, choices, takesPaths }: Place): string {
  const words = [...commands.map(({ word }) => word), ...choices].join(' ');
  const files = takesPaths ? ' compopt -o default;' : '';
  return `    '${path}') values='${words}'; words='${options.map(({ word }) => word).join(' ')}';${files} ;;`;
}
