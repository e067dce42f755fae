import { type Activation, type Failure, type SkillRecord } from "@skillwright/core";
import { estimateTokens, defined, promptLine } from "@skillwright/core/internal";
import { activationEvent, type World } from "../acts/observation.ts";
import type { SkillActivated } from "../events/run-event.ts";
import { isOfSkill } from "../loop/apply-event.ts";
import { describedAs } from "../models/decorators/prices.ts";
import type { Model } from "../models/model.ts";
import type { RunOptions } from "./run-options.ts";
import { NO_USAGE } from "../models/usage.ts";

/** A run whose first skills are named. */
interface NamedRun extends Pick<World, "state"> {
  readonly options: Pick<RunOptions, "skills">;
}

/** A run whose first skills are activated. */
type StartingRun = World & NamedRun;

/** Ends the run before the model is asked. */
function endAsError(run: StartingRun, { message, hint }: Pick<Failure, "message" | "hint">): void {
  const { usage } = run.state;
  const data = {
    status: "error" as const,
    answer: "",
    reason: message,
    ...defined({ hint }),
    usage,
  };
  run.record({ event: "run-end", data });
}

/** Why a skill that a person named cannot be used, with names that can. */
function uncalled(
  run: StartingRun,
  name: string,
  failure: Failure,
): Pick<Failure, "message" | "hint"> {
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

export function withoutSource(name: string): string {
  return name.replace(/@[^@]*$/, "");
}

/** More are not kept in context from one request to the next. */
const MAX_CARRIED = 30;
const MAX_NAME = 200;

/** A skill that the run begins with: a person named it, or it is what a child run works through. */
interface FirstSkill {
  readonly name: string;
  readonly by: "model" | "person";
  /** Of a skill that was called as `/name arguments`. */
  readonly arguments?: string;
  /** It works in a child run. */
  readonly isApart: boolean;
}

export function firstSkills(run: NamedRun): FirstSkill[] {
  const { use = [], apart = [], invoked, skill } = run.state.start ?? {};
  const calledId = invoked && idOf(run, invoked.skill);
  const first = use
    .filter((name) => idOf(run, name) !== calledId)
    .map((name): FirstSkill => ({ name, by: "person", isApart: apart.includes(name) }));
  if (invoked !== undefined) {
    const { skill: name, arguments: args, apart: isApart = false } = invoked;
    first.push({ name, by: "person", arguments: args, isApart });
  } else if (skill !== undefined) first.push({ name: skill, by: "model", isApart: false });
  const [routed] = run.state.route?.decision === "activate" ? run.state.route.candidates : [];
  if (routed !== undefined) {
    first.push({ name: `${routed.name}@${routed.source}`, by: "model", isApart: false });
  }
  return first;
}

/**
 * Activates the skills that the run begins with, and those of the conversation. Called again after a
 * crash, since some may be missing.
 */
export async function startSkills(run: StartingRun): Promise<void> {
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
async function begin(run: StartingRun, { name, isApart, ...given }: FirstSkill): Promise<void> {
  if (run.state.end !== undefined || (!isApart && isActive(run, name))) return;
  const { by } = given;
  const options = isApart ? { by } : { ...given, roomTokens: run.roomTokens() };
  const activation = await run.view.activate(name, options);
  if (activation.ok && !isApart) recordActivation(run, activation, { id: idOf(run, name), by });
  if (activation.ok || run.state.usage.turns > 0) return;
  endAsError(run, by === "model" ? activation : uncalled(run, name, activation));
}

/** Carries the skills of the conversation over, with their present content. */
async function carryOn(
  run: StartingRun,
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

async function carry(run: StartingRun, place: string): Promise<void> {
  if (recordOf(run, place)?.runMode === "subagent") return drop(run, place, "it works apart now");
  const roomTokens = run.roomTokens();
  const forModel = await run.view.activate(place, { roomTokens });
  // A person may have called it, though models cannot.
  const by = forModel.ok ? "model" : "person";
  const activation = forModel.ok ? forModel : await run.view.activate(place, { by, roomTokens });
  if (!activation.ok) return drop(run, place, "it is not there any more, or not trusted");
  recordActivation(run, activation, { id: idOf(run, place), by, isCarried: true });
}

function drop(run: StartingRun, place: string, reason: string): void {
  const name = promptLine(withoutSource(place), MAX_NAME);
  run.record({ event: "skill-drop", data: { id: idOf(run, place), name, reason } });
}

/** Marks a skill whose text is not the one in the messages of the conversation. */
function recordActivation(
  run: StartingRun,
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

function isActive(run: StartingRun, name: string): boolean {
  const id = idOf(run, name);
  return run.state.active.some((one) => one.id === id);
}

/** Of a skill that is not there, the name. */
function idOf(run: NamedRun, name: string): string {
  return recordOf(run, name)?.id ?? name;
}

export function recordOf(run: Pick<NamedRun, "options">, name: string): SkillRecord | undefined {
  const found = run.options.skills.find(name);
  return found.ok ? found.skill : undefined;
}

/**
 * A person named skills that work in child runs. Selecting them is the first turn, without asking the
 * model, and is recorded, resumed and replayed like any other decision.
 */
export function callingModel(model: Model, names: readonly string[]): Model {
  const reason = `A person called ${names.length === 1 ? "it" : "them"} by name.`;
  const input = { skills: names.map((name) => ({ name })), reason };
  const text = JSON.stringify({ action: "select_skills", ...input });
  return {
    ...describedAs(model),
    async decide(request, context) {
      if (request.view.mustAnswer) return model.decide(request, context);
      const call = { id: `call_${request.messages.length}_0`, name: "select_skills", input };
      const isNative = model.protocol === "tools";
      return {
        ok: true,
        message: isNative ? { text: "", calls: [call] } : { text, calls: [] },
        finish: isNative ? "calls" : "stop",
        usage: { ...NO_USAGE, outputTokens: estimateTokens(text), cost: 0 },
        latencyMs: 0,
      };
    },
  };
}
