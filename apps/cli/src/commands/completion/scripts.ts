import type { Shell } from "./shells.ts";

/*
 * Each script runs `petstore __complete -- WORD… =LAST` and offers the printed lines: a value, a tab and a description. The `=`
 * before the last word keeps shells from dropping it if it is empty. Words are passed on unevaluated. Completion libraries evaluate
 * them, so that pressing Tab after `$(command)` would run the command.
 */

const bash = `# bash completion of petstore. In ~/.bashrc:  source <(petstore completion bash)
_petstore() {
  local rest="\${COMP_LINE:0:COMP_POINT}" words=() last=-1 word line files=
  # bash also splits words at = and : so pieces without a blank between them are joined again.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $last -lt 0 || $rest == [[:space:]]* ]]; then words[++last]=; fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    if [[ $rest == "$word"* ]]; then words[last]+="$word"; else words[last]+="$rest"; fi
    rest="\${rest#"$word"}"
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      line="\${line%%$'\\t'*}"
      # bash replaces only the last piece of the word.
      COMPREPLY+=("\${line#"\${words[last]%"$2"}"}")
    fi
  done < <(petstore __complete -- "\${words[@]:1:last-1}" "=\${words[last]}" 2>/dev/null)
  # By default, bash offers files only if there is nothing else. The old bash of macOS has no compopt.
  if [[ -n $files ]] && { (( \${#COMPREPLY[@]} )) || ! compopt -o default 2>/dev/null; }; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
  fi
}
complete -F _petstore petstore
`;

const zsh = `#compdef petstore
# zsh completion of petstore. In ~/.zshrc, after compinit:  source <(petstore completion zsh)
_petstore() {
  local -a candidates
  local line
  for line in "\${(@f)$(petstore __complete -- "\${(@)words[2,CURRENT-1]}" "=$words[CURRENT]" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '--*='
      _files
    elif [[ -n $line ]]; then
      line=\${line//:/\\\\:}
      candidates+=("\${line/$'\\t'/:}")
    fi
  done
  (( $#candidates )) && _describe petstore candidates
}
if [[ $funcstack[1] == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;

const fish = `# fish completion of petstore. Once:  petstore completion fish > ~/.config/fish/completions/petstore.fish
function __petstore_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -g __petstore_candidates (petstore __complete -- $words[2..-1] "=$current" 2>/dev/null)
  # If no rule applies, fish offers files.
  not contains :files $__petstore_candidates
end
complete -c petstore -n __petstore_complete -f -a '$__petstore_candidates'
`;

const powershell = `# PowerShell completion of petstore. In $PROFILE:  petstore completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName petstore -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  # Without any output, PowerShell offers files.
  petstore __complete '--' @words "=$wordToComplete" 2>$null | Where-Object { $_ -and $_ -ne ':files' } | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`;

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
