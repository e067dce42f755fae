import { type Failure, nearNames, type SkillTool } from "@skillwright/core";
import { resolveScriptName } from "@skillwright/core/internal";
import type { ActionOf } from "../actions/action.ts";
import type { PendingCall } from "../loop/run-state.ts";
import type { ModelImage } from "../models/model.ts";
import { failed, nameOf, notActive, observed, type Observation } from "./observation.ts";
import { selectSkills } from "./select-skills.ts";
import type { World } from "./world.ts";

/** How long a tool that was stopped has to say what it did. */
const TOOL_GRACE_MS = 1000;
/** The runtime needs some seconds to end a script that does not want to, and to record it. */
const SCRIPT_GRACE_MS = 10_000;

/**
 * Carries out a call. What cannot be done is a result too; an exception is the signal, a record that
 * cannot be written, or a bug.
 */
export async function performAction(
  call: PendingCall,
  world: World,
  signal: AbortSignal,
): Promise<Observation> {
  const { action, turn } = call;
  switch (action.action) {
    case "select_skills":
      return selectSkills(action, turn, world);
    case "unload_skill":
      return unloadSkill(action, world);
    case "load_resource":
      return loadResource(action, turn, world);
    case "run_script":
      return runScript(action, world, signal);
    case "use_tool":
      return useTool(action, world, signal);
    default:
      return { ok: true, text: "The plan is updated." };
  }
}

function unloadSkill({ skill }: ActionOf<"unload_skill">, world: World): Observation {
  const { state, view } = world;
  const unloaded = view.deactivate(nameOf(skill));
  if (!unloaded.ok) return failed(unloaded);
  const { name, source } = unloaded;
  const active = state.active.find((one) => one.name === name && one.source === source);
  const id = active?.id ?? `${source}:${name}`;
  const data = { id, name, reason: "unloaded by the model", by: "model" } as const;
  world.record({ event: "skill-drop", data });
  return { ok: true, text: `${name} is unloaded. Select it again if you need it.` };
}

/** Level 3: reads one file of an active skill. */
async function loadResource(
  action: ActionOf<"load_resource">,
  turn: number,
  world: World,
): Promise<Observation> {
  const { state, view } = world;
  const { skill, relative_path: path, section_hint: section, start_line, end_line } = action;
  const inactive = notActive(skill, state, view);
  if (inactive !== undefined) return inactive;
  const read = await view.readFile(nameOf(skill), path, {
    page: true,
    ...(section !== undefined && { section }),
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
  });
  world.record({ event: "file-read", data: { turn, skill: skill.name, path, ok: read.ok } });
  if (!read.ok && read.code === "not-a-file") return listFolder(action, view);
  if (!read.ok) return failed(inActionTerms(read));
  if (read.kind === "binary") {
    const text = `${path} is not text: ${read.mediaType}, ${read.size} bytes.`;
    return { ok: false, code: "file-binary", text };
  }
  const { startLine, endLine, totalLines = "?", endOfFile, text, resolvedFrom } = read;
  const more = endOfFile ? "" : `; continue with lines ${endLine + 1}-`;
  const shown = resolvedFrom === undefined ? path : `${read.path} (asked for ${path})`;
  return {
    ok: true,
    text: `${shown}, lines ${startLine}-${endLine} of ${totalLines}${more}:\n${world.hide(text)}`,
  };
}

async function listFolder(
  { skill, relative_path: path }: ActionOf<"load_resource">,
  view: World["view"],
): Promise<Observation> {
  const listed = await view.listFiles(nameOf(skill), { under: path });
  if (!listed.ok) return failed(listed);
  const names = listed.files.slice(0, MAX_LISTED).map((file) => file.path);
  const more = listed.files.length - names.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return {
    ok: true,
    text: [`${path} is a folder with these files:`, ...names, ...rest].join("\n"),
  };
}

const MAX_LISTED = 200;

/** Advice in the names that the action has for things. */
function inActionTerms({ hint, ...failure }: Failure): Failure {
  const renamed = (text: string, name: string) =>
    text.replaceAll(/\b(?:startLine|endLine)\b/g, name);
  const message = renamed(failure.message, "line");
  return { ...failure, message, ...(hint !== undefined && { hint: renamed(hint, "lines") }) };
}

/** Runs a script of an active skill: past the gate, in the sandbox, from a snapshot. */
async function runScript(
  action: ActionOf<"run_script">,
  { state, view, tools }: World,
  signal: AbortSignal,
): Promise<Observation> {
  const { skill: reference, relative_path: path, args } = action;
  if (state.usage.scripts >= state.budget.scripts) {
    const text = `All ${state.budget.scripts} script runs of the budget are used up. Go on without.`;
    return { ok: false, code: "budget", text };
  }
  const inactive = notActive(reference, state, view);
  if (inactive !== undefined) return inactive;
  const found = view.find(nameOf(reference));
  if (!found.ok || tools.executor === undefined) return failed(found.ok ? NO_SCRIPTS : found);
  const files = state.active.find(({ id }) => id === found.skill.id)?.files ?? [];
  const scripts = files.filter((file) => tools.isScript(file));
  const resolved = resolveScriptName(scripts, path.replace(ownFolder(found.skill.name), ""));
  if (!resolved.ok) {
    const message = `${reference.name} has no script ${path}`;
    const near = nearNames(scriptOf(path), scripts, 3);
    const candidates = resolved.candidates.length > 0 ? resolved.candidates : near;
    return failed({ ok: false, code: "script-not-found", message, candidates });
  }
  const script = resolved.path;
  const { executor } = tools;
  const request = { skill: found.skill, script, args };
  const note = scriptOf(path) === script ? "" : `[Ran ${script}.]\n`;
  return observed(script, { signal, graceMs: SCRIPT_GRACE_MS }, async () => {
    const { ok, text } = await executor.run(request, { signal });
    const shown = note + (text === "" ? "(no output)" : text);
    return ok ? { ok, text: shown } : { ok, code: "script-failed", text: withAdvice(shown) };
  });
}

/** Models write `pdf/scripts/fill.py` as well. */
function ownFolder(skill: string): RegExp {
  return new RegExp(`^(?:\\./)?(?:skills/)?${skill.replaceAll(/[^\w-]/g, String.raw`\$&`)}/`);
}

const READ_ONLY = /Read-only file system|\bEROFS\b/;
const WRITABLE =
  "Scripts and commands may not write here. A person can allow it: skillwright config set --user execution.writable '[\".\"]'";

/** What a person can change about a failure that the script itself cannot explain. */
function withAdvice(text: string): string {
  return READ_ONLY.test(text) ? `${text}\n\n${WRITABLE}` : text;
}

function scriptOf(path: string): string {
  return path.startsWith("scripts/") ? path : `scripts/${path}`;
}

const NO_SCRIPTS: Failure = {
  ok: false,
  code: "scripts-unavailable",
  message: "scripts cannot be run here",
};

/** Calls a tool of the workspace or of the host. */
async function useTool(
  { tool: name, input }: ActionOf<"use_tool">,
  { tools: { tools }, acceptsImages }: World,
  signal: AbortSignal,
): Promise<Observation> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    const candidates = nearNames(
      name,
      tools.map((one) => one.name),
    );
    return failed({
      ok: false,
      code: "tool-not-found",
      message: `there is no tool ${name}`,
      candidates,
    });
  }
  return observed(name, { signal, graceMs: TOOL_GRACE_MS }, async () =>
    observationOf(tool, await tool.execute(input, { signal }), acceptsImages),
  );
}

function observationOf(tool: SkillTool, result: unknown, acceptsImages: boolean): Observation {
  const { ok, success, code, image } = (
    typeof result === "object" && result !== null ? result : {}
  ) as Readonly<Record<string, unknown>>;
  const isOk = ok !== false && success !== false && tool.isError?.(result) !== true;
  const text = tool.toText(result);
  if (isOk && image !== undefined) {
    return acceptsImages
      ? { ok: true, text, images: [image as ModelImage] }
      : { ok: true, text: `${text}\nThis model cannot look at images.` };
  }
  const shown = isOk || tool.name !== "run_command" ? text : withAdvice(text);
  return { ok: isOk, text: shown, ...(!isOk && typeof code === "string" && { code }) };
}
