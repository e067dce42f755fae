import { type Activation, type Failure, type SkillRecord, type SkillTool } from "@skillwright/core";
import {
  estimateTokens,
  nearNames,
  resolveScriptName,
  runSkillScript,
} from "@skillwright/core/internal";
import type { ActionOf, SkillReference } from "../actions/action.ts";
import type { SkillActivated } from "../events/run-event.ts";
import type { PendingCall } from "../loop/run-state.ts";
import type { ModelImage } from "../models/model.ts";
import {
  activationEvent,
  failed,
  failureText,
  nameOf,
  type Observation,
  observed,
  type World,
} from "./observation.ts";

/** How long a stopped tool has to report what it did. */
const TOOL_GRACE_MS = 1000;
/** The runtime needs some seconds to end a script, and to record that. */
const SCRIPT_GRACE_MS = 10_000;
const MAX_LISTED = 200;
/** Bodies that one turn may load, over all of its calls. */
const MAX_BODIES = 2;

/**
 * Carries out a call. What cannot be done is a result too; an exception is the signal, a record that
 * cannot be written, or a bug.
 */
export async function performAction(
  { action, turn }: PendingCall,
  run: World,
  signal: AbortSignal,
): Promise<Observation> {
  switch (action.action) {
    case "select_skills":
      return selectSkills(action, turn, run);
    case "unload_skill":
      return unloadSkill(action, run);
    case "load_resource":
      return loadResource(action, turn, run);
    case "run_script":
      return runScript(action, run, signal);
    case "use_tool":
      return useTool(action, run, signal);
    default:
      return { ok: true, text: "The plan is updated." };
  }
}

/** Files and scripts can be reached once the instructions that refer to them are loaded. */
function activeSkill(reference: SkillReference, { state, view }: World) {
  const found = view.find(nameOf(reference));
  if (!found.ok) return found;
  const active = state.active.find(({ id }) => id === found.skill.id);
  if (active !== undefined) return { ok: true, skill: found.skill, files: active.files } as const;
  const message = `select the skill ${reference.name} first`;
  return { ok: false, code: "skill-not-active", message } as const;
}

function unloadSkill({ skill }: ActionOf<"unload_skill">, run: World): Observation {
  const unloaded = run.view.deactivate(nameOf(skill));
  if (!unloaded.ok) return failed(unloaded);
  const { name, source } = unloaded;
  const active = run.state.active.find((one) => one.name === name && one.source === source);
  const id = active?.id ?? `${source}:${name}`;
  const data = { id, name, reason: "unloaded by the model", by: "model" } as const;
  run.record({ event: "skill-drop", data });
  return { ok: true, text: `${name} is unloaded. Select it again if you need it.` };
}

async function loadResource(
  action: ActionOf<"load_resource">,
  turn: number,
  run: World,
): Promise<Observation> {
  const { view } = run;
  const { skill, relative_path: path, section_hint: section, start_line, end_line } = action;
  const found = activeSkill(skill, run);
  if (!found.ok) return failed(found);
  const read = await view.readFile(nameOf(skill), path, {
    page: true,
    ...(section !== undefined && { section }),
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
  });
  const isFolder = !read.ok && read.code === "not-a-file";
  const ok = read.ok || isFolder;
  const text = read.ok && read.kind === "text" ? linesWithin(read.text, run.roomTokens()) : "";
  const tokens = text === "" ? undefined : { tokens: estimateTokens(text) };
  run.record({ event: "file-read", data: { turn, skill: skill.name, path, ok, ...tokens } });
  if (isFolder) return listFolder(action, view);
  if (!read.ok) return failed(inActionTerms(read));
  if (read.kind === "binary") {
    const text = `${path} is not text: ${read.mediaType}, ${read.size} bytes.`;
    return { ok: false, code: "file-binary", text };
  }
  const { startLine, totalLines = "?", resolvedFrom } = read;
  const isCut = text.length < read.text.length;
  const endLine = isCut ? startLine + text.split("\n").length - 2 : read.endLine;
  const more = read.endOfFile && !isCut ? "" : `; continue with lines ${endLine + 1}-`;
  const shown = resolvedFrom === undefined ? path : `${read.path} (asked for ${path})`;
  const head = `${shown}, lines ${startLine}-${endLine} of ${totalLines}${more}:`;
  return { ok: true, text: `${head}\n${run.hide(text)}` };
}

/** The first lines that fit into a small context, so that it is known where to read on. */
function linesWithin(text: string, roomTokens: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= roomTokens) return text;
  const end = text.lastIndexOf("\n", Math.floor((text.length * roomTokens) / tokens));
  return end === -1 ? text : text.slice(0, end + 1);
}

async function listFolder(
  { skill, relative_path: path }: ActionOf<"load_resource">,
  view: World["view"],
): Promise<Observation> {
  const listed = await view.listFiles(nameOf(skill), { under: path });
  if (!listed.ok) return failed(listed);
  const names = listed.files.slice(0, MAX_LISTED).map((file) => file.path);
  const more = listed.files.length - names.length;
  const lines = [`${path} is a folder with these files:`, ...names];
  return { ok: true, text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n") };
}

/** Advice in the names that the action has for things. */
function inActionTerms({ hint, ...failure }: Failure): Failure {
  const renamed = (text: string, name: string) =>
    text.replaceAll(/\b(?:startLine|endLine)\b/g, name);
  const message = renamed(failure.message, "line");
  return { ...failure, message, ...(hint !== undefined && { hint: renamed(hint, "lines") }) };
}

async function runScript(
  { skill: reference, relative_path: path, args }: ActionOf<"run_script">,
  run: World,
  signal: AbortSignal,
): Promise<Observation> {
  const { state, tools } = run;
  const { executor } = tools;
  if (state.usage.scripts >= state.budget.scripts) {
    const text = `All ${state.budget.scripts} script runs of the budget are used up. Go on without.`;
    return { ok: false, code: "budget", text };
  }
  const found = activeSkill(reference, run);
  if (!found.ok) return failed(found);
  if (executor === undefined) {
    const message = "scripts cannot be run here";
    return failed({ ok: false, code: "scripts-unavailable", message });
  }
  const all = run.view.scriptsOf(found.skill);
  const inCode = new Set(all.flatMap((one) => (one.isCode ? [one.path] : [])));
  const scripts = found.files.filter((file) => tools.isScript(file) || inCode.has(file));
  const resolved = resolveScriptName(scripts, path.replace(ownFolder(found.skill.name), ""));
  if (!resolved.ok) {
    const message = `${reference.name} has no script ${path}`;
    const near = nearNames(scriptOf(path), scripts, 3);
    const candidates = resolved.candidates.length > 0 ? resolved.candidates : near;
    return failed({ ok: false, code: "script-not-found", message, candidates });
  }
  const script = resolved.path;
  const note = scriptOf(path) === script ? "" : `[Ran ${script}.]\n`;
  return observed(script, { signal, graceMs: SCRIPT_GRACE_MS }, async () => {
    const request = { skill: found.skill, script, args };
    const context = { signal, changesMayWait: true };
    const { ok, text, failure } = await runSkillScript(run.view, executor, request, context);
    const shown = note + (text === "" ? "(no output)" : text);
    const isNotRun = failure?.receipt === undefined && NOT_RUN.has(failure?.code ?? "");
    const code = isNotRun ? failure?.code : "script-failed";
    return ok ? { ok, text: shown } : { ok, ...(code && { code }), text: shown };
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

function scriptOf(path: string): string {
  return path.startsWith("scripts/") ? path : `scripts/${path}`;
}

async function useTool(
  { tool: name, input }: ActionOf<"use_tool">,
  { tools: { tools }, acceptsImages }: World,
  signal: AbortSignal,
): Promise<Observation> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    // A resumed run may have fewer tools than the one that decided on this call.
    return failed({ ok: false, code: "tool-not-found", message: `there is no tool ${name}` });
  }
  return observed(name, { signal, graceMs: TOOL_GRACE_MS }, async () =>
    observationOf(tool, await tool.execute(input, { signal, changesMayWait: true }), acceptsImages),
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
  return { ok: isOk, text, ...(!isOk && typeof code === "string" && { code }) };
}

interface Known {
  readonly name: string;
  readonly skill: SkillRecord;
}

/** Loads instructions of skills, or hands the request to a skill that works in a child run. */
async function selectSkills(
  { skills }: ActionOf<"select_skills">,
  turn: number,
  run: World,
): Promise<Observation> {
  const known: Known[] = [];
  const wrong: Failure[] = [];
  for (const name of skills.map(nameOf)) {
    const found = run.view.find(name);
    if (found.ok) known.push({ name, skill: found.skill });
    else wrong.push(found);
  }
  const wrongTexts = wrong.map(failureText);
  if (known.length === 0 && wrong[0]) return { ...failed(wrong[0]), text: wrongTexts.join("\n") };
  const isApart = ({ skill: { id, runMode } }: Known) =>
    runMode === "subagent" && !run.state.active.some((one) => one.id === id);
  const apart = await workApart(known.filter(isApart), turn, run);
  const inline = known.filter((one) => !isApart(one));
  const { loaded, notes, failures } = await loadBodies(inline, turn, run);
  const first = `Loaded: ${loaded.join(", ")}. Their instructions follow.`;
  const good = [...(loaded.length > 0 ? [first] : []), ...wrongTexts, ...apart, ...notes];
  const ok = good.length > wrong.length;
  const text = [...good, ...failures].join("\n\n");
  return { ok, text, ...(!ok && { code: "skill-unusable" }) };
}

/** One after the other, since each gets a part of what is left of the budget. */
async function workApart(known: readonly Known[], turn: number, run: World): Promise<string[]> {
  const texts: string[] = [];
  for (const skill of new Map(known.map((one) => [one.skill.id, one.skill])).values()) {
    const { status, answer } = await run.runChild(skill, turn);
    texts.push(`The skill ${skill.name} was worked through apart (${status}):\n${answer}`);
    // The rest follows once this one has its approval.
    if (status === "needs_approval") break;
  }
  return texts;
}

async function loadBodies(known: readonly Known[], turn: number, run: World) {
  const names = known.map(({ name }) => name);
  const before = run.state.active.filter((one) => one.turn === turn && one.by === "model");
  const { activations, postponed } = await run.view.activateSeveral(names, {
    limit: Math.max(0, MAX_BODIES - before.length),
    roomTokens: run.roomTokens(),
  });
  const loaded: string[] = [];
  const notes: string[] = [];
  const failures: string[] = [];
  for (const activation of activations) {
    const data = activation.ok ? activated(activation, known, turn, run) : undefined;
    if (!activation.ok) failures.push(failureText(activation));
    else if (data === undefined) notes.push(activation.text);
    else {
      loaded.push(data.name);
      run.record({ event: "skill-activate", data });
    }
  }
  if (postponed.length > 0) {
    const rest = postponed.join(", ");
    notes.push(
      `At most ${MAX_BODIES} skills are loaded in a turn. Select the rest in the next one: ${rest}.`,
    );
  }
  return { loaded, notes, failures };
}

/** Undefined when the model has the present content in its conversation. */
function activated(
  activation: Activation,
  known: readonly Known[],
  turn: number,
  run: World,
): SkillActivated | undefined {
  const { name, source, digest, alreadyActive } = activation;
  const record = known.find(({ skill }) => skill.name === name && skill.source === source);
  const id = record?.skill.id ?? `${source}:${name}`;
  const before = run.state.active.find((one) => one.id === id);
  if (alreadyActive) {
    return before && run.state.dropped.includes(id) ? { ...before, turn } : undefined;
  }
  const isChanged = before !== undefined && before.digest !== digest;
  const skill = activationEvent(activation, { turn, id, by: "model" }, run);
  return { ...skill, ...(isChanged && { changed: true }) };
}
