import { signatureCheck, type SignaturePolicy } from "../sign/signed-manifest.ts";
import { randomUUID } from "node:crypto";
import { nearNames, TimeSlice, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { finishInterrupted, interruptedNotes } from "../change/finish-interrupted.ts";
import type { OpenRootOptions } from "../change/open-root.ts";
import type { PackProgress } from "../fetched-pack.ts";
import type { InstallScope } from "../install-scope.ts";
import { byteOrder } from "../byte-order.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { readLock } from "../lock/read-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import { compareFolder } from "./compare-folder.ts";
import { findUnlocked } from "./find-unlocked.ts";
import { compareLinked } from "./compare-linked.ts";
import { type Place, SkillPlaces } from "./skill-places.ts";
import { QuickCheck } from "./quick-check.ts";
import type { VerifiedFile, VerifiedSkill, VerifyProblem } from "./verified-skill.ts";

export interface VerifyOptions {
  /** Only these, by name or by path in the lock; all of the lock and the root when absent. */
  readonly names?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
  /** Signed skills are always checked against what was signed; this says whose signatures count. */
  readonly signatures?: SignaturePolicy;
  /**
   * Finishes a change that was interrupted before it looks, if the root can be written: what it
   * left in the middle is no difference. Without it, nothing is ever written.
   */
  readonly finish?: Partial<OpenRootOptions>;
}

export interface Verified {
  readonly ok: true;
  /** In byte order of the paths. */
  readonly skills: readonly VerifiedSkill[];
  readonly problems: readonly VerifyProblem[];
  /** What a person should know: a change that was interrupted. */
  readonly notes: readonly string[];
}

const OPTIONS: OptionKinds<VerifyOptions> = {
  names: "strings",
  signal: "object",
  onProgress: "function",
  signatures: "object",
  finish: "object",
};

export async function verifyInstalled(
  scope: InstallScope,
  options: VerifyOptions = {},
): Promise<Verified | PackFailure> {
  checkOptions("verifyInstalled", options, OPTIONS);
  const { names, signal, onProgress, finish, signatures = {} } = options;
  const signed = signatureCheck(scope, signatures);
  if (!signed.ok) return signed;
  const notes = finish === undefined ? [] : await finished(scope, { signal, ...finish });
  const quick = new QuickCheck();
  const read = readLock(scope);
  if (!read.ok) return read;
  const locked = Object.entries(read.lock.skills).sort(([a], [b]) => byteOrder(a, b));
  const wanted = locked.filter(
    ([path, { name }]) => names === undefined || names.includes(name) || names.includes(path),
  );
  const unknown = names?.find(
    (name) => !wanted.some(([path, skill]) => path === name || skill.name === name),
  );
  if (unknown !== undefined) return notInstalled(unknown, locked);

  const places = new SkillPlaces(scope.base);
  const problems: VerifyProblem[] = [];
  const skills: VerifiedSkill[] = [];
  const passed: { readonly index: number; readonly place: Place }[] = [];
  const slice = new TimeSlice();
  for (const [path, skill] of wanted) {
    if (slice.isOver) {
      onProgress?.({ phase: "verify", done: skills.length, total: wanted.length, unit: "skills" });
      await slice.rest();
    }
    if (signal?.aborted === true) return canceled();
    const place = places.find(path);
    if (place.kind === "folder" && quick.isExactly(place.directory, skill.files)) {
      passed.push({ index: skills.length, place });
      skills.push(intact(path, skill));
    } else {
      skills.push(await explain(path, skill, place));
    }
  }
  // A yes of the quick check counts only when nothing above the skills was swapped meanwhile.
  if (!places.folders().every((folder) => quick.isAtRest(folder))) {
    for (const { index } of passed) {
      if (signal?.aborted === true) return canceled();
      const [path, skill] = wanted[index] as (typeof wanted)[number];
      skills[index] = await explain(path, skill, new SkillPlaces(scope.base).find(path));
    }
  }
  for (const [index, [path, skill]] of wanted.entries()) {
    const problem = signed.check(path, skill);
    const found = skills[index] as VerifiedSkill;
    if (problem === undefined) {
      const { signer } = skill;
      if (signer !== undefined && found.status === "ok") skills[index] = { ...found, signer };
      continue;
    }
    const { isChanged, ...told } = problem;
    problems.push({ ...told, path });
    if (isChanged === true && found.status === "ok")
      skills[index] = { ...found, status: "modified" };
  }
  if (names === undefined) {
    const unlocked = await findUnlocked(scope, read.lock, places, signal);
    skills.push(...unlocked.skills);
    problems.push(...unlocked.problems);
    skills.sort((a, b) => byteOrder(a.path, b.path));
  }
  if (signal?.aborted === true) return canceled();
  onProgress?.({ phase: "verify", done: wanted.length, total: wanted.length, unit: "skills" });
  return { ok: true, skills, problems, notes };

  async function explain(path: string, skill: LockedSkill, place: Place): Promise<VerifiedSkill> {
    const { name, digest } = skill;
    if (place.kind === "missing") return { name, digest, path, status: "missing", files: [] };
    if (place.kind === "link") {
      if (skill.linked === true) {
        const look = await compareLinked(scope.base, path, skill, signal);
        problems.push(...look.problems);
        return look.skill;
      }
      const message = `${path} is a link, and the lock says that it is a folder`;
      problems.push({ code: "link", path, message });
      return { name, digest, path, status: "modified", files: [] };
    }
    if (place.kind === "refused") {
      problems.push({ code: place.code, path, message: place.message });
      return { name, digest, path, status: "unreadable", files: [] };
    }
    const look = await compareFolder(place.directory, path, skill.files, signal);
    problems.push(...look.problems);
    const status = statusOf(look.files, look.problems.length > 0);
    return { name, digest: look.digest ?? digest, path, status, files: look.files };
  }
}

/** Where it cannot be finished, what there is to see is still looked at. */
async function finished(
  scope: InstallScope,
  { clock = Date.now, ids = randomUUID, ...options }: Partial<OpenRootOptions>,
): Promise<readonly string[]> {
  const result = await finishInterrupted(scope, { clock, ids, ...options });
  return result.ok ? result.notes : interruptedNotes(scope, options.stateDirectory);
}

function intact(path: string, { name, digest, files }: LockedSkill): VerifiedSkill {
  // An object has keys that are numbers first, `9` before `10`.
  const paths = Object.keys(files).toSorted(byteOrder);
  const verified = paths.map((file): VerifiedFile => ({ path: file, status: "ok" }));
  return { name, digest, path, status: "ok", files: verified };
}

function statusOf(
  files: readonly VerifiedFile[],
  hasProblems: boolean,
): "ok" | "modified" | "extra-files" | "unreadable" {
  if (files.some(({ status }) => status === "modified" || status === "missing")) return "modified";
  if (files.some(({ status }) => status === "extra")) return "extra-files";
  return hasProblems ? "unreadable" : "ok";
}

function notInstalled(
  name: string,
  locked: readonly (readonly [string, LockedSkill])[],
): PackFailure {
  const known = [...new Set(locked.map(([, skill]) => skill.name))];
  return {
    ok: false,
    code: "not-installed",
    message: `the lock knows no skill ${JSON.stringify(name)}`,
    candidates: nearNames(name, known),
  };
}

function canceled(): PackFailure {
  return { ok: false, code: "canceled", message: "verification was canceled" };
}
