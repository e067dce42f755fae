import {
  type Activation,
  type Failure,
  nearNames,
  type SkillRecord,
  type SkillTool,
} from "@skillwright/core";
import { resolveScriptName } from "@skillwright/core/internal";
import type { ActionOf, SkillReference } from "../actions/action.ts";
import type { SkillActivated } from "../events/run-event.ts";
import type { PendingCall } from "../loop/run-state.ts";
import type { ModelImage } from "../models/model.ts";
import {
  failed,
  failureText,
  nameOf,
  type Observation,
  observed,
  type World,
} from "./observation.ts";

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

/** A file or script can only be reached once the instructions that refer to it are loaded. */
function activeSkill(reference: SkillReference, { state, view }: World) {
  const found = view.find(nameOf(reference));
  if (!found.ok) return found;
  const active = state.active.find(({ id }) => id === found.skill.id);
  if (active !== undefined) return { ok: true, skill: found.skill, files: active.files } as const;
  const message = `select the skill ${reference.name} first`;
  return { ok: false, code: "skill-not-active", message } as const;
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
  const { view } = world;
  const { skill, relative_path: path, section_hint: section, start_line, end_line } = action;
  const found = activeSkill(skill, world);
  if (!found.ok) return failed(found);
  const read = await view.readFile(nameOf(skill), path, {
    page: true,
    ...(section !== undefined && { section }),
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
  });
  const isFolder = !read.ok && read.code === "not-a-file";
  const ok = read.ok || isFolder;
  world.record({ event: "file-read", data: { turn, skill: skill.name, path, ok } });
  if (isFolder) return listFolder(action, view);
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
  world: World,
  signal: AbortSignal,
): Promise<Observation> {
  const { state, tools } = world;
  const { executor } = tools;
  const { skill: reference, relative_path: path, args } = action;
  if (state.usage.scripts >= state.budget.scripts) {
    const text = `All ${state.budget.scripts} script runs of the budget are used up. Go on without.`;
    return { ok: false, code: "budget", text };
  }
  const found = activeSkill(reference, world);
  if (!found.ok) return failed(found);
  if (executor === undefined) return failed(NO_SCRIPTS);
  const scripts = found.files.filter((file) => tools.isScript(file));
  const resolved = resolveScriptName(scripts, path.replace(ownFolder(found.skill.name), ""));
  if (!resolved.ok) {
    const message = `${reference.name} has no script ${path}`;
    const near = nearNames(scriptOf(path), scripts, 3);
    const candidates = resolved.candidates.length > 0 ? resolved.candidates : near;
    return failed({ ok: false, code: "script-not-found", message, candidates });
  }
  const script = resolved.path;
  const request = { skill: found.skill, script, args };
  const note = scriptOf(path) === script ? "" : `[Ran ${script}.]\n`;
  return observed(script, { signal, graceMs: SCRIPT_GRACE_MS }, async () => {
    const { ok, text, failure } = await executor.run(request, { signal });
    const shown = note + (text === "" ? "(no output)" : text);
    const code = NOT_RUN.has(failure?.code ?? "") ? failure?.code : "script-failed";
    return ok ? { ok, text: shown } : { ok, ...(code && { code }), text: withAdvice(shown) };
  });
}

/** The outcomes of a script that did not run; whatever else went wrong is its failure. */
const NOT_RUN: ReadonlySet<string> = new Set([
  "policy-denied",
  "approval-needed",
  "approval-refused",
  "aborted",
]);

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
    // A resumed run may have fewer tools than the one that decided on this call.
    const message = `there is no tool ${name}`;
    return failed({ ok: false, code: "tool-not-found", message });
  }
  return observed(name, { signal, graceMs: TOOL_GRACE_MS }, async () =>
    observationOf(tool, await tool.execute(input, { signal }), acceptsImages),
  );
}

function observationOf(tool: SkillTool, result: unknown, acceptsImages: boolean): Observation {
  const { ok, success, code, image } = Object(result) as Readonly<Record<string, unknown>>;
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

interface Known {
  readonly name: string;
  readonly skill: SkillRecord;
}

/** Level 2: loads the instructions of skills, or hands the request to a skill that works apart. */
async function selectSkills(
  { skills }: ActionOf<"select_skills">,
  turn: number,
  world: World,
): Promise<Observation> {
  const { state } = world;
  const found = skills.map(nameOf).map((name) => ({ name, result: world.view.find(name) }));
  const missing = found.flatMap(({ result }) => (result.ok ? [] : [result]));
  const known = found.flatMap(({ name, result }) =>
    result.ok ? [{ name, skill: result.skill }] : [],
  );
  const wrong = missing.map(failureText);
  if (known.length === 0 && missing[0]) return { ...failed(missing[0]), text: wrong.join("\n") };
  const isApart = ({ skill: { id, runMode } }: Known) =>
    runMode === "subagent" && !state.active.some((one) => one.id === id);
  const apart = await workApart(known.filter(isApart), turn, world);
  const inline = known.filter((one) => !isApart(one));
  const { loaded, notes, failures } = await loadBodies(inline, turn, world);
  const first = `Loaded: ${loaded.join(", ")}. Their instructions follow.`;
  const texts = [...(loaded.length > 0 ? [first] : []), ...wrong, ...apart, ...notes, ...failures];
  const ok = texts.length > wrong.length + failures.length;
  return { ok, text: texts.join("\n\n"), ...(!ok && { code: "skill-unusable" }) };
}

/** Each once, one after the other: each gets a part of what is left of the budget. */
async function workApart(known: readonly Known[], turn: number, world: World) {
  const texts: string[] = [];
  for (const skill of new Map(known.map((one) => [one.skill.id, one.skill])).values()) {
    const { status, answer } = await world.runChild(skill, turn);
    texts.push(`The skill ${skill.name} was worked through apart (${status}):\n${answer}`);
    // The rest follows once this one has its approval.
    if (status === "needs_approval") break;
  }
  return texts;
}

/** Bodies that one turn may bring, over all of its calls. */
const MAX_BODIES = 2;

function loadedIn(turn: number, { state }: World): number {
  return state.active.filter((skill) => skill.turn === turn && skill.by === "model").length;
}

async function loadBodies(known: readonly Known[], turn: number, world: World) {
  const names = known.map(({ name }) => name);
  const { activations, postponed } = await world.view.activateSeveral(names, {
    limit: Math.max(0, MAX_BODIES - loadedIn(turn, world)),
    roomTokens: world.roomTokens(),
  });
  const loaded: string[] = [];
  const notes: string[] = [];
  const failures: string[] = [];
  for (const activation of activations) {
    const data = activation.ok ? activated(activation, known, turn, world) : undefined;
    if (!activation.ok) failures.push(failureText(activation));
    else if (data === undefined) notes.push(activation.text);
    else {
      loaded.push(data.name);
      world.record({ event: "skill-activate", data });
    }
  }
  if (postponed.length > 0)
    notes.push(
      `At most ${MAX_BODIES} skills are loaded in a turn. Select the rest in the next one: ${postponed.join(", ")}.`,
    );
  return { loaded, notes, failures };
}

/** Undefined when the model has it in its conversation, as it is now. */
function activated(
  { name, source, digest, tokens, text, files, alreadyActive }: Activation,
  known: readonly Known[],
  turn: number,
  world: World,
): SkillActivated | undefined {
  const { state } = world;
  const record = known.find(({ skill }) => skill.name === name && skill.source === source);
  const id = record?.skill.id ?? `${source}:${name}`;
  if (alreadyActive) {
    const before = state.active.find((one) => one.id === id);
    return before && state.dropped.includes(id) ? { ...before, turn } : undefined;
  }
  const paths = files.map(({ path }) => path);
  const isChanged = state.active.some((one) => one.id === id && one.digest !== digest);
  const skill = { turn, id, name, source, digest, tokens, by: "model" } as const;
  return { ...skill, text: world.hide(text), files: paths, ...(isChanged && { changed: true }) };
}
