import { type Diagnostic, type SkillRecord, type Skills } from "@skillwright/core";
import { isVisibleToModel, plural, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import {
  openSession,
  isFromMcp,
  openMcpSessionRegistry,
  isAboutServer,
  noteServers,
} from "@skillwright/app/internal";
import { table } from "../../terminal/table.ts";
import { noteProblems } from "./note-problems.ts";

export interface ListCommandOptions extends GlobalOptions {
  readonly all?: boolean;
}

export async function listCommand(
  options: ListCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openMcpSessionRegistry(session, options, console);
  const { all = false } = options;
  const records = (all ? [...new Set([...skills.all, ...skills.shadowed])] : skills.all).filter(
    (skill) => all || skill.enabled,
  );
  const diagnostics = skills.diagnostics().filter(({ severity }) => severity !== "info" || all);
  if (console.json) console.printJson(jsonList(records, diagnostics, console.cwd));
  else printList(records, skills, console);
  if (!console.json) noteUntrusted(records, console);
  if (!console.json && !all) noteHidden(skills, console);
  if (!console.json) noteServers(diagnostics, console);
  const inFolders = diagnostics.filter((one) => !isAboutServer(one));
  if (!console.json) noteProblems(inFolders, skills.roots, console);
  return EXIT.done;
}

function jsonList(
  records: readonly SkillRecord[],
  diagnostics: readonly Diagnostic[],
  cwd: string,
) {
  return {
    skills: records.map((skill) => ({
      name: skill.name,
      description: skill.description,
      source: skill.source,
      path: skill.uri ?? skill.path,
      ...(skill.version === undefined ? undefined : { version: skill.version }),
      userInvocable: skill.userInvocable,
      modelInvocable: skill.modelInvocable,
      trusted: skill.trusted,
      enabled: skill.enabled,
      ...(skill.shadowedBy === undefined ? undefined : { shadowedBy: skill.shadowedBy }),
    })),
    diagnostics: diagnostics.map(({ fix: _fix, file, ...diagnostic }) => ({
      ...diagnostic,
      file: relativePath(file, cwd),
    })),
  };
}

function printList(records: readonly SkillRecord[], skills: Skills, console: Console): void {
  if (records.length === 0) {
    console.note("There are no skills. Looked in:");
    for (const root of skills.roots) console.note(`  ${relativePath(root, console.cwd)}`);
    console.note("Start one with: skillwright new <name>");
    return;
  }
  if (console.quiet) {
    for (const { name } of records) console.print(visibleLine(name));
    return;
  }
  const rows = records.map((skill) => [
    visibleLine(skill.name),
    skill.source,
    statusOf(skill, skills),
    visibleLine(skill.description.replace(/\s+/g, " ")),
  ]);
  const { width, colors } = console;
  console.print(
    table(["NAME", "SOURCE", "STATUS", "DESCRIPTION"], rows, { width, header: colors.bold }),
  );
}

/** One word for what most matters about a skill. */
function statusOf(skill: SkillRecord, { shadowed }: Skills): string {
  if (shadowed.includes(skill)) return "shadowed";
  if (!skill.enabled) return "disabled";
  if (!skill.trusted) return "untrusted";
  if (skill.shadowedBy !== undefined) return "shadowed";
  if (isVisibleToModel(skill)) return skill.userInvocable ? "ready" : "model only";
  if (skill.diagnostics.some(({ effect }) => effect === "hidden")) return "refused";
  return skill.userInvocable ? "manual" : "hidden";
}

function noteUntrusted(records: readonly SkillRecord[], console: Console): void {
  const untrusted = records.filter(({ trusted }) => !trusted);
  const ofServers = untrusted.filter(isFromMcp).length;
  const inFolders = untrusted.length - ofServers;
  const why = "not trusted and not offered to models. After a look:";
  if (inFolders > 0) console.note(`\n${countText(inFolders)} ${why} skillwright trust`);
  if (ofServers > 0) {
    const what = countText(ofServers, " of MCP servers");
    const or = 'or "trust": true for the server in mcpServers';
    console.note(`\n${what} ${why} skillwright trust <name>@mcp:<server>, ${or}`);
  }
}

/** Of servers, whose skills come after all others. */
function noteHidden({ shadowed }: Skills, console: Console): void {
  const hidden = shadowed.filter((skill) => isFromMcp(skill) && skill.enabled).length;
  if (hidden === 0 || console.quiet) return;
  const what = countText(hidden, " of MCP servers");
  console.note(`\n${what} hidden behind others of the same name; shown by: skillwright list --all`);
}

function countText(count: number, of = ""): string {
  return plural(count, `skill${of} is`, `skills${of} are`);
}
