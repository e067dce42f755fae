import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { leftOutAs } from "../archive/entries/left-out.ts";
import { STATE_FOLDER } from "../install-scope.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { compareFolder } from "./compare-folder.ts";
import type { VerifiedSkill, VerifyProblem } from "./verified-skill.ts";

/** The folders that a copy of a local source leaves out: they are in no digest. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules", STATE_FOLDER, "__pycache__"]);

/**
 * Compares what a link of the lock leads to with what it led to when it was locked. That may lie
 * outside of the base, so only a skill is looked at, and nothing of it is shown but names and hashes.
 */
export async function compareLinked(
  base: string,
  path: string,
  { name, digest, files }: LockedSkill,
  signal?: AbortSignal,
): Promise<{ readonly skill: VerifiedSkill; readonly problems: readonly VerifyProblem[] }> {
  const target = skillBehind(join(base, path));
  if (target === undefined) {
    const message = `${path} is a link that leads to no skill`;
    return {
      skill: { name, digest, path, status: "unreadable", linked: true, files: [] },
      problems: [{ code: "unreadable", path, message }],
    };
  }
  const look = await compareFolder(target, path, files, signal, {
    skip: SKIPPED,
    isLeftOut: (file) => leftOutAs(file.split("/")) !== undefined,
  });
  const status = look.digest === digest ? "linked" : "modified";
  return {
    skill: {
      name,
      digest: look.digest ?? digest,
      path,
      status,
      linked: true,
      files: status === "linked" ? [] : look.files,
    },
    problems: look.problems,
  };
}

function skillBehind(link: string): string | undefined {
  try {
    const target = realpathSync.native(link);
    return statSync(join(target, "SKILL.md")).isFile() ? target : undefined;
  } catch {
    return undefined;
  }
}
