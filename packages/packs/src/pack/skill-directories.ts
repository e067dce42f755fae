import { findSkills } from "@skillwright/core/internal";
import { resolve } from "node:path";
import type { PackFailure } from "../pack-failure.ts";
import type { PackSource } from "./pack-options.ts";

/** The folders to pack, absolute. With a root, all skills below it or a failure, never some. */
export async function skillDirectories({
  root,
  directories,
}: PackSource): Promise<string[] | PackFailure> {
  if (root === undefined) {
    const unique = [...new Set(directories.map((directory) => resolve(directory)))];
    return unique.length > 0 ? unique : noSkill("no folder was given");
  }
  const found = await findSkills(resolve(root));
  const [unfinished] = found.unfinished;
  if (unfinished !== undefined) {
    const message = `not all skills below ${JSON.stringify(root)} were found: ${JSON.stringify(unfinished.directory)}: ${unfinished.reason}`;
    return { ok: false, code: "source-unreachable", message };
  }
  return found.directories.length > 0
    ? [...found.directories]
    : noSkill(`there is no skill below ${JSON.stringify(root)}`);
}

function noSkill(message: string): PackFailure {
  return { ok: false, code: "skill-missing", message };
}
