import { plural, visibleLine } from "@skillwright/core/internal";
import { type Client, CLIENTS, type Portability, portabilityOf } from "@skillwright/packs";
import { openPlace } from "@skillwright/app/internal";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { table } from "../terminal/table.ts";
import { lintTargets } from "./lint-targets.ts";

/** Other names that people give them. */
const ALIASES: Readonly<Record<string, string>> = {
  copilot: "github-copilot",
  claude: "claude-code",
  gemini: "gemini-cli",
};

interface SkillPortability extends Portability {
  readonly skill: string;
}

/** What other clients find, cut, ignore or refuse. Exit code 1 when one of those named does not get a skill. */
export async function portabilityCommand(
  paths: readonly string[],
  given: string,
  options: GlobalOptions,
  console: Console,
): Promise<ExitCode> {
  const clients = namedClients(given);
  const { project, home } = await openPlace(console);
  const { targets } = await lintTargets(paths, options, console);
  const places = { project, home, env: console.env };
  const found = targets.flatMap(({ directory: path }) => {
    const directory = resolve(console.cwd, path);
    const text = readFileSync(join(directory, "SKILL.md"), "utf8");
    return clients.map((client): SkillPortability => ({
      skill: basename(directory),
      ...portabilityOf({ directory, text }, client, places),
    }));
  });
  if (console.json) console.printJson({ portability: found });
  else if (given === "all") printTable(found, console);
  else printFindings(found, clients, console);
  const isRefused = found.some(({ outcome }) => outcome === "refused" || outcome === "not found");
  return isRefused && given !== "all" ? EXIT.no : EXIT.done;
}

function namedClients(given: string): readonly Client[] {
  return given === "all" ? CLIENTS : given.split(",").map((one) => namedClient(one));
}

export function namedClient(given: string): Client {
  const id = given.trim().toLowerCase();
  const client = CLIENTS.find((known) => known.id === (ALIASES[id] ?? id));
  if (client !== undefined) return client;
  throw new CommandFailure(EXIT.usage, `unknown client ${JSON.stringify(given)}`, {
    hint: `there are ${CLIENTS.map((known) => known.id).join(", ")}`,
  });
}

function printTable(found: readonly SkillPortability[], console: Console): void {
  const rows = found.map(({ skill, client, outcome, findings }) => {
    const kinds = [...new Set(findings.map(({ kind }) => kind))];
    const counts = kinds.map(
      (kind) => `${kind} ${findings.filter((one) => one.kind === kind).length}`,
    );
    return [skill, client, outcome, counts.join(", ")].map(visibleLine);
  });
  const { colors, width } = console;
  console.print(
    table(["SKILL", "CLIENT", "OUTCOME", "FINDINGS"], rows, { width, header: colors.dim }),
  );
}

function printFindings(
  found: readonly SkillPortability[],
  clients: readonly Client[],
  console: Console,
): void {
  const { colors } = console;
  for (const { skill, client, outcome, findings } of found) {
    console.print(visibleLine(`${skill} for ${client}: ${outcome}`));
    for (const { kind, message, fix } of findings) {
      console.print(visibleLine(`  ${kind.padEnd(8)} ${message}`));
      console.print(colors.dim(visibleLine(`           fix: ${fix}`)));
    }
  }
  const sources = clients.map(
    ({ id, reads, source, date }) => `${id} (${reads?.date ?? date}, ${reads?.source ?? source})`,
  );
  console.print(colors.dim(`\n${plural(clients.length, "client")}: ${sources.join("; ")}`));
}
