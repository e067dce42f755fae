import { z } from "zod";
import type { ConnectedClient } from "../connection/connected-client.ts";
import type { RequestLimits } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import { collectPages } from "../collect-pages.ts";
import { shownText } from "../shown-text.ts";
import { type ListedSkill, readListedSkill } from "./listed-skill.ts";

export interface SkillListing {
  readonly skills: readonly ListedSkill[];
  /** What is wrong with others. */
  readonly problems: readonly { readonly uri: string; readonly reason: string }[];
  /** There are more than are taken. */
  readonly isCut: boolean;
}

const PAGE = z.looseObject({ skills: z.array(z.unknown()), nextCursor: z.string().optional() });
const MAX_PROBLEMS = 20;

/** All skills of a server, as far as they can be used. Only the list is asked for. */
export async function listSkills(
  { client, skills: extension }: ConnectedClient,
  request: RequestLimits,
  limits: HostLimits,
): Promise<SkillListing> {
  if (!extension.supported) return { skills: [], problems: [], isCut: false };
  const { items, isCut } = await collectPages(limits, limits.skills, async (cursor) => {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "skills/list", params }, PAGE, request);
    return { items: page.skills, nextCursor: page.nextCursor };
  });
  const skills = new Map<string, ListedSkill>();
  const problems: { uri: string; reason: string }[] = [];
  for (const item of items) {
    const skill = readListedSkill(item, limits);
    if (typeof skill === "string") problems.push({ uri: uriOf(item), reason: skill });
    else if (!skills.has(skill.entry.uri)) skills.set(skill.entry.uri, skill);
    else problems.push({ uri: uriOf(item), reason: "it is listed twice" });
  }
  return { skills: [...skills.values()], problems: problems.slice(0, MAX_PROBLEMS), isCut };
}

function uriOf(item: unknown): string {
  const { uri } = (typeof item === "object" && item !== null ? item : {}) as { uri?: unknown };
  return typeof uri === "string" ? shownText(uri, 100) : "(no uri)";
}
