import {
  DIRECTORY_MIME_TYPE,
  type DirectoryResource,
} from "@modelcontextprotocol/server/ext/skills";
import { type Skills } from "@skillwright/core";
import { listFiles } from "@skillwright/core/internal";
import { skillUri } from "../../uri/skill-uri.ts";
import { isSecretFile } from "./secret-files.ts";
import { mediaType } from "./media-type.ts";
import type { PublishedSkill } from "./published-skill.ts";
import type { FoundPlace } from "./published-skills.ts";
import { filesOf } from "./read-published.ts";

interface ListedFile {
  readonly path: string;
  readonly size?: number;
  readonly mimeType: string;
}

/** What is directly in a folder of a skill, in order of the URIs; undefined when it is not a folder. */
export async function directoryChildren(
  skills: Skills,
  { skill, path }: FoundPlace,
): Promise<DirectoryResource[] | undefined> {
  const prefix = path === "" ? "" : `${path}/`;
  const children = new Map<string, DirectoryResource>();
  for (const file of await filesBelow(skills, skill, path)) {
    if (!file.path.startsWith(prefix)) continue;
    const [name = "", ...deeper] = file.path.slice(prefix.length).split("/");
    const uri = skillUri([...skill.segments, ...`${prefix}${name}`.split("/")]);
    const { mimeType, size } = file;
    children.set(
      uri,
      deeper.length > 0
        ? { uri, name, mimeType: DIRECTORY_MIME_TYPE }
        : { uri, name, mimeType, ...(size === undefined ? undefined : { size }) },
    );
  }
  if (children.size === 0) return undefined;
  return [...children.values()].toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

async function filesBelow(
  skills: Skills,
  skill: PublishedSkill,
  path: string,
): Promise<Iterable<ListedFile>> {
  if (!skill.isDynamic) return skill.files.values();
  const listed = await listFiles(filesOf(skills, skill), { under: path === "" ? "." : path });
  if (!listed.ok || !(await skills.isStillTrusted(skill.record))) return [];
  const offered = listed.files.filter((file) => !isSecretFile(file.path));
  return offered.map((file) => ({ ...file, mimeType: mediaType(file.path, true) }));
}
