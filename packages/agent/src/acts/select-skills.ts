import type { Activation, SkillRecord } from "@skillwright/core";
import type { ActionOf } from "../actions/action.ts";
import type { SkillActivated } from "../events/run-event.ts";
import { failed, failureText, nameOf, type Observation } from "./observation.ts";
import type { World } from "./world.ts";

interface Known {
  readonly name: string;
  readonly skill: SkillRecord;
}

/** Level 2: loads the instructions of skills, or hands the request to a skill that works apart. */
export async function selectSkills(
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
