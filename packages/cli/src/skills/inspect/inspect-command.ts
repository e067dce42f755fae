import { visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import { openSession, isFromMcp, openNamedRegistry, findOrFail } from "@skillwright/app/internal";
import { inspectMcpSkill } from "../../mcp/host/inspect-mcp-skill.ts";
import { inspectSkill, type SkillDetails } from "./inspect-skill.ts";

export async function inspectCommand(
  name: string,
  options: GlobalOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openNamedRegistry(session, name, options, console);
  const record = findOrFail(skills, name);
  const details = isFromMcp(record)
    ? await inspectMcpSkill(record, skills)
    : await inspectSkill(record, () => skills.digest(record));
  if (console.json) console.printJson(details);
  else printDetails(details, console);
  return EXIT.done;
}

function printDetails(details: SkillDetails, console: Console): void {
  const { bold, dim, red, yellow } = console.colors;
  const { tokens, files, diagnostics } = details;
  console.print(bold(visibleLine(details.name)));
  console.printText(visibleLine(details.description.replace(/\s+/g, " ")));
  console.print("");
  const rows: [string, string | undefined][] = [
    ["source", details.source],
    ...placeRows(details, console),
    [
      "also at",
      details.alsoAt.map((path) => relativePath(path, console.cwd)).join(", ") || undefined,
    ],
    ["version", details.version],
    ["author", details.author],
    ["license", details.license],
    ["compatibility", details.compatibility],
    ["allowed tools", details.allowedTools],
    ["models may call it", yesNo(details.modelInvocable)],
    ["people may call it", details.userInvocable ? "yes" : "no, it says `user-invocable: false`"],
    ["trusted", yesNo(details.trusted)],
    ["enabled", yesNo(details.enabled)],
    ["digest", details.digest],
    [
      "tokens",
      `${tokens.catalog} in the catalog, ${tokens.body} when used, about ${tokens.files} in files`,
    ],
  ];
  for (const [label, value] of rows) {
    if (value !== undefined) console.printText(`${dim(label.padEnd(20))}${visibleLine(value)}`);
  }
  console.print(`\n${bold("Files")}`);
  for (const { path, size, kind } of files) {
    const note = kind === "file" ? "" : ` (${kind})`;
    console.print(`${String(size).padStart(10)}  ${visibleLine(path)}${note}`);
  }
  if (diagnostics.length === 0) return;
  console.print(`\n${bold("Diagnostics")}`);
  for (const { severity, code, message, line } of diagnostics) {
    const paint = severity === "error" ? red : severity === "warning" ? yellow : dim;
    console.printText(`  ${paint(`${severity}[${code}]`)} line ${line}: ${visibleLine(message)}`);
  }
}

/** Where it is: a server and a URI of it, or a folder. */
function placeRows(details: SkillDetails, { cwd }: Console): [string, string][] {
  const { source, uri, path } = details;
  if (uri === undefined) return [["folder", relativePath(path, cwd)]];
  return [
    ["server", source.replace("mcp:", "")],
    ["uri", uri],
  ];
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
