import type { Option, Place, Word } from './command-tree.ts';

/** The script for a folder of zsh's \`fpath\`, named \`_platen\`, or for \`eval\`. */
export function zshCompletion(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const withValue = new Set(
    places.flatMap(({ options }) => options.filter((one) => one.takesValue).map(({ word }) => word)),
  );
  return `#compdef platen
# zsh completion of platen. Load it with: eval "$(platen completion zsh)"
_platen() {
  local path_='' word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      ${[...withValue].join('|')}) ((i++)); continue ;;
      -*) continue ;;
    esac
    case "\${path_:+$path_ }$word" in
      ${paths.join('|')}) path_="\${path_:+$path_ }$word" ;;
    esac
  done
  case "$path_ \${words[CURRENT-1]}" in
${places.flatMap(choiceLines).join('\n')}
    *' '(${[...withValue].join('|')})) return 1 ;;
  esac
  case "$path_" in
${places.map(placeLine).join('\n')}
  esac
}
if [[ $funcstack[1] == _platen ]]; then _platen "$@"; else compdef _platen platen; fi
`;
}

const choiceLines = ({ path, options }: Place): string[] =>
  options
    .filter(({ choices }) => choices.length > 0)
    .map(
      ({ word, choices }) => `    ${quoted(`${path} ${word}`)}) compadd -- ${choices.join(' ')}; return ;;`,
    );

function placeLine({ path, commands, options, choices, takesPaths }: Place): string {
  const words = [...commands, ...choices.map((word): Word => ({ word, about: '' }))];
  const plain =
    words.length > 0 ? ` else found=(${words.map(described).join(' ')}); _describe platen found;` : '';
  const files = takesPaths ? ' else _files;' : '';
  return `    ${quoted(path)}) if [[ $PREFIX == -* ]]; then found=(${options.map(described).join(' ')}); _describe option found;${plain || files} fi ;;`;
}

const described = ({ word, about }: Word | Option): string =>
  quoted(about === '' ? word : `${word}:${about}`);
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
