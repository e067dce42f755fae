import type { Activation, Failure, SkillRecord } from "@skillwright/core";
import { promptLine } from "@skillwright/core/internal";
import { contentDigest } from "@skillwright/runtime";
import { shareOf } from "../context/fit-entries.ts";
import { systemText } from "../context/prompt.ts";
import type { Attachment, CatalogSkill, RunStart, SkillActivated } from "../events/run-event.ts";
import { boundConversation, type Conversation, historyChunks } from "./conversation.ts";
import { fullBudget } from "../loop/budget.ts";
import { recordedBytes, redactWhole } from "./redact-fields.ts";
import type { Run } from "./run.ts";

type BoundAttachments =
  | { readonly ok: true; readonly attachments: readonly Attachment[] }
  | Failure<"attachments-too-many">;

const MAX_FILES = 100;
/** In the record, and so in the prompt. */
const MAX_BYTES = 100_000;
/** For the names and sizes of all files. */
const MAX_NAME_BYTES = 60_000;

/** Attachments as a record has room for them: of long texts the beginnings, as much of each. */
export function boundAttachments(attachments: readonly Attachment[]): BoundAttachments {
  const bare = attachments.map(({ text, ...attachment }): Attachment =>
    text === undefined ? attachment : { ...attachment, truncated: true },
  );
  const names = recordedBytes(bare);
  if (attachments.length > MAX_FILES || names > MAX_NAME_BYTES) {
    const message = `${attachments.length} files are too many to be given with a request`;
    const hint = `Give at most ${MAX_FILES}, or name the folder that they are in.`;
    return { ok: false, code: "attachments-too-many", message, hint };
  }
  const sizes = attachments.map(({ text = "" }) => recordedBytes(text));
  const share = shareOf(sizes, MAX_BYTES - names);
  const bound = attachments.map((attachment, i) => {
    const { text } = attachment;
    if (text === undefined || (sizes[i] ?? 0) <= share) return attachment;
    return { ...attachment, text: beginning(text, share), truncated: true as const };
  });
  return { ok: true, attachments: bound };
}

function beginning(text: string, bytes: number): string {
  // No character takes less than one byte.
  let cut = text.slice(0, bytes);
  for (let size = recordedBytes(cut); size > bytes; size = recordedBytes(cut)) {
    cut = cut.slice(0, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  const whole = cut.replace(/[\uD800-\uDBFF]$/, "");
  const line = whole.lastIndexOf("\n");
  return line > whole.length / 2 ? whole.slice(0, line + 1) : whole;
}

/** Says why a skill that a person named is not used, with names that can be. */
function endUncalled(run: Run, name: string, failure: Failure, isCall: boolean): void {
  endAsError(run, uncalled(run, name, failure, isCall ? "/" : ""));
}

/** The run is over before the model was asked. */
function endAsError(run: Run, { message, hint }: Pick<Failure, "message" | "hint">): void {
  run.record({
    event: "run-end",
    data: {
      status: "error",
      answer: "",
      reason: message,
      ...(hint !== undefined && { hint }),
      usage: run.state.usage,
    },
  });
}

/** Without the source. */
function nameOf(called: string): string {
  return called.replace(/@[^@]*$/, "");
}

function uncalled(
  run: Run,
  name: string,
  failure: Failure,
  sign: string,
): Pick<Failure, "message" | "hint"> {
  const { skills } = run.options;
  const known = skills.find(name);
  if (known.ok && !known.skill.enabled) {
    const hint = `Enable it: skillwright enable ${known.skill.name}`;
    return { message: `the skill ${known.skill.name} is disabled`, hint };
  }
  if (known.ok && !known.skill.trusted) {
    const hint = "After a look at it: skillwright trust, or --trust for one run.";
    return { message: `the skill ${known.skill.name} is there, but not trusted`, hint };
  }
  const callable = (one: string) => {
    const found = skills.find(one);
    return found.ok ? found.skill.userInvocable : undefined;
  };
  if (callable(name) === false) {
    const hint = "Say what you want in your own words instead.";
    return { message: `the skill ${name} is not to be called by its name`, hint };
  }
  const elsewhere = skills.find(nameOf(name));
  if (callable(name) === undefined && name.includes("@") && elsewhere.ok) {
    const { name: known, source } = elsewhere.skill;
    const message = `there is no skill ${JSON.stringify(name)}; ${known} is from ${source}`;
    return { message, hint: `did you mean ${sign}${known} or ${sign}${known}@${source}?` };
  }
  const near = (failure.candidates ?? []).filter((one) => callable(one) === true);
  if (near.length === 0) return failure;
  return { ...failure, hint: `did you mean ${near.map((one) => sign + one).join(" or ")}?` };
}

interface ActivateOptions {
  readonly by: "model" | "person";
  readonly arguments?: string;
}

/** More are not kept in context from one request to the next. */
const MAX_CARRIED = 30;

/**
 * The skills that the run begins with: those of the conversation, those that the person wants used,
 * the one that was called. Also after a crash before all of them were there.
 */
export async function startSkills(run: Run): Promise<void> {
  const { start, usage } = run.state;
  const { use = [], apart = [], invoked, skill, conversation } = start ?? {};
  if (start?.problem !== undefined) return endAsError(run, start.problem);
  for (const name of apart) await admit(run, name);
  if (invoked?.apart === true) await admit(run, invoked.skill);
  if (usage.turns > 0) return;
  const wanted = new Set(
    [...use, ...(invoked ? [invoked.skill] : [])].map((name) => idOf(run, name)),
  );
  await carryOn(run, conversation?.skills ?? [], wanted);
  for (const name of use) {
    const isDone = apart.includes(name) || isActive(run, name);
    const isCalled = invoked !== undefined && idOf(run, name) === idOf(run, invoked.skill);
    if (!isDone && !isCalled) await activate(run, name, { by: "person" });
  }
  if (invoked !== undefined && invoked.apart !== true && !isActive(run, invoked.skill)) {
    await activate(run, invoked.skill, { by: "person", arguments: invoked.arguments });
  } else if (skill !== undefined && !isActive(run, skill)) {
    await activate(run, skill, { by: "model" });
  }
}

/** A skill that works apart stays out of this conversation, but has to be there, also for models. */
async function admit(run: Run, name: string): Promise<void> {
  const { end, usage, start } = run.state;
  if (end !== undefined) return;
  const activation = await run.view.activate(name, { by: "person" });
  const isCall = start?.invoked?.skill === name;
  if (!activation.ok && usage.turns === 0) endUncalled(run, name, activation, isCall);
}

/** What was active at the end of the run before, with its content of now. Nothing goes unsaid. */
async function carryOn(
  run: Run,
  places: readonly string[],
  wanted: ReadonlySet<string>,
): Promise<void> {
  for (const [i, place] of places.entries()) {
    const id = idOf(run, place);
    const { active, gone, end } = run.state;
    if (end !== undefined) return;
    if (wanted.has(id) || gone.includes(id) || active.some((one) => one.id === id)) continue;
    if (i < places.length - MAX_CARRIED) drop(run, place, "too many skills are active");
    else await carry(run, place);
  }
}

async function carry(run: Run, place: string): Promise<void> {
  const found = run.options.skills.find(place);
  if (found.ok && found.skill.runMode === "subagent") {
    return drop(run, place, "it works apart now");
  }
  const roomTokens = run.roomTokens();
  const forModel = await run.view.activate(place, { roomTokens });
  // It may have been called by a person, though it is kept from models.
  const by = forModel.ok ? "model" : "person";
  const activation = forModel.ok ? forModel : await run.view.activate(place, { by, roomTokens });
  if (!activation.ok) return drop(run, place, "it is not there any more, or not trusted");
  const data = activatedSkill(run, activation, place, by);
  run.record({ event: "skill-activate", data: { ...data, carried: true } });
}

function drop(run: Run, place: string, reason: string): void {
  const name = promptLine(place.replace(/@[^@]*$/, ""), 200);
  run.record({ event: "skill-drop", data: { id: idOf(run, place), name, reason } });
}

async function activate(run: Run, name: string, options: ActivateOptions): Promise<void> {
  if (run.state.end !== undefined) return;
  const activation = await run.view.activate(name, { ...options, roomTokens: run.roomTokens() });
  if (activation.ok) {
    const data = activatedSkill(run, activation, name, options.by);
    run.record({ event: "skill-activate", data });
  } else if (options.by === "person") {
    endUncalled(run, name, activation, run.state.start?.invoked?.skill === name);
  } else endAsError(run, activation);
}

function activatedSkill(
  run: Run,
  { name, source, digest, tokens, text, files }: Activation,
  asked: string,
  by: "model" | "person",
): SkillActivated {
  const id = recordOf(run, asked)?.id ?? `${source}:${name}`;
  const paths = files.map(({ path }) => path);
  return { turn: 0, id, name, source, digest, tokens, by, text: run.hide(text), files: paths };
}

function isActive(run: Run, name: string): boolean {
  const id = idOf(run, name);
  return run.state.active.some((one) => one.id === id);
}

/** Of what is not there, the name itself. */
function idOf(run: Run, name: string): string {
  return recordOf(run, name)?.id ?? name;
}

function recordOf(run: Run, name: string): SkillRecord | undefined {
  const found = run.options.skills.find(name);
  return found.ok ? found.skill : undefined;
}

const MAX_REQUEST_LENGTH = 60_000;
const MAX_CATALOG_LENGTH = 40_000;
const MAX_CATALOG_SKILLS = 500;
/** What one decision can select, and so hand to child runs. */
const MAX_USED = 20;
const MAX_NAME_LENGTH = 200;
const INVOCATION = /^\/([\w.@:/-]+)(?:\s+([^]*))?$/;

/** Init and IndexSkills: level 1 and nothing more, but for skills that are wanted or were active. */
export async function startRun(run: Run): Promise<void> {
  const { request, budget, child } = run.options;
  const { view, tools, catalogTokens } = run;
  const search = tools.tools.some(({ name }) => name === "search_skills");
  const catalog = view.catalog({
    budgetTokens: catalogTokens,
    ...(search && { searchTool: "search_skills" }),
  });
  const listed = new Set([...catalog.shown, ...catalog.shortened, ...catalog.nameOnly]);
  const hasSkills = listed.size + catalog.omitted.length > 0;
  const text = hasSkills ? catalog.text : "";
  const asked = request.slice(0, MAX_REQUEST_LENGTH);
  const invoked = child === undefined ? invocationOf(run, asked) : child.invoked;
  const given = boundAttachments(run.options.attachments ?? []);
  const problem = problemOf(run, given);
  const before = run.options.conversation;
  const conversation = before && boundConversation(before);
  const start: RunStart = {
    schemaVersion: 2,
    runId: run.id,
    ...child,
    request: asked,
    normalizedRequest: normalize(invoked?.arguments ?? asked),
    budget: fullBudget(budget),
    catalog: {
      digest: contentDigest(text),
      tokens: catalog.tokens,
      skills: catalogSkills(view.skills.filter(({ name }) => listed.has(name))),
      omitted: catalog.omitted.length + Math.max(0, listed.size - MAX_CATALOG_SKILLS),
    },
    system: sharedText(
      systemText({
        host: run.options.system,
        catalog: text,
        tools: tools.tools,
        canRun: tools.canRun,
        environment: run.runtime?.environment,
        isRepeatable: run.options.isRepeatable === true,
        ...(child && { parent: child.parent }),
      }),
    ),
    means: run.means,
    ...(invoked && { invoked }),
    ...wantedSkills(run),
    ...(given.ok &&
      given.attachments.length > 0 && {
        attachments: given.attachments.map((file) => attach(file, run)),
      }),
    ...(conversation && { conversation: { ...conversation, id: conversation.id || run.id } }),
  };
  run.record({ event: "run-start", data: problem === undefined ? start : { ...start, problem } });
  for (const data of historyChunks(before ?? NO_CONVERSATION)) {
    run.record({ event: "history-add", data });
  }
  await startSkills(run);
}

const NO_CONVERSATION: Conversation = { id: "", exchanges: [], skills: [] };

/**
 * A file as the model gets it: known secrets hidden, images only where it can look at them. The digest
 * of a file with a secret is left out, since a short one could be guessed from it.
 */
function attach({ text, image, ...file }: Attachment, run: Run): Attachment {
  const { log, model } = run;
  if (image !== undefined && model.acceptsImages === true) return { ...file, image };
  if (text === undefined) return file;
  const hasSecret = redactWhole(text, log.redactor) !== text;
  return { ...file, text: run.hide(text), ...(hasSecret && { digest: "[redacted]" }) };
}

/** What it was given is more than it can begin with. */
function problemOf(run: Run, given: BoundAttachments): RunStart["problem"] {
  if (!given.ok) {
    const { message, hint } = given;
    return { message, ...(hint !== undefined && { hint }) };
  }
  const { use = [] } = run.options;
  if (use.length <= MAX_USED) return undefined;
  return { message: `${use.length} skills are too many to be used at once; ${MAX_USED} can be` };
}

/** Those that the person wants used; of them, the ones that work in a child run. */
function wantedSkills(run: Run): Pick<RunStart, "use" | "apart"> {
  const { use: wanted = [], skills, child } = run.options;
  if (wanted.length === 0) return {};
  const use = [...new Set(wanted)].slice(0, MAX_USED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const apart = use.filter((name) => {
    const found = skills.find(name);
    return child === undefined && found.ok && found.skill.runMode === "subagent";
  });
  return { use, ...(apart.length > 0 && { apart }) };
}

/** Level 1 as data. A record has room for so much; what is over is shortened for all alike. */
function catalogSkills(skills: readonly SkillRecord[]): CatalogSkill[] {
  const listed = skills.slice(0, MAX_CATALOG_SKILLS);
  const length = listed.reduce((sum, { description }) => sum + description.length, 0);
  const most =
    length <= MAX_CATALOG_LENGTH ? Infinity : Math.floor(MAX_CATALOG_LENGTH / listed.length);
  return listed.map((skill) => (most === Infinity ? catalogSkill(skill) : shortSkill(skill, most)));
}

const CATALOG_SKILLS = new WeakMap<SkillRecord, CatalogSkill>();

/** One object for all runs, since each run keeps its catalog. */
function catalogSkill(skill: SkillRecord): CatalogSkill {
  const known = CATALOG_SKILLS.get(skill) ?? shortSkill(skill, Infinity);
  CATALOG_SKILLS.set(skill, known);
  return known;
}

function shortSkill({ name, description, source }: SkillRecord, most: number): CatalogSkill {
  return { name, description: description.slice(0, most), source };
}

let lastSystem = "";

/** The same string for runs with the same prompt, which is most of what a waiting run holds. */
function sharedText(system: string): string {
  if (system !== lastSystem) lastSystem = system;
  return lastSystem;
}

/** `/pdf-tool` and `/pdf-tool@user` call a skill, also one that is not there. */
const CALL = /^[\w-]+(?:@[\w-]*)?$/;

function invocationOf(run: Run, request: string): RunStart["invoked"] {
  const match = INVOCATION.exec(request.trim());
  const [, name = "", typed = ""] = match ?? [];
  if (match === null) return undefined;
  const { skills } = run.options;
  const found = skills.find(name);
  // `/etc/hosts is …` is no call.
  if (!found.ok && !CALL.test(name) && !skills.find(nameOf(name)).ok) return undefined;
  const isApart = found.ok && found.skill.runMode === "subagent";
  return { skill: name, arguments: typed.trim(), ...(isApart && { apart: true }) };
}

/** The same request in other clothes gives the same one here. */
function normalize(request: string): string {
  return request.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim();
}
