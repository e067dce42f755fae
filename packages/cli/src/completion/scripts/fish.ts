/** For fish 3 and newer, which quotes by itself what it inserts. */
export const FISH_SCRIPT = String.raw`# fish completion for skillwright
function __skillwright_complete
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l cursor (commandline -ct)
    # Of --option=value only the value is a path.
    set -l option (string match -r -- '^--[^=]*=' "$cursor")
    set -l value (string replace -r -- '^--[^=]*=' '' "$cursor")
    for line in (command skillwright complete -- $typed "$cursor" 2>/dev/null)
        switch $line
            case ':files*'
                printf '%s\n' "$option"(__fish_complete_path "$value")
            case ':folders*'
                printf '%s\n' "$option"(__fish_complete_directories "$value" '')
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c skillwright -f -a '(__skillwright_complete)'
`;
