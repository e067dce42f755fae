import type { Activation } from "../activation/activate-skill.ts";
import type { Failure } from "../failure.ts";
import type { SkillsView } from "../host/skills-view.ts";
import type { PresetParts } from "./preset-parts.ts";
import type { ToolContext } from "./skill-tool.ts";

/** Activates a skill, and puts its instructions into the conversation unless they are there. */
export async function loadSkill(
  view: SkillsView,
  name: string,
  { maxBytes, listTool }: Pick<PresetParts, "maxBytes" | "listTool">,
  { appendMessage }: ToolContext,
): Promise<Activation | Failure> {
  const activation = await view.activate(name, {
    ...(maxBytes === undefined ? undefined : { maxBodyBytes: maxBytes }),
    ...(listTool === undefined ? undefined : { listTool }),
  });
  if (!activation.ok || activation.alreadyActive) return activation;
  try {
    await appendMessage?.(activation.message);
  } catch (error) {
    // It did not get there, so that the next call must bring it again.
    const found = view.find(name);
    if (found.ok) view.ledger.remove(found.skill.id);
    throw error;
  }
  return activation;
}
