import { join } from "node:path";
import type { InstallScope } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { KNOWN_ROOTS, knownRootOf } from "../scopes/locked-root.ts";
import type { VerifiedSkill } from "../verify/verified-skill.ts";
import type { ReportedProblem } from "./change-report.ts";
import { type ExaminedRoot, lockDiffers } from "./examine-root.ts";
import type { RestoreOptions } from "./restore-options.ts";
import { folderOf, lockPath } from "./standing-skill.ts";

interface OtherRoots {
  readonly ok: true;
  /** Roots with something missing, which are restored too. */
  readonly scopes: readonly InstallScope[];
  /** What differs in roots that are not. */
  readonly problems: readonly ReportedProblem[];
}

/**
 * One lock may describe several roots. Those of the known clients are restored with whichever was
 * asked for. Any other has to be named: a lock that somebody else wrote must not put folders just
 * anywhere. `frozen` fails for what stays missing, unless a folder was named: then the others of the
 * kind have their turn.
 */
export function otherRoots(
  { elsewhere }: ExaminedRoot,
  { scope, frozen }: RestoreOptions,
): OtherRoots | PackFailure {
  const scopes = new Map<string, InstallScope>();
  const left: VerifiedSkill[] = [];
  for (const skill of elsewhere.filter(({ status }) => status === "missing")) {
    const root = knownRootOf(skill.path);
    const other = root === undefined ? undefined : { ...scope, root: join(scope.base, root) };
    if (other === undefined || folderOf(skill.path, other) === undefined) left.push(skill);
    else scopes.set(other.root, other);
  }
  const isNamed = !KNOWN_ROOTS.some((root) => root === lockPath(scope, ""));
  if (frozen === true && left.length > 0 && !isNamed) {
    const hint = "restore its root first: skillwright install --frozen --target <folder>";
    return { ...lockDiffers(left), hint: `${hint}; nothing was changed` };
  }
  const isVisited = ({ path }: VerifiedSkill) =>
    [...scopes.values()].some((other) => folderOf(path, other) !== undefined);
  const problems = elsewhere.filter((skill) => !isVisited(skill)).map(otherRoot);
  return { ok: true, scopes: [...scopes.values()], problems };
}

function otherRoot({ name, path, status }: VerifiedSkill): ReportedProblem {
  const message = `${path} is ${status}, belongs to another root and was not restored`;
  const hint = "name its root with --target <folder>";
  return { code: "other-root", severity: "warning", message, skill: name, hint };
}
