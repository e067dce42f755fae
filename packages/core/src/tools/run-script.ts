import type { Failure } from "../failure.ts";
import { parseSkillPath, resolveScriptName } from "../files/skill-path.ts";
import { nearNames } from "../format/names.ts";
import type { Disclosure, SkillScript } from "../conversation/disclosure.ts";
import { visibleNames } from "./read-text.ts";
import { promptText } from "../internal/text.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type {
  ScriptExecutor,
  ScriptRequest,
  ScriptResult,
  ToolContext,
  ToolFailure,
} from "./skill-tool.ts";

type FoundScript =
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
  view: Disclosure,
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

interface ScriptCall {
  readonly skill_name: string;
  readonly script_file: string;
  readonly args: readonly string[] | undefined;
}

type RanScript =
  | {
      readonly ok: true;
      readonly skill: string;
      readonly script: string;
      readonly resolvedFrom?: string;
      readonly text: string;
    }
  | Failure;

/** Finds a script and hands it to the executor, which decides whether and how it runs. */
export async function runScript(
  view: Disclosure,
  executor: ScriptExecutor | undefined,
  { skill_name, script_file, args = [] }: ScriptCall,
  context: ToolContext,
): Promise<RanScript> {
  const found = await findScript(view, skill_name, script_file);
  if (!found.ok) return found;
  const { skill, script } = found;
  const result = await runSkillScript(view, executor, { skill, script, args }, context);
  const text = outputOf(result);
  if (typeof text !== "string") return text;
  const { resolvedFrom } = found;
  return { ok: true, skill: skill.name, script, ...(resolvedFrom && { resolvedFrom }), text };
}

/** Hands a script that was found to the executor: a file, or a function of the host. */
export async function runSkillScript(
  view: Pick<Disclosure, "scriptRequest" | "scriptsOf">,
  executor: ScriptExecutor | undefined,
  request: ScriptRequest,
  context: ToolContext,
): Promise<ScriptResult> {
  const isCode = view
    .scriptsOf(request.skill)
    .some((one) => one.isCode && one.path === request.script);
  if (executor === undefined || !canRun(executor, { path: request.script, isCode })) {
    const message = `${JSON.stringify(request.script)} cannot be run here`;
    const hint = "There is no interpreter for files of its kind.";
    return notRun({ ok: false, code: "script-not-runnable", message, hint });
  }
  const prepared = await view.scriptRequest(request);
  if (!prepared.ok) return notRun(prepared);
  if (!("code" in prepared.request)) return executor.run(prepared.request, context);
  const invalid = await prepared.request.code.check(request.args);
  if (invalid !== undefined) return notRun(invalid);
  const ran = await executor.runCode?.(prepared.request, context);
  return ran ?? executor.run(prepared.request, context);
}

function notRun(failure: Failure): ScriptResult {
  return { ok: false, text: failure.message, failure };
}

/** Whether an executor could run a script at all. */
function canRun(executor: ScriptExecutor, { path, isCode }: SkillScript): boolean {
  return isCode ? executor.runCode !== undefined : executor.canRun(path);
}

/** What a script or command printed, or what it left to read when it failed. */
export function outputOf({ ok, text, failure }: ScriptResult): string | ToolFailure {
  if (ok) return promptText(text);
  if (failure === undefined) return { ok, code: "script-failed", message: promptText(text) };
  return { ...failure, message: promptText(failure.message) };
}

/** The visible skills with a script that could be run here. Only names are looked at. */
export function namesWithScripts(view: Disclosure, executor: ScriptExecutor | undefined): string[] {
  const skills = view.skills.filter((skill) => hasScript(view, skill, executor));
  const names = new Set(skills.map(({ name }) => name));
  return visibleNames(view).filter((name) => names.has(name));
}

/** Whether some visible skill has a script that could be run here. */
export function hasRunnableScript({
  view,
  executor,
}: {
  readonly view: Disclosure;
  readonly executor: ScriptExecutor | undefined;
}): boolean {
  return view.skills.some((skill) => hasScript(view, skill, executor));
}

function hasScript(
  view: Disclosure,
  skill: SkillRecord,
  executor: ScriptExecutor | undefined,
): boolean {
  if (executor === undefined) return false;
  return view.scriptsOf(skill).some((script) => canRun(executor, script));
}
