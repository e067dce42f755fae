import type { SkillFile } from "@modelcontextprotocol/client/ext/skills";
import type { ServerConnection, Used } from "../connection/server-connection.ts";
import type { HostLimits } from "../host-limits.ts";
import type { ListedFile, ListedSkill } from "./listed-skill.ts";

export interface ReadContext {
  readonly connection: ServerConnection;
  readonly limits: HostLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a file of a skill and holds it against the list: its size and digest, and of SKILL.md every
 * field of the frontmatter. Nothing is kept, so that the next read is held against it again.
 */
export async function readSkillFile(
  { entry }: ListedSkill,
  { uri }: ListedFile,
  { connection, limits, signal }: ReadContext,
): Promise<Used<SkillFile>> {
  return connection.use({ milliseconds: limits.requestMs, signal }, ({ skills }, request) =>
    skills.read(entry, uri, { ...request, cacheMode: "bypass" }),
  );
}

/** The same for a reader that knows no failures; throws in a sentence for people. */
export async function readSkillBytes(
  skill: ListedSkill,
  file: ListedFile,
  context: ReadContext,
): Promise<Uint8Array> {
  const read = await readSkillFile(skill, file, context);
  if (!read.ok) throw new Error(read.message);
  return read.value.bytes;
}
