import type { Failure } from "../failure.ts";
import { resolveScriptName } from "../files/resolve-name.ts";
import { parseSkillPath } from "../files/skill-path.ts";
import { nearNames } from "../format/text/near-names.ts";
import type { SkillsView } from "../host/skills-view.ts";
import type { SkillRecord } from "../registry/skill-record.ts";

export type FoundScript =
  | {
      readonly ok: true;
      readonly skill: SkillRecord;
      readonly script: string;
      /** The name that was asked for, where it was not quite that of the script. */
      readonly resolvedFrom?: string;
    }
  | Failure;

const SCRIPTS = "scripts/";
const MAX_CANDIDATES = 5;

/**
 * A file below `scripts/`, named with that folder or without it. Another case or a missing extension is
 * accepted where only one script fits. Nothing is opened.
 */
export async function findScript(
  view: SkillsView,
  skillName: string,
  script: string,
): Promise<FoundScript> {
  const found = view.find(skillName);
  if (!found.ok) return found;
  const parsed = parseSkillPath(script);
  if (!parsed.ok) return parsed;
  const path = parsed.path.startsWith(SCRIPTS) ? parsed.path : SCRIPTS + parsed.path;
  const listed = await view.listFiles(skillName, { under: "scripts" });
  if (!listed.ok && listed.code !== "file-not-found") return listed;
  const scripts = listed.ok ? listed.files.map((file) => file.path) : [];
  if (scripts.includes(path)) return { ok: true, skill: found.skill, script: path };
  const isListed = !listed.ok || !listed.truncated;
  const resolved = resolveScriptName(isListed ? scripts : [], script);
  if (resolved.ok) {
    return { ok: true, skill: found.skill, script: resolved.path, resolvedFrom: script };
  }
  return missing(found.skill.name, path, scripts, resolved.candidates);
}

function missing(
  skill: string,
  path: string,
  scripts: readonly string[],
  fitting: readonly string[],
): Failure {
  const near = fitting.length > 0 ? fitting : nearNames(path, scripts, MAX_CANDIDATES);
  const candidates = near.length > 0 ? near : scripts.slice(0, MAX_CANDIDATES);
  const message = `the skill ${skill} has no script ${JSON.stringify(path.slice(0, 200))}`;
  return {
    ok: false,
    code: "script-not-found",
    message,
    ...(candidates.length === 0 ? { hint: "It has no scripts at all." } : { candidates }),
  };
}
