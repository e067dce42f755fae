/**
 * For Windows PowerShell 5.1 and PowerShell 7. It takes more than one sign for a quote, and older
 * ones lose empty arguments, so that an empty last word is said with a flag.
 */
export const POWERSHELL_SCRIPT = String.raw`# PowerShell completion for skillwright
Register-ArgumentCompleter -Native -CommandName skillwright -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $flags = @()
    if ([string]::IsNullOrEmpty($wordToComplete)) { $flags = @('--empty') }
    try { $lines = @(skillwright complete @flags '--' @words 2>$null) } catch { return }
    foreach ($line in $lines) {
        $value, $description = $line -split [char]9, 2
        # Without an answer PowerShell completes files by itself.
        if (-not $value -or $value.StartsWith(':')) { continue }
        if (-not $description) { $description = $value }
        $text = $value
        if ($text -notmatch '^[\w./+=-][\w./@+=:-]*$') {
            $text = "'" + ($text -replace "['\u2018-\u201b]", '$0$0') + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
`;
