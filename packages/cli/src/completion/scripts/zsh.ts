/** For zsh: in ~/.zshrc below compinit, or as the file _skillwright in a folder of fpath. */
export const ZSH_SCRIPT = `#compdef skillwright
_skillwright() {
  local line value
  local -a typed lines values shown
  typed=("\${(@Q)words[2,CURRENT-1]}")
  lines=("\${(@f)$(command skillwright complete -- "\${typed[@]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    value=\${line%%$'\\t'*}
    case $value in
      '') ;;
      :files | :folders)
        # Of --option=value only the value is a path.
        [[ $PREFIX = --*=* ]] && compset -P 1 '*='
        if [[ $value = :files ]]; then _files; else _files -/; fi
        ;;
      *)
        values+=("$value")
        shown+=("\${line/$'\\t'/  -- }")
        ;;
    esac
  done
  # Without -Q zsh quotes what it inserts.
  (( \${#values} )) && compadd -l -d shown -a -- values
}
if [[ \${funcstack[1]} = _skillwright ]]; then
  _skillwright "$@"
elif (( $+functions[compdef] )); then
  compdef _skillwright skillwright
fi
`;
