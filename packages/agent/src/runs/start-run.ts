import type { Activation, Failure, SkillRecord } from "@skillwright/core";
import { defined, promptLine } from "@skillwright/core/internal";
import { contentDigest } from "@skillwright/runtime";
import { activationEvent } from "../acts/observation.ts";
import { shareOf } from "../context/fit-entries.ts";
import { history, systemText } from "../context/prompt.ts";
import type { Attachment, CatalogSkill, RunStart, SkillActivated } from "../events/run-event.ts";
import { isOfSkill } from "../loop/apply-event.ts";
import { fullBudget } from "../loop/budget.ts";
import { boundConversation, conversationAfter, historyChunks, readSound } from "./conversation.ts";
import { recordedBytes, redactWhole } from "./redact-fields.ts";
import type { Run } from "./run.ts";

type BoundAttachments =
  | { readonly ok: true; readonly attachments: readonly Attachment[] }
  | Failure<"attachments-too-many">;

const MAX_FILES = 100;
/** For the texts and names of all files. */
const MAX_BYTES = 100_000;
/** For the names and sizes of all files. */
const MAX_NAME_BYTES = 60_000;

/** Bounds attachments to what a record takes: long texts are cut to an equal share. */
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
  // A character takes at least one byte.
  let cut = text.slice(0, bytes);
  for (let size = recordedBytes(cut); size > bytes; size = recordedBytes(cut)) {
    cut = cut.slice(0, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  const whole = cut.replace(/[\uD800-\uDBFF]$/, "");
  const line = whole.lastIndexOf("\n");
  return line > whole.length / 2 ? whole.slice(0, line + 1) : whole;
}

/** Ends the run before the model is asked. */
function endAsError(run: Run, { message, hint }: Pick<Failure, "message" | "hint">): void {
  const failed = { status: "error", answer: "", reason: message } as const;
  run.record({
    event: "run-end",
    data: { ...failed, ...defined({ hint }), usage: run.state.usage },
  });
}

/** Why a skill that a person named cannot be used, with names that can. */
function uncalled(run: Run, name: string, failure: Failure): Pick<Failure, "message" | "hint"> {
  const { skills } = run.options;
  const sign = run.state.start?.invoked?.skill === name ? "/" : "";
  const known = recordOf(run, name);
  if (known?.enabled === false) {
    const hint = `Enable it: skillwright enable ${known.name}`;
    return { message: `the skill ${known.name} is disabled`, hint };
  }
  if (known?.trusted === false) {
    const hint = "After a look at it: skillwright trust, or --trust for one run.";
    return { message: `the skill ${known.name} is there, but not trusted`, hint };
  }
  if (known?.userInvocable === false) {
    const hint = "Say what you want in your own words instead.";
    return { message: `the skill ${name} cannot be called by its name`, hint };
  }
  const elsewhere = skills.find(withoutSource(name));
  if (known === undefined && name.includes("@") && elsewhere.ok) {
    const { name: bare, source } = elsewhere.skill;
    const message = `there is no skill ${JSON.stringify(name)}; ${bare} is from ${source}`;
    return { message, hint: `did you mean ${sign}${bare} or ${sign}${bare}@${source}?` };
  }
  const near = (failure.candidates ?? []).filter((one) => recordOf(run, one)?.userInvocable);
  if (near.length === 0) return failure;
  return { ...failure, hint: `did you mean ${near.map((one) => sign + one).join(" or ")}?` };
}

function withoutSource(name: string): string {
  return name.replace(/@[^@]*$/, "");
}

/** More are not kept in context from one request to the next. */
const MAX_CARRIED = 30;

/** A skill that the run begins with: a person named it, or it is what a child run works through. */
interface FirstSkill {
  readonly name: string;
  readonly by: "model" | "person";
  /** Of a skill that was called as `/name arguments`. */
  readonly arguments?: string;
  /** It works in a child run. */
  readonly isApart: boolean;
}

export function firstSkills(run: Run): FirstSkill[] {
  const { use = [], apart = [], invoked, skill } = run.state.start ?? {};
  const calledId = invoked && idOf(run, invoked.skill);
  const first = use
    .filter((name) => idOf(run, name) !== calledId)
    .map((name): FirstSkill => ({ name, by: "person", isApart: apart.includes(name) }));
  if (invoked !== undefined) {
    const { skill: name, arguments: args, apart: isApart = false } = invoked;
    first.push({ name, by: "person", arguments: args, isApart });
  } else if (skill !== undefined) first.push({ name: skill, by: "model", isApart: false });
  return first;
}

/**
 * Activates the skills that the run begins with, and those of the conversation. Called again after a
 * crash, since some may be missing.
 */
export async function startSkills(run: Run): Promise<void> {
  const { start, usage } = run.state;
  if (start?.problem !== undefined) return endAsError(run, start.problem);
  const first = firstSkills(run);
  for (const skill of first.filter(({ isApart }) => isApart)) await begin(run, skill);
  if (usage.turns > 0) return;
  const { skills = [] } = start?.conversation ?? {};
  await carryOn(run, skills, first);
  for (const skill of first.filter(({ isApart }) => !isApart)) await begin(run, skill);
}

/** A skill that works apart stays out of this conversation, but models must be able to reach it. */
async function begin(run: Run, { name, isApart, ...given }: FirstSkill): Promise<void> {
  if (run.state.end !== undefined || (!isApart && isActive(run, name))) return;
  const { by } = given;
  const activation = await run.view.activate(name, { ...given, roomTokens: run.roomTokens() });
  if (activation.ok && !isApart) recordActivation(run, activation, { id: idOf(run, name), by });
  if (activation.ok || run.state.usage.turns > 0) return;
  endAsError(run, by === "model" ? activation : uncalled(run, name, activation));
}

/** Carries the skills of the conversation over, with their present content. */
async function carryOn(
  run: Run,
  places: readonly string[],
  first: readonly FirstSkill[],
): Promise<void> {
  const firstIds = new Set(first.map(({ name }) => idOf(run, name)));
  for (const [i, place] of places.entries()) {
    const id = idOf(run, place);
    if (run.state.end !== undefined) return;
    if (firstIds.has(id) || run.state.gone.includes(id) || isActive(run, place)) continue;
    if (i < places.length - MAX_CARRIED) drop(run, place, "too many skills are active");
    else await carry(run, place);
  }
}

async function carry(run: Run, place: string): Promise<void> {
  if (recordOf(run, place)?.runMode === "subagent") return drop(run, place, "it works apart now");
  const roomTokens = run.roomTokens();
  const forModel = await run.view.activate(place, { roomTokens });
  // A person may have called it, though models cannot.
  const by = forModel.ok ? "model" : "person";
  const activation = forModel.ok ? forModel : await run.view.activate(place, { by, roomTokens });
  if (!activation.ok) return drop(run, place, "it is not there any more, or not trusted");
  recordActivation(run, activation, { id: idOf(run, place), by, isCarried: true });
}

function drop(run: Run, place: string, reason: string): void {
  const name = promptLine(withoutSource(place), MAX_NAME_LENGTH);
  run.record({ event: "skill-drop", data: { id: idOf(run, place), name, reason } });
}

/** Marks a skill whose text is not the one in the messages of the conversation. */
function recordActivation(
  run: Run,
  activation: Activation,
  given: Pick<SkillActivated, "id" | "by"> & { readonly isCarried?: true },
): void {
  const { id, by, isCarried } = given;
  const skill = activationEvent(activation, { turn: 0, id, by }, run);
  const earlier = run.state.entries.findLast((entry) => isOfSkill(entry, id));
  const isChanged = earlier?.message.content.endsWith(skill.text) === false;
  const changed = isChanged ? { changed: true as const } : undefined;
  const carried = isCarried ? { carried: true as const } : undefined;
  run.record({ event: "skill-activate", data: { ...skill, ...changed, ...carried } });
}

function isActive(run: Run, name: string): boolean {
  const id = idOf(run, name);
  return run.state.active.some((one) => one.id === id);
}

/** Of a skill that is not there, the name. */
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

/** Records the request, the catalog and the history, and activates the first skills. */
export async function startRun(run: Run): Promise<void> {
  const { request, budget, child, system, isRepeatable = false, conversation } = run.options;
  const { view, tools, catalogTokens: budgetTokens } = run;
  const canSearch = tools.tools.some(({ name }) => name === "search_skills");
  const searchTool = canSearch ? { searchTool: "search_skills" } : undefined;
  const catalog = view.catalog({ budgetTokens, ...searchTool });
  const listed = new Set([...catalog.shown, ...catalog.shortened, ...catalog.nameOnly]);
  const text = listed.size + catalog.omitted.length > 0 ? catalog.text : "";
  const asked = request.slice(0, MAX_REQUEST_LENGTH);
  const invoked = child === undefined ? invocationOf(run, asked) : child.invoked;
  const given = boundAttachments(run.options.attachments ?? []);
  const attachments = given.ok ? given.attachments.map((file) => attach(file, run)) : [];
  const problem = problemOf(run, given);
  const before = conversation && boundConversation(conversation);
  const chunks = historyChunks(conversation ?? {});
  const messageCount = chunks.reduce((sum, { entries }) => sum + entries.length, 0);
  const start: RunStart = defined({
    schemaVersion: 2 as const,
    runId: run.id,
    ...child,
    secretNames: conversation?.secretNames ?? child?.secretNames,
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
        host: system,
        catalog: text,
        tools: tools.tools,
        canRun: tools.canRun,
        environment: run.runtime?.environment,
        isRepeatable,
        isChild: child !== undefined,
      }),
    ),
    means: run.means,
    invoked,
    ...wantedSkills(run),
    attachments: attachments.length > 0 ? attachments : undefined,
    conversation: before && {
      ...before,
      id: before.id || run.id,
      ...(messageCount > 0 && { messageCount }),
    },
    problem,
  });
  run.record({ event: "run-start", data: start });
  for (const data of chunks) run.record({ event: "history-add", data });
  await startSkills(run);
}

/** A run that was cut off while its history was recorded takes the rest from the run before it. */
export async function restoreHistory(run: Run): Promise<void> {
  const { conversation } = run.state.start ?? {};
  const { messageCount = 0, previous } = conversation ?? {};
  const written = run.state.entries.findIndex(({ kind }) => kind === "request");
  if (written >= messageCount || run.state.usage.turns > 0) return;
  const { store } = run.options;
  const records = previous === undefined ? undefined : await readSound(store, previous);
  const all = historyChunks(conversationAfter(records ?? [])).flatMap(({ entries }) => entries);
  const isWhole = all.length === messageCount;
  const messages = isWhole ? all.slice(written) : written === 0 ? history(conversation) : [];
  for (const data of historyChunks({ messages })) run.record({ event: "history-add", data });
}

/**
 * A file as the model gets it: without known secrets, and images only if it accepts them. The digest of a
 * file with a secret is left out, since a short secret could be guessed from it.
 */
function attach({ text, image, ...file }: Attachment, run: Run): Attachment {
  if (image !== undefined && run.acceptsImages) return { ...file, image };
  if (text === undefined) return file;
  const hasSecret = redactWhole(text, run.log.redactor) !== text;
  return { ...file, text: run.hide(text), ...(hasSecret && { digest: "[redacted]" }) };
}

/** Why the run cannot begin with what it was given. */
function problemOf(run: Run, given: BoundAttachments): RunStart["problem"] {
  if (!given.ok) return defined({ message: given.message, hint: given.hint });
  const { use = [] } = run.options;
  if (use.length <= MAX_USED) return undefined;
  return { message: `${use.length} skills are too many to be used at once; ${MAX_USED} can be` };
}

/** Skills that the person wants used; of them, those that work in a child run. */
function wantedSkills(run: Run): Pick<RunStart, "use" | "apart"> {
  const { use: wanted = [], child } = run.options;
  if (wanted.length === 0) return {};
  const use = [...new Set(wanted)].slice(0, MAX_USED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const isApart = (name: string) => recordOf(run, name)?.runMode === "subagent";
  const apart = child === undefined ? use.filter(isApart) : [];
  return { use, ...(apart.length > 0 && { apart }) };
}

/** The catalog as data, with descriptions cut to an equal share of what a record takes. */
function catalogSkills(skills: readonly SkillRecord[]): CatalogSkill[] {
  const listed = skills.slice(0, MAX_CATALOG_SKILLS);
  const length = listed.reduce((sum, { description }) => sum + description.length, 0);
  if (length <= MAX_CATALOG_LENGTH) return listed.map((skill) => catalogSkill(skill));
  const most = Math.floor(MAX_CATALOG_LENGTH / listed.length);
  return listed.map((skill) => {
    const { description, ...rest } = catalogSkill(skill);
    return { ...rest, description: description.slice(0, most) };
  });
}

const CATALOG_SKILLS = new WeakMap<SkillRecord, CatalogSkill>();

/** One object for all runs, since each run keeps its catalog. */
function catalogSkill(skill: SkillRecord): CatalogSkill {
  const { name, description, source } = skill;
  const known = CATALOG_SKILLS.get(skill) ?? { name, description, source };
  CATALOG_SKILLS.set(skill, known);
  return known;
}

let lastSystem = "";

/** One string for runs with the same prompt, which is most of what a waiting run holds. */
function sharedText(system: string): string {
  if (system !== lastSystem) lastSystem = system;
  return lastSystem;
}

const INVOCATION = /^\/([\w.@:/-]+)(?:\s+([^]*))?$/;
/** `/pdf-tool` and `/pdf-tool@user` call a skill, even one that is not there; `/etc/hosts` does not. */
const CALL = /^[\w-]+(?:@[\w-]*)?$/;

function invocationOf(run: Run, request: string): RunStart["invoked"] {
  const [, name, typed = ""] = INVOCATION.exec(request.trim()) ?? [];
  if (name === undefined) return undefined;
  const skill = recordOf(run, name);
  const isCall = skill !== undefined || CALL.test(name) || recordOf(run, withoutSource(name));
  if (!isCall) return undefined;
  const apart = skill?.runMode === "subagent" ? { apart: true as const } : undefined;
  return { skill: name, arguments: typed.trim(), ...apart };
}

/** Unicode in composed form, LF as line end, no space around it. */
function normalize(request: string): string {
  return request.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim();
}
