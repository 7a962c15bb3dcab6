/** What each shell has to load, so that it asks `das __complete` with the words up to the cursor. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_das() {
  local IFS=$'\\n'
  COMPREPLY=($(das __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _das das
`,
  zsh: `#compdef das
_das() {
  local -a found
  local line
  for line in "\${(@f)$(das __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  _describe das found
}
if [[ $funcstack[1] == _das ]]; then _das "$@"; else compdef _das das; fi
`,
  fish: `function __das_complete
    set -l words (commandline -opc) (commandline -ct)
    das __complete $words[2..-1]
end
complete -c das -f -a '(__das_complete)'
`,
};
