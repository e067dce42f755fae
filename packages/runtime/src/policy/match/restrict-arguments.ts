import { restrictedTools, wordList } from "../tools.ts";
import type { ReachableCommand } from "../command/reachable-commands.ts";
import type { PolicyPlaces } from "../policy-request.ts";
import type { PolicyRule } from "../policy-rule.ts";
import { best, hostOf, type Match, matchDomain, matchPath, resolvePath } from "../patterns.ts";
import { readFiles, writtenFiles } from "./redirected-files.ts";

/** Programs that change the files they are given. */
const CHANGERS: ReadonlySet<string> = new Set(
  wordList(`
    rm mv cp tee touch truncate dd ln install chmod chown rmdir unlink shred rsync sed
    patch mkdir chgrp ex ed vi vim
  `),
);
const MAX_PATH = 4096;

/** A rule about files or addresses also catches a command that names one. */
export function restrictArguments(
  rule: PolicyRule,
  commands: readonly ReachableCommand[],
  places: PolicyPlaces,
): Match {
  if (commands.length === 0) return "no";
  const tools = restrictedTools(rule.tool);
  if (tools.includes("network_request")) return restrictAddresses(rule, commands);
  const isWrite = tools.includes("write_file") || tools.includes("delete_file");
  if (!isWrite && !tools.includes("read_file")) return "no";
  const { specifier } = rule;
  if (specifier === undefined) {
    return isWrite && commands.some(writesAny) ? "yes" : "no";
  }
  const files = new Set(commands.flatMap(isWrite ? changedFiles : namedFiles));
  return best(
    [...files].map((file) => matchPath(specifier, resolvePath(file, places), places, "restrict")),
  );
}

function restrictAddresses(rule: PolicyRule, commands: readonly ReachableCommand[]): Match {
  const { specifier } = rule;
  if (specifier === undefined) return "no";
  const hosts = [...new Set(commands.flatMap(argumentsOf))].flatMap((text) => hostOf(text) ?? []);
  return best(hosts.map((host) => matchDomain(specifier, host, "restrict")));
}

function writesAny({ command }: ReachableCommand): boolean {
  const { paths, unclear } = writtenFiles(command);
  return unclear || paths.length > 0;
}

function changedFiles(reachable: ReachableCommand): readonly string[] {
  const isChanger = reachable.starts.some(({ program }) => CHANGERS.has(program));
  return [...writtenFiles(reachable.command).paths, ...(isChanger ? argumentsOf(reachable) : [])];
}

function namedFiles(reachable: ReachableCommand): readonly string[] {
  return [...readFiles(reachable.command).paths, ...argumentsOf(reachable)];
}

/** Arguments, also those behind `--file=`, `if=` and `@`. */
function argumentsOf({ command }: ReachableCommand): readonly string[] {
  return command.words.slice(1).flatMap(({ value }) => {
    if (value === "" || value.length > MAX_PATH) return [];
    const behind = /^[^=]*=@?(.+)$|^-?@(.+)$/s.exec(value);
    const inner = behind?.[1] ?? behind?.[2];
    return inner === undefined ? [value] : [value, inner];
  });
}
