import { quoteLine } from "@skillwright/core/internal";
import { z } from "zod";
import type { ConnectedClient } from "../connection/connected-client.ts";
import type { RequestLimits } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import { collectPages } from "../collect-pages.ts";
import { hideSecrets, holdsSecret } from "../settings/hide-secrets.ts";
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
  secrets: readonly string[],
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
    const reason = typeof skill === "string" ? skill : problemOf(skill, skills, secrets);
    if (typeof skill !== "string" && reason === undefined) skills.set(skill.entry.uri, skill);
    else if (problems.length < MAX_PROBLEMS) {
      const shown = (text: string, max: number) => quoteLine(hideSecrets(text, secrets), max);
      problems.push({ uri: shown(uriOf(item), 100), reason: shown(reason ?? "", 200) });
    }
  }
  return { skills: [...skills.values()], problems, isCut };
}

function problemOf(
  { entry, files }: ListedSkill,
  others: ReadonlyMap<string, ListedSkill>,
  secrets: readonly string[],
): string | undefined {
  if (others.has(entry.uri)) return "it is listed twice";
  // It is known by them, so that they cannot be shown as something else.
  const names = [entry.uri, ...files.flatMap(({ uri, path }) => [uri, path])];
  if (!names.some((name) => holdsSecret(name, secrets))) return undefined;
  return "its uri, or that of a file, holds a secret of the server's settings";
}

function uriOf(item: unknown): string {
  const { uri } = (typeof item === "object" && item !== null ? item : {}) as { uri?: unknown };
  return typeof uri === "string" ? uri : "(no uri)";
}
