/** For fish 3 and newer, which quotes by itself what it inserts. */
export const FISH_SCRIPT = String.raw`# fish completion for skillwright
function __skillwright_complete
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l cursor (commandline -ct)
    for line in (command skillwright complete -- $typed "$cursor" 2>/dev/null)
        switch $line
            case ':files*'
                __fish_complete_path "$cursor"
            case ':folders*'
                __fish_complete_directories "$cursor" ''
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c skillwright -f -a '(__skillwright_complete)'
`;
