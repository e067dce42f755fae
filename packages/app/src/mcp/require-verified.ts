import type { SkillRecord, Skills } from "@skillwright/core";
import { mcpHostOf } from "./mcp-session-skills.ts";
import { AppFailure } from "../failure.ts";

/** The SKILL.md of a server's skill, if it is what the server lists; otherwise the command ends. */
export async function requireVerified(skill: SkillRecord, skills: Skills): Promise<string> {
  const host = mcpHostOf(skills);
  // A record of a server is only there with its host.
  if (host === undefined) throw new TypeError(`${skill.id} has no server`);
  const verified = await host.verify(skill);
  if (verified.ok) return verified.text;
  const { code, message, hint } = verified;
  const name = `${skill.name}@${skill.source}`;
  const what = code === "skill-unverified" ? "is not what its server lists" : "cannot be read";
  throw new AppFailure("no", `${name} ${what}: ${message}`, {
    code,
    ...(hint !== undefined && { hint }),
  });
}
