/** What a shell loads: a function that asks `trestle __complete` at every Tab. */

const bash = `# bash: eval "$(trestle completion bash)" in ~/.bashrc
_trestle() {
  local reply
  COMPREPLY=()
  while IFS= read -r reply; do
    if [ "$reply" = ':files' ]; then
      compopt -o default 2>/dev/null || while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "$2")
      return
    fi
    COMPREPLY+=("\${reply%%$'\\t'*}")
  done < <("\${1/#\\~/$HOME}" __complete line "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  case "\${COMPREPLY[0]-}" in
    *=) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _trestle trestle
`;

const zsh = `#compdef trestle
# zsh: eval "$(trestle completion zsh)" in ~/.zshrc, after compinit; or this as a file _trestle in your fpath
_trestle() {
  local -a replies values keys
  local reply shown
  replies=("\${(@f)$("\${(Q)words[1]}" __complete words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${replies[1]}" == ':files' ]]; then
    _files
    return
  fi
  for reply in "\${(@)replies}"; do
    [[ -z "$reply" ]] && continue
    shown="\${\${reply%%$'\\t'*}//:/\\\\:}"
    [[ "$reply" == *$'\\t'* ]] && shown+=":\${reply#*$'\\t'}"
    if [[ "\${reply%%$'\\t'*}" == *= ]]; then keys+=("$shown"); else values+=("$shown"); fi
  done
  (( \${#values} )) && _describe -V 'trestle' values
  (( \${#keys} )) && _describe -V 'argument' keys -S ''
  return 0
}
if [[ "\${funcstack[1]}" == '_trestle' ]]; then _trestle "$@"; else compdef _trestle trestle; fi
`;

const fish = `# fish: trestle completion fish > ~/.config/fish/completions/trestle.fish
function __trestle_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l replies ($words[1] __complete words -- $words[2..-1] "$current" 2>/dev/null)
    if test "$replies[1]" = ':files'
        __fish_complete_path "$current"
        return
    end
    test (count $replies) -gt 0; and printf '%s\\n' $replies
end
complete -c trestle -f -k -a '(__trestle_complete)'
`;

export const scripts = { bash, zsh, fish } as const;

export type Shell = keyof typeof scripts;

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];
