import type { AgentEvent } from "@skillwright/agent";
import type { SkillActivated } from "@skillwright/agent/internal";
import type { AuditRecord } from "@skillwright/runtime";

/** A skill that was active in a run, and who wanted it. */
export interface UsedSkill {
  readonly name: string;
  readonly source: string;
  readonly how: string;
  readonly reason?: string;
}

/** Those that were active, each once, with who wanted them and why. */
export function usedSkills(records: readonly AuditRecord[]): UsedSkill[] {
  const used = new Map<string, UsedSkill>();
  let reason: string | undefined;
  for (const record of records) {
    const event = record as unknown as AgentEvent;
    if (event.event === "action-decide") {
      const { action } = event.data;
      reason = action.action === "select_skills" ? action.reason : undefined;
    } else if (event.event === "skill-activate") {
      const { name, source } = event.data;
      const given = event.data.by === "model" && event.data.turn > 0 ? reason : undefined;
      used.set(`${name}@${source}`, {
        name,
        source,
        how: howOf(event.data),
        ...(given !== undefined && { reason: given }),
      });
    } else if (event.event === "child-start") {
      const { skill } = event.data;
      const [name = skill, source = ""] = skill.split(/@(?=[^@]*$)/);
      used.set(skill, { name, source, how: "worked through in a separate run" });
    }
  }
  return [...used.values()];
}

function howOf(skill: SkillActivated): string {
  if (skill.carried === true) return "active since an earlier message";
  return skill.by === "person" ? "you called it" : `the model chose it in turn ${skill.turn}`;
}
