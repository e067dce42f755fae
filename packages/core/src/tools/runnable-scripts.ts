import { lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { SkillsView } from "../host/skills-view.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { ScriptExecutor } from "./skill-tool.ts";

const MAX_SCRIPTS = 100;
const MAX_DEPTH = 3;

/** Looked up once for each record; a new look of the registry makes new records. */
const known = new WeakMap<SkillRecord, readonly string[]>();

/**
 * Whether some visible skill has a script that could be run here. Only names are looked at, and only
 * until one is found; whether the script may run is decided when it is called.
 */
export function hasRunnableScript(view: SkillsView, executor: ScriptExecutor): boolean {
  return view.skills.some((skill) => scriptsOf(skill).some((path) => executor.canRun(path)));
}

function scriptsOf(skill: SkillRecord): readonly string[] {
  const before = known.get(skill);
  if (before !== undefined) return before;
  const scripts: string[] = [];
  // Skills defined in code have no folder.
  if (isAbsolute(skill.path)) collect(skill.path, "scripts", scripts);
  known.set(skill, scripts);
  return scripts;
}

function collect(root: string, folder: string, scripts: string[]): void {
  try {
    if (!lstatSync(join(root, folder)).isDirectory()) return;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (scripts.length >= MAX_SCRIPTS) return;
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) scripts.push(path);
      else if (entry.isDirectory() && path.split("/").length <= MAX_DEPTH) {
        collect(root, path, scripts);
      }
    }
  } catch {
    // Most skills have no scripts; a folder that cannot be read has none for us.
  }
}
