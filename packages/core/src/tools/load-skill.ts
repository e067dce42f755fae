import type { Activation } from "../activation/activate-skill.ts";
import type { Failure } from "../failure.ts";
import type { SkillsView } from "../host/skills-view.ts";
import type { ToolContext } from "./skill-tool.ts";

/** Activates a skill, and puts its instructions into the conversation unless they are there. */
export async function loadSkill(
  view: SkillsView,
  name: string,
  maxBytes: number | undefined,
  { appendMessage }: ToolContext,
): Promise<Activation | Failure> {
  const activation = await view.activate(
    name,
    maxBytes === undefined ? {} : { maxBodyBytes: maxBytes },
  );
  if (activation.ok && !activation.alreadyActive) appendMessage?.(activation.message);
  return activation;
}
