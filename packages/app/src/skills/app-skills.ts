import { type Failure, type SkillRecord, type Skills, SkillwrightError } from "@skillwright/core";
import {
  openSwitchStore,
  openTrustStore,
  type SwitchStore,
  type TrustStore,
} from "@skillwright/core/internal";
import type { AppSkills } from "../api.ts";
import { AppFailure, asValue } from "../failure.ts";
import { isFromMcp, requireVerified } from "../mcp/mcp-session-skills.ts";
import { findOrFail, type Session } from "../session/session.ts";
import { meantTrust, storedName, type TrustedSkill, trustedSkills } from "../session/skills.ts";

/** Something that keeps a skill switched off, and how to undo it. */
interface DisablingSwitch {
  readonly place: string;
  readonly undo: string;
}

type SkillSwitch = Awaited<ReturnType<SwitchStore["switches"]>>[number];

interface SwitchRequest {
  /** By its name a skill is meant with all others of that name; by source or path, only itself. */
  readonly name: string;
  readonly enabled: boolean;
  /** Only this skill, though it is called by its name. */
  readonly isOne?: boolean;
  /** Only in this project. */
  readonly inProject?: boolean;
}

/** Switches a skill on or off, and finds what still keeps it off. */
export async function switchSkill(
  { name, enabled, isOne: isOneGiven = false, inProject = false }: SwitchRequest,
  skills: Skills,
  session: Session,
) {
  const skill = findOrFail(skills, name);
  const isOne = isOneGiven || foldName(name) !== foldName(skill.name);
  const store = await openSwitchStore(session.stateDirectory);
  const key = skillKey(skill);
  const meant = isOne ? key : skill.name;
  // A project's path means nothing in another project.
  const isProjects = skill.source === "project";
  const where = inProject || (isOne && isProjects) ? session.project : undefined;
  let changed = await store.setEnabled(meant, enabled, where);
  if (enabled && !isOne) {
    const keyPlace = isProjects ? session.project : where;
    changed = (await store.setEnabled(key, true, keyPlace)) || changed;
  }
  const switches = await store.switches(session.project);
  return {
    skill,
    meant,
    changed,
    where,
    left: enabled ? disabledBy(skill, switches, session) : [],
  };
}

/** Everything that keeps a skill switched off: switches of the user, and the configuration. */
function disabledBy(
  skill: SkillRecord,
  switches: readonly SkillSwitch[],
  { configuration }: Session,
): DisablingSwitch[] {
  const keys = new Set([skill.name, skillKey(skill)].map(foldName));
  const own = switches
    .filter((one) => keys.has(foldName(one.skill)))
    .map(({ skill: key, project }) => ({
      place: `${key} is switched off ${project === undefined ? "everywhere" : `in ${project}`}`,
      undo: `undo it with: ${enableCommand(key, skill, project)}`,
    }));
  const configured = configuration.values.disabledSkills.filter((key) => keys.has(foldName(key)));
  const { layer, file, variable } = configuration.origin("disabledSkills");
  return [
    ...own,
    ...configured.map((key) => ({
      place: `disabledSkills in ${file ?? variable ?? layer} names ${key}`,
      undo: "take it out there",
    })),
  ];
}

/** Source and path: what a skill is, whatever its name. */
function skillKey({ source, relativePath }: SkillRecord): string {
  return `${source}:${relativePath}`;
}

/** Names are compared without regard to case and Unicode form. */
function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function enableCommand(key: string, skill: SkillRecord, project: string | undefined): string {
  const isName = foldName(key) === foldName(skill.name);
  const name = isName ? key : `${skill.relativePath}@${skill.source}`;
  return `skillwright enable ${name}${project === undefined ? "" : " --project"}`;
}

interface Opened {
  readonly session: Session;
  readonly skills: Skills;
}

/** Skills of an application; what a person decides about them takes effect with `reopen`. */
export function createSkills(
  opened: () => Promise<Opened>,
  reopen: () => Promise<void>,
): AppSkills {
  const decide = <Value extends { readonly ok: true }>(
    work: (opened: Opened) => Promise<Value>,
  ): Promise<Value | Failure> =>
    asValue(async () => {
      const value = await work(await opened());
      await reopen();
      return value;
    });
  const turn = (name: string, enabled: boolean) =>
    decide(async ({ session, skills }) => {
      const { changed, left } = await switchSkill({ name, enabled }, skills, session);
      const [still] = left;
      if (still === undefined) return { ok: true as const, changed };
      throw new AppFailure("no", `${name} is still disabled: ${still.place}`, { hint: still.undo });
    });
  const registry = async () => (await opened()).skills;
  return {
    registry,
    list: async () => (await registry()).all,
    explain: async (name) => (await registry()).explain(name),
    refresh: async () => {
      await (await registry()).refresh();
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    trust: (name) =>
      decide(async ({ session: { stateDirectory, project }, skills }) => {
        // As it is now: somebody else may have decided since.
        const store = await openTrustStore(stateDirectory);
        if (name === undefined) await store.setFolder(project, "trusted");
        else await trustSkill(name, skills, store);
        return { ok: true };
      }),
    untrust: (name) =>
      decide(async ({ session: { stateDirectory, project } }) => {
        const store = await openTrustStore(stateDirectory);
        if (name === undefined) await store.setFolder(project, "untrusted");
        else await untrustSkill(name, store);
        return { ok: true };
      }),
  };
}

/** A skill whose content counts as trusted from now on, until it changes. */
export interface TrustedContent {
  readonly skill: SkillRecord;
  readonly digest: string;
}

/** Trusts one skill as it is now: the files of a folder, or those that a server lists. */
export async function trustSkill(
  name: string,
  skills: Skills,
  store: TrustStore,
): Promise<TrustedContent> {
  const skill = findOrFail(skills, name);
  if (isFromMcp(skill)) {
    requireUnambiguous(name, skill, skills);
    await requireVerified(skill, skills);
    const digest = skills.stampOf(skill);
    await store.trustDigest(digest, storedName(skill));
    return { skill, digest };
  }
  const digest = await skills.digest(skill).catch((cause: unknown) => {
    if (!SkillwrightError.isInstance(cause)) throw cause;
    throw new AppFailure("no", `${skill.name} has no content to trust: ${cause.message}`, {
      hint: "fix the skill, or trust its folder: skillwright trust",
      cause,
    });
  });
  await store.trustDigest(digest, skill.name);
  return { skill, digest };
}

/** Takes trust in contents back, and says in which. */
export async function untrustSkill(
  name: string,
  store: TrustStore,
): Promise<readonly TrustedSkill[]> {
  const meant = meantTrust(name, trustedSkills(store));
  if (meant.length === 0) {
    throw new AppFailure("no", `${name} was not trusted by its content`, {
      hint: "what is: skillwright trust --list",
    });
  }
  for (const { stored } of meant) await store.untrustName(stored);
  return meant;
}

/**
 * Whoever names only the skill may mean the one in a folder, which is not trusted either, or another
 * one of the same server. A path or an id means one.
 */
function requireUnambiguous(given: string, skill: SkillRecord, { all, shadowed }: Skills): void {
  const { name, source, relativePath } = skill;
  const isGiven = (text: string) => given.toLowerCase() === text.toLowerCase();
  if (isGiven(skill.id)) return;
  const isWithSource = given.includes("@") || given.includes(":");
  const isPath = [relativePath, ...sourcesOf(skill)].some(isGiven);
  const others = [...all, ...shadowed].filter(
    (other) =>
      other !== skill && other.name === name && (other.source === source ? !isPath : !isWithSource),
  );
  if (others.length === 0) return;
  const names = [skill, ...others].map((one) =>
    one.source === source && others.some((other) => other.source === source)
      ? one.id
      : `${name}@${one.source}`,
  );
  throw new AppFailure("usage", `there are several skills named ${name}`, {
    hint: `say which: ${[...new Set(names)].join(", ")}`,
  });
}

/** `a/pdf@mcp:docs` and `a/pdf@docs`. */
function sourcesOf({ relativePath, source }: SkillRecord): readonly string[] {
  return [source, source.replace("mcp:", "")].map((from) => `${relativePath}@${from}`);
}

/** A name that is wrong, or of a skill that cannot be used, is reported before there is a run. */
export function requireUsable(names: readonly string[], skills: Skills): void {
  for (const given of names) {
    const { name, source, uri, enabled, trusted } = findOrFail(skills, given);
    if (!enabled) {
      const hint = `enable it: skillwright enable ${name}`;
      throw new AppFailure("no", `the skill ${name} is disabled`, { hint });
    }
    if (!trusted) {
      const hint =
        uri === undefined
          ? "after a look at it: skillwright trust, or --trust for one run"
          : `after a look at it: skillwright trust ${name}@${source}`;
      throw new AppFailure("no", `the skill ${name} is there, but not trusted`, { hint });
    }
  }
}
