import { closeSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openConfinedSync } from "@skillwright/core";
import type { CaseProblem } from "./case-problem.ts";
import type { CaseSource } from "./case-source.ts";
import { readDocument } from "./document/read-document.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LEVELS = 4;

/** Reads a file of cases. What is wrong with it as a whole goes to the problems. */
export function openCaseSource(file: string, problems: CaseProblem[]): CaseSource | undefined {
  const text = textOf(file);
  if (typeof text === "object") {
    const { problem: message } = text;
    problems.push({ code: "file-unreadable", severity: "error", message, file, line: 1 });
    return undefined;
  }
  const read = readDocument(text, /\.json$/i.test(file) ? "json" : "yaml");
  if (!read.ok) {
    const { message, line } = read;
    problems.push({ code: "file-invalid", severity: "error", message, file, line });
    return undefined;
  }
  const skillFolder = skillFolderOf(file);
  const bounds = realpathSync(skillFolder ?? boundsOf(file));
  const skill = skillFolder === undefined ? {} : { skill: basename(skillFolder) };
  return { file, document: read.document, ...skill, bounds, problems };
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

function textOf(file: string): string | { readonly problem: string } {
  try {
    const opened = openConfinedSync(realpathSync(dirname(file)), [basename(file)]);
    if (!opened.ok) return { problem: `it cannot be read: ${opened.reason}` };
    try {
      if (opened.stats.size > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES} bytes` };
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(opened.descriptor));
    } finally {
      closeSync(opened.descriptor);
    }
  } catch (error) {
    return { problem: `it cannot be read: ${error instanceof Error ? error.message : "unknown"}` };
  }
}
