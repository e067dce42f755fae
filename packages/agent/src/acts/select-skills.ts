import type { Action } from "../actions/action.ts";
import type { ChildEnd } from "../events/agent-event.ts";
import type { RunState } from "../loop/run-state.ts";
import { failureText, nameOf, type Observation } from "./observation.ts";
import type { World } from "./world.ts";

/** Level 2: loads the instructions of skills, or hands the request to a skill that works apart. */
export async function selectSkills(
  { skills }: Extract<Action, { action: "select_skills" }>,
  state: RunState,
  world: World,
): Promise<Observation> {
  const { view } = world;
  const turn = state.usage.turns;
  const found = skills.map((skill) => ({ name: nameOf(skill), found: view.find(nameOf(skill)) }));
  const missing = found.flatMap(({ found: one }) => (one.ok ? [] : [one]));
  const known = found.flatMap(({ name, found: one }) =>
    one.ok ? [{ name, skill: one.skill }] : [],
  );
  const texts = missing.map(failureText);
  for (const { skill } of known.filter(({ skill: one }) => one.runMode === "subagent")) {
    texts.push(childText(await world.runChild(skill, turn)));
  }
  const inline = known.filter(({ skill }) => skill.runMode !== "subagent");
  const { activations, postponed } = await view.activateSeveral(inline.map(({ name }) => name));
  const loaded: string[] = [];
  for (const activation of activations) {
    if (!activation.ok) {
      texts.push(failureText(activation));
      continue;
    }
    const { name, source, digest, tokens, text, files, alreadyActive } = activation;
    loaded.push(name);
    if (alreadyActive) texts.push(text);
    else {
      const id = inline.find(({ skill }) => skill.name === name && skill.source === source)?.skill
        .id;
      const paths = files.map(({ path }) => path);
      const data = {
        turn,
        id: id ?? `${source}:${name}`,
        name,
        source,
        digest,
        tokens,
        by: "model" as const,
        text,
        files: paths,
      };
      world.record({ event: "skill-activate", data });
    }
  }
  if (loaded.length > 0) texts.unshift(`Loaded: ${loaded.join(", ")}. Their instructions follow.`);
  if (postponed.length > 0)
    texts.push(`Not loaded yet, select them again when needed: ${postponed.join(", ")}.`);
  const isInvalid = known.length === 0;
  return {
    ok: !isInvalid,
    text: texts.join("\n\n"),
    ...(isInvalid && { code: "skill-not-found", invalid: true }),
  };
}

function childText({ skill, status, answer }: ChildEnd): string {
  return `The skill ${skill} was worked through apart (${status}):\n${answer}`;
}
