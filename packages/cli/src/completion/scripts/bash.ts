/**
 * For bash 4 and newer, without the package bash-completion. Nothing that was typed or found is
 * ever evaluated: words travel as arguments, and what comes back is quoted before it is inserted.
 */
export const BASH_SCRIPT = `# bash completion for skillwright
_skillwright() {
  local -a words=()
  local word value cursor prefix i joins=''
  # Bash splits words at = and :, which are parts of ours.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word =~ ^[=:]+$ && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+=$word
      joins=1
    elif [[ -n $joins ]]; then
      words[\${#words[@]}-1]+=$word
      joins=''
    else
      words+=("$word")
    fi
  done
  cursor=\${words[\${#words[@]}-1]}
  prefix=\${cursor%"\${cursor##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $value in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *)
        value=\${value#"$prefix"}
        printf -v value %q "$value"
        COMPREPLY+=("$value")
        ;;
    esac
  done < <(command skillwright complete -- "\${words[@]}" 2>/dev/null)
} 2>/dev/null
complete -F _skillwright skillwright
`;
