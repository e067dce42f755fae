import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { foldName } from "../archive/entries/fold-name.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { readLock } from "../lock/read-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { ChangeReport } from "./change-report.ts";
import { changeTitle } from "./change-title.ts";
import { commitChange, type PlannedSkill } from "./commit-change.ts";
import { notInstalled } from "./locked-names.ts";
import { inWorkplace, type Workplace } from "./open-session.ts";
import { type PackSession, SESSION } from "./pack-session.ts";
import { folderOf, lockPath, standingSkill } from "./standing-skill.ts";

export interface UninstallOptions extends PackSession {
  /** By name, or by path relative to the base. */
  readonly names: readonly string[];
}

const OPTIONS: OptionKinds<UninstallOptions> = { ...SESSION, names: "strings" };

export async function uninstallSkills(
  options: UninstallOptions,
): Promise<ChangeReport | PackFailure> {
  checkOptions("uninstallSkills", options, OPTIONS, ["scope", "cwd", "names"]);
  return inWorkplace(options, (place) => uninstall(options, place));
}

async function uninstall(
  options: UninstallOptions,
  place: Workplace,
): Promise<ChangeReport | PackFailure> {
  const before = readLock(options.scope);
  if (!before.ok) return before;
  const planned = new Map<string, PlannedSkill>();
  for (const word of options.names) {
    const plan = await planRemoval(word, before.lock.skills, options);
    if ("ok" in plan) return plan;
    planned.set(plan.report.path, plan);
  }
  const skills = [...planned.values()];
  const names = skills.map(({ report }) => report.name);
  const title = changeTitle("uninstall", names);
  return commitChange(options, place, { title, before, skills });
}

async function planRemoval(
  word: string,
  locks: Readonly<Record<string, LockedSkill>>,
  options: UninstallOptions,
): Promise<PlannedSkill | PackFailure> {
  const { scope } = options;
  const entries = Object.entries(locks).filter(([path]) => folderOf(path, scope) !== undefined);
  const entry =
    entries.find(([path]) => path === word) ??
    entries.find(([, { name }]) => foldName(name) === foldName(word));
  // A path of one that the lock does not know, or else its name.
  const folder = folderOf(entry?.[0] ?? word, scope) ?? word;
  const standing = await standingSkill(scope, folder);
  const isSkill =
    standing.kind === "folder" ? standing.files.has("SKILL.md") : standing.kind === "link";
  if (entry === undefined && !isSkill) {
    return notInstalled(
      word,
      entries.map(([, { name }]) => name),
    );
  }
  const name = entry?.[1].name ?? folder;
  const path =
    entry?.[0] ?? lockPath(scope, standing.kind === "nothing" ? folder : standing.folder);
  const digest = standing.kind === "folder" ? standing.digest : (entry?.[1].digest ?? "");
  return {
    report: { name, digest, path, status: "removed" },
    ...(standing.kind !== "nothing" && { move: { folder: standing.folder } }),
    ...(entry !== undefined && { locked: null }),
  };
}
