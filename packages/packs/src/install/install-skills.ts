import { homedir } from "node:os";
import { join } from "node:path";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { folderNameProblem } from "../change/files/folder-name.ts";
import type { Candidate, FetchedPack } from "../fetched-pack.ts";
import { type ReadLock, readLock } from "../lock/read-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import { fetchParsed } from "../sources/fetch-pack.ts";
import type { ParsedSource } from "../sources/parse/parsed-source.ts";
import { parseSource } from "../sources/parse/parse-source.ts";
import type { ChangeReport } from "./change-report.ts";
import { changeTitle } from "./change-title.ts";
import { commitChange, type PlannedSkill } from "./commit-change.ts";
import type { InstallOptions } from "./install-options.ts";
import { lintProblems } from "./lint-problems.ts";
import { originFrom, realPath } from "./local-origin.ts";
import { inWorkplace, type Workplace } from "./open-session.ts";
import { packSigner } from "./pack-signer.ts";
import { planInstall } from "./plan-install.ts";
import { selectCandidates, type Selection } from "./select-candidates.ts";
import { type StagedSkill, stageSkill } from "./stage-skill.ts";
import { ACCEPTANCE, SESSION } from "./pack-session.ts";

/** A source, and what is wanted of it. */
export interface WantedSource extends Selection {
  readonly source: string;
  /** One more condition for each skill. */
  readonly check?: (skill: StagedSkill, candidate: Candidate) => PackFailure | undefined;
}

const OPTIONS: OptionKinds<InstallOptions> = {
  ...SESSION,
  ...ACCEPTANCE,
  skills: "strings",
  all: "boolean",
  choose: "function",
  force: "boolean",
  link: "boolean",
  frozen: "boolean",
};

export async function installSkills(
  source: string,
  options: InstallOptions,
): Promise<ChangeReport | PackFailure> {
  checkOptions("installSkills", options, OPTIONS, ["scope", "cwd"]);
  // Before the root is made: a word that was mistyped leaves nothing behind.
  const parsed = parseWanted(source, options);
  if (!parsed.ok) return parsed;
  const { skills, all, choose } = options;
  const selection = { ...(skills && { skills }), ...(all && { all }), ...(choose && { choose }) };
  return inWorkplace(options, (place) =>
    installSources([{ source, ...selection }], options, place),
  );
}

/** The same for several sources as one change. */
export async function installSources(
  sources: readonly WantedSource[],
  options: InstallOptions,
  place: Workplace,
): Promise<ChangeReport | PackFailure> {
  const before = readLock(options.scope);
  if (!before.ok) return before;
  const all: SourcePlan[] = [];
  for (const wanted of sources) {
    const plan = await planSource(wanted, options, place, before);
    if ("ok" in plan) return plan;
    all.push(plan);
  }
  const staged = all.flatMap((plan) => plan.staged);
  return commitChange(options, place, {
    title: changeTitle(
      "install",
      staged.map(({ name }) => name),
    ),
    before,
    skills: all.flatMap(({ planned }) => planned),
    problems: staged.flatMap(lintProblems),
    notes: all.flatMap(({ notes }) => notes),
  });
}

interface SourcePlan {
  readonly planned: readonly PlannedSkill[];
  readonly staged: readonly StagedSkill[];
  readonly notes: readonly string[];
}

async function planSource(
  wanted: WantedSource,
  options: InstallOptions,
  place: Workplace,
  before: ReadLock,
): Promise<SourcePlan | PackFailure> {
  const { failOn, suppressions, signal, onProgress, scope } = options;
  const fetched = await fetchSource(wanted.source, options, place);
  if (!fetched.ok) return fetched;
  const named = fetched.skill === undefined ? [] : [fetched.skill];
  const skills = [...(wanted.skills ?? []), ...named];
  const selection = await selectCandidates(fetched.skills, { ...wanted, skills });
  if (!selection.ok) return selection;
  const signed = await packSigner(fetched, options);
  if (!signed.ok) return signed;
  const origin = originFrom(fetched.origin, options);
  const staging = place.folder();
  const planned: PlannedSkill[] = [];
  const staged: StagedSkill[] = [];
  const skipped: string[] = [];
  let taken: PackFailure | undefined;
  const total = selection.selected.length;
  for (const candidate of selection.selected) {
    if (signal?.aborted === true) return canceled(wanted.source);
    onProgress?.({ phase: "check", done: staged.length, total, unit: "skills" });
    const problem = folderNameProblem(candidate.name);
    if (problem !== undefined) return badName(candidate.name, problem);
    const skill = await stageSkill(candidate, {
      staging,
      origin,
      base: scope.base,
      signed: signed.signed,
      failOn,
      suppressions,
      signal,
    });
    if (!skill.ok) return skill;
    const unwanted = options.force === true ? undefined : wanted.check?.(skill, candidate);
    if (unwanted !== undefined) return unwanted;
    staged.push(skill);
    const local = fetched.local && realPath(join(fetched.local, candidate.path));
    const plan = await planInstall(skill, before.lock.skills, options, local);
    if ("ok" in plan) {
      const isSkipped = plan.code === "name-taken" && wanted.all === true && total > 1;
      if (!isSkipped) return plan;
      taken ??= plan;
      staged.pop();
      skipped.push(`${candidate.name} was skipped: ${plan.message}`);
      continue;
    }
    planned.push({ ...plan, ...(signed.signed && { signed: signed.signed }) });
  }
  if (planned.length === 0 && taken !== undefined) return taken;
  return { planned, staged, notes: [...fetched.notes, ...signed.notes, ...skipped] };
}

interface FetchedSource extends FetchedPack {
  /** Named in the source itself: `owner/repo@skill`. */
  readonly skill?: string;
  /** Absolute path of a local folder. */
  readonly local?: string;
}

async function fetchSource(
  source: string,
  options: InstallOptions,
  place: Workplace,
): Promise<FetchedSource | PackFailure> {
  const parsed = parseWanted(source, options);
  if (!parsed.ok) return parsed;
  const { limits, env, fetch, signal, onProgress, cwd } = options;
  const fetched = await fetchParsed(parsed, {
    quarantine: place.folder(),
    cwd,
    ...(limits && { limits }),
    ...(env && { env }),
    ...(fetch && { fetch }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  if (!fetched.ok) return fetched;
  return {
    ...fetched,
    ...(parsed.skill !== undefined && { skill: parsed.skill }),
    ...(parsed.kind === "local" && { local: parsed.path }),
  };
}

function parseWanted(
  source: string,
  { cwd, env, link }: InstallOptions,
): ParsedSource | PackFailure {
  const parsed = parseSource(source, { cwd, home: env?.["HOME"] ?? homedir() });
  if (!parsed.ok || link !== true || parsed.kind === "local") return parsed;
  return {
    ok: false,
    code: "source-invalid",
    message: `only a local folder can be linked, and ${source} is none`,
    hint: "leave out --link to install a copy",
  };
}

function badName(name: string, problem: string): PackFailure {
  return {
    ok: false,
    code: "skill-invalid",
    message: `the skill ${JSON.stringify(name)} cannot have a folder of its name: ${problem}`,
    hint: "its author has to give it another name",
  };
}

function canceled(source: string): PackFailure {
  return {
    ok: false,
    code: "canceled",
    message: `install ${source} was canceled; nothing was changed`,
  };
}
