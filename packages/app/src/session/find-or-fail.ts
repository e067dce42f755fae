import type { SkillRecord, Skills } from "@skillwright/core";
import { AppFailure } from "../failure.ts";

/** The skill, or the end of the command with what the person may have meant. */
export function findOrFail(skills: Skills, name: string): SkillRecord {
  const found = skills.find(name);
  if (found.ok) return found.skill;
  const { message, candidates } = found;
  throw new AppFailure("no", message, {
    hint:
      candidates.length > 0
        ? `did you mean ${candidates.join(", ")}?`
        : name.includes("@mcp:")
          ? "servers are those of mcpServers; with --root or --source none is asked: skillwright mcp check"
          : "skillwright list shows all skills, skillwright explain <name> why one is missing",
  });
}
