import { readArchive } from "@skillwright/packs";
import {
  directorySource,
  type SkillRecord,
  type Skills,
  type SkillSource,
} from "@skillwright/core";
import {
  combineDigests,
  fileDigests,
  filteredSource,
  renamedSource,
} from "@skillwright/core/internal";
import type { ArmOptions, EvalCase } from "@skillwright/evals";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { AppHost } from "../host.ts";
import { AppFailure } from "../failure.ts";
import { openSessionSkills } from "../session/skills.ts";
import { type Session } from "../session/session.ts";
import {
  type CatalogChange,
  chained,
  type EvalSettings,
  foldName,
  realPath,
  skillAt,
  withoutSkills,
  withSources,
} from "./settings.ts";

/** Another version of a skill, under the same name. */
interface OtherVersion {
  readonly source: SkillSource;
  readonly commit?: string;
  /** Of all that a model may come to see of it. */
  readonly digest: string;
}

interface OtherVersionOptions {
  readonly reference: string;
  readonly cwd: string;
  /** Where versions are unpacked. */
  readonly folder: string;
}

const GIT_TIMEOUT_MS = 60_000;

/** A folder that holds the skill, or is it; else a commit of the repository that the skill lies in. */
async function otherVersion(
  skill: SkillRecord,
  { reference, cwd, folder }: OtherVersionOptions,
): Promise<OtherVersion> {
  const given = resolve(cwd, reference);
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = isFolder
    ? { source: await sourceInFolder(given, skill) }
    : await sourceAtCommit(reference, skill, folder);
  return { ...found, digest: await sourceDigest(found.source) };
}

/** Its evals are not part of it. */
async function sourceDigest(source: SkillSource): Promise<string> {
  const { skills } = await source.scan({});
  const contents = skills.map(async ({ directory, stamp = "" }) => {
    try {
      const files = await fileDigests(directory ?? "");
      return combineDigests(files.filter(({ path }) => !/^evals?\//.test(path)));
    } catch {
      // One with a link in it has no digest; its SKILL.md is known all the same.
      return `unreadable ${stamp}`;
    }
  });
  return digestOfAll(await Promise.all(contents));
}

/** Of several digests, in any order. */
function digestOfAll(digests: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(digests.toSorted()));
  return `sha256:${hash.digest("hex")}`;
}

/** With the name of the skill that it stands for, so that it takes its place. */
async function sourceInFolder(given: string, skill: SkillRecord): Promise<SkillSource> {
  const folder = realPath(given);
  const itself = skillAt(folder, skill.source);
  if (await hasSkill(itself)) return renamedSource(itself, () => skill.name);
  const named = filteredSource(
    directorySource(folder, { label: skill.source }),
    ({ metadata }) => foldName(metadata?.name ?? "") === foldName(skill.name),
  );
  if (await hasSkill(named)) return named;
  throw new AppFailure("usage", `${given} holds no skill ${skill.name}`, {
    hint: "name the folder of the other version, or a folder of skills that has it",
  });
}

async function sourceAtCommit(
  reference: string,
  skill: SkillRecord,
  folder: string,
): Promise<Omit<OtherVersion, "digest">> {
  const path = realPath(skill.path);
  const name = `${reference}^{commit}`;
  const found = await git(path, ["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
  if (!found.ok || found.text === "") throw noVersion(reference, skill);
  const prefix = await git(path, ["rev-parse", "--show-prefix"]);
  const top = await git(path, ["rev-parse", "--show-toplevel"]);
  const commit = found.text;
  const root = join(folder, commit.slice(0, 12), skill.source);
  const destination = join(root, basename(path));
  await mkdir(destination, { recursive: true });
  const archive = `${destination}.tar`;
  const tree = `${commit}:${prefix.text.replace(/\/$/, "")}`;
  // Elsewhere than at the top it would archive only what lies below.
  const packed = await git(top.text, ["archive", "--format=tar", `--output=${archive}`, tree]);
  if (!packed.ok) {
    throw new AppFailure("usage", `the skill ${skill.name} is not in ${reference}`, {
      hint: "name a commit that has it in the same place",
    });
  }
  const unpacked = await readArchive(archive, { destination });
  if (!unpacked.ok) {
    throw new AppFailure("usage", `${skill.name} of ${reference}: ${unpacked.message}`);
  }
  const source = skillAt(destination, skill.source);
  if (await hasSkill(source)) return { source: renamedSource(source, () => skill.name), commit };
  throw new AppFailure("usage", `${skill.name} of ${reference} has no usable SKILL.md`);
}

async function hasSkill(source: SkillSource): Promise<boolean> {
  const { skills } = await source.scan({});
  return skills.some(({ metadata }) => metadata !== undefined);
}

function noVersion(reference: string, { name }: SkillRecord): AppFailure {
  const message = `${JSON.stringify(reference)} is neither a folder nor a commit of the repository of ${name}`;
  const hint = "a folder with the other version, or a commit such as HEAD~1, main or v1.2.0";
  return new AppFailure("usage", message, { hint });
}

interface GitResult {
  readonly ok: boolean;
  readonly text: string;
}

/** No shell, no hooks, and nothing that asks. */
function git(cwd: string, args: readonly string[]): Promise<GitResult> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const options = { cwd, env, timeout: GIT_TIMEOUT_MS, encoding: "utf8" } as const;
  return new Promise((done) => {
    execFile("git", [...safe, ...args], options, (error, stdout) => {
      const isMissing = (error as NodeJS.ErrnoException | null)?.code === "ENOENT";
      if (isMissing) done({ ok: false, text: "" });
      else done({ ok: error === null, text: stdout.trim() });
    });
  });
}

interface ArmsContext {
  readonly session: Session;
  readonly options: EvalSettings;
  readonly host: AppHost;
  readonly skills: Skills;
  /** What makes `skills` of the catalog of this command line. */
  readonly change: CatalogChange;
  readonly cases: readonly EvalCase[];
  readonly folder: string;
}

/** With the skill; on request without it, and with another version of it. All keep all neighbours. */
export async function evalArms(context: ArmsContext): Promise<readonly ArmOptions[]> {
  const { options, skills } = context;
  const { without = false, against } = options;
  const arms: ArmOptions[] = [{ arm: { name: "with_skill" }, skillsFor: async () => skills }];
  if (without) arms.push(bareArm(context));
  if (against !== undefined) arms.push(await oldArm(against, context));
  return arms;
}

function bareArm(context: ArmsContext): ArmOptions {
  requireTested("--without", context);
  const skillsFor = catalogPerSkills(context, async (tested) =>
    chained(context.change, withoutSkills(tested.map(({ name }) => name))),
  );
  return {
    arm: { name: "without_skill", ...leftOut(context) },
    skillsFor,
    isFor: isTested(context),
  };
}

/** Whether there is a skill to take away: else the case would be run with the whole catalog once more. */
function isTested({ skills }: ArmsContext): (evalCase: EvalCase) => boolean {
  return (evalCase) => testedSkills(evalCase, skills).length > 0;
}

function leftOut(context: ArmsContext): Pick<ArmOptions["arm"], "leftOut"> {
  const isOwn = isTested(context);
  const ids = context.cases.filter((one) => !isOwn(one)).map(({ id }) => id);
  return ids.length > 0 ? { leftOut: ids.toSorted() } : {};
}

function requireTested(option: string, context: ArmsContext): void {
  if (context.cases.some(isTested(context))) return;
  throw new AppFailure("usage", `${option}: no case names a skill of the catalog`, {
    hint: "put cases into evals/ of the skill, or name it in expected.skills",
  });
}

/** What cannot be found is said before the first trial. */
async function oldArm(reference: string, context: ArmsContext): Promise<ArmOptions> {
  const { skills, cases, host, folder } = context;
  requireTested("--against", context);
  const place = { reference, cwd: host.cwd, folder: join(folder, "against") };
  const tested = new Map(
    cases.flatMap((one) => testedSkills(one, skills)).map((skill) => [skill.id, skill]),
  );
  const sources = new Map<string, SkillSource>();
  const commits = new Set<string>();
  const digests: string[] = [];
  for (const skill of tested.values()) {
    const { source, commit, digest } = await otherVersion(skill, place);
    sources.set(skill.id, source);
    digests.push(`${skill.id} ${digest}`);
    if (commit !== undefined) commits.add(commit.slice(0, 12));
  }
  const skillsFor = catalogPerSkills(context, async (some) => {
    const old = some.flatMap(({ id }) => sources.get(id) ?? []);
    const names = some.map(({ name }) => name);
    // The skill that is tested is trusted: so is another version of it that its user names.
    return chained(context.change, withoutSkills(names), withSources(old, true));
  });
  const exact = commits.size === 0 ? reference : `${reference} (${[...commits].join(", ")})`;
  const digest = digestOfAll(digests);
  const arm = { name: "old_skill", reference: exact, digest, ...leftOut(context) } as const;
  return { arm, skillsFor, isFor: isTested(context) };
}

/** A catalog for each set of tested skills, made when the first case needs it. */
function catalogPerSkills(
  { session, options, host, skills }: ArmsContext,
  changeFor: (tested: readonly SkillRecord[]) => Promise<CatalogChange>,
): ArmOptions["skillsFor"] {
  const known = new Map<string, Promise<Skills>>();
  const open = async (tested: readonly SkillRecord[]) => {
    const change = await changeFor(tested);
    return openSessionSkills(session, options, host, change);
  };
  return (evalCase) => {
    const tested = testedSkills(evalCase, skills);
    const key = tested.map(({ id }) => id).join("\n");
    const catalog = known.get(key) ?? open(tested);
    known.set(key, catalog);
    return catalog;
  };
}

/** The skill that the case belongs to, else those that it expects. */
function testedSkills({ origin, expected }: EvalCase, skills: Skills): SkillRecord[] {
  const own = origin.skill === undefined ? undefined : skills.get(origin.skill);
  if (own !== undefined) return [own];
  return (expected.skills?.used ?? []).flatMap((name) => skills.get(name) ?? []);
}
