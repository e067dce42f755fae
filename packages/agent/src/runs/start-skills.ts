import { promptLine } from "@skillwright/core/internal";
import type { Activation, SkillRecord } from "@skillwright/core";
import type { SkillActivated } from "../events/run-event.ts";
import { endAsError, endUncalled } from "./end-uncalled.ts";
import type { Run } from "./run.ts";

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
