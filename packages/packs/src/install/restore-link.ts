import { statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { InstallScope } from "../install-scope.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { PlannedSkill } from "./commit-change.ts";
import { isWithin, realPath } from "./local-origin.ts";
import type { Workplace } from "./open-session.ts";
import { folderOf } from "./standing-skill.ts";

/**
 * The link of a skill that was installed with `--link`, made again. Only to a skill of the same
 * project: a lock that somebody else wrote must not make links out of it.
 */
export function restoreLink(
  path: string,
  { name, digest, origin, skillPath, linked }: LockedSkill,
  scope: InstallScope,
  place: Workplace,
): PlannedSkill | undefined {
  if (linked !== true || origin.type !== "local") return undefined;
  const target = realPath(resolve(scope.base, origin.source, skillPath));
  if (!isWithin(target, realPath(scope.base)) || !isSkill(target)) return undefined;
  const staged = join(place.folder(), "link");
  symlinkSync(target, staged);
  return {
    report: { name, digest, path, status: "linked" },
    move: { folder: folderOf(path, scope) ?? "", staged },
  };
}

function isSkill(folder: string): boolean {
  return statSync(join(folder, "SKILL.md"), { throwIfNoEntry: false })?.isFile() === true;
}
