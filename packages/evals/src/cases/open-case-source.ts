import { closeSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openConfinedSync, readSkillMetadata } from "@skillwright/core";
import type { CaseProblem } from "./case-problem.ts";
import type { CaseSource } from "./case-source.ts";
import { readDocument } from "./document/read-document.ts";

/** YAML takes many times its size while it is read. */
const MAX_BYTES = { json: 16 * 1024 * 1024, yaml: 4 * 1024 * 1024 };
const MAX_SKILL = 1024 * 1024;
const MAX_LEVELS = 4;

type Reading = Pick<CaseSource, "problems" | "opened">;

/** Reads a file of cases. What is wrong with it as a whole goes to the problems. */
export function openCaseSource(
  file: string,
  { problems, opened }: Reading,
  severity: CaseProblem["severity"] = "error",
): CaseSource | undefined {
  opened.add(file);
  const format = /\.json$/i.test(file) ? "json" : "yaml";
  const text = textOf(file, MAX_BYTES[format]);
  if (typeof text === "object") {
    const { problem: message } = text;
    problems.push({ code: "file-unreadable", severity, message, file, line: 1 });
    return undefined;
  }
  const read = readDocument(text, format);
  if (!read.ok) {
    const { message, line } = read;
    problems.push({ code: "file-invalid", severity, message, file, line });
    return undefined;
  }
  const skillFolder = skillFolderOf(file);
  const bounds = realpathSync(skillFolder ?? boundsOf(file));
  const skill = skillFolder === undefined ? {} : { skill: skillNameOf(skillFolder) };
  return { file, document: read.document, ...skill, bounds, problems, opened };
}

/** Without a skill: beside the file, or beside the `evals` folder that it lies in. */
function boundsOf(file: string): string {
  const folder = dirname(file);
  return basename(folder) === "evals" && basename(dirname(folder)) !== ".agent"
    ? dirname(folder)
    : folder;
}

/** The nearest folder around the file that is a skill. */
function skillFolderOf(file: string): string | undefined {
  let folder = dirname(file);
  for (let level = 0; level < MAX_LEVELS; level++) {
    if (isSkill(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

function isSkill(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.toLowerCase() === "skill.md");
  } catch {
    return false;
  }
}

/** As it is found by: what its own file says, where that can be read. */
function skillNameOf(folder: string): string {
  const directoryName = basename(folder);
  const text = textOf(join(folder, "SKILL.md"), MAX_SKILL);
  if (typeof text === "object") return directoryName;
  return readSkillMetadata(text, { directoryName }).metadata?.name ?? directoryName;
}

function textOf(file: string, most: number): string | { readonly problem: string } {
  try {
    const opened = openConfinedSync(realpathSync(dirname(file)), [basename(file)]);
    if (!opened.ok) return { problem: `it cannot be read: ${opened.reason}` };
    try {
      if (opened.stats.size > most) return { problem: `it is larger than ${most} bytes` };
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(opened.descriptor));
    } finally {
      closeSync(opened.descriptor);
    }
  } catch (error) {
    return { problem: `it cannot be read: ${error instanceof Error ? error.message : "unknown"}` };
  }
}
