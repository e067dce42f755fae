import type { Failure, SkillRecord, Skills } from "@skillwright/core";
import { openSwitchStore, openTrustStore, type SwitchStore } from "@skillwright/core/internal";
import type { AppSkills } from "../api.ts";
import { AppFailure, asValue } from "../failure.ts";
import { isFromMcp, requireVerified } from "../mcp/mcp-session-skills.ts";
import { findOrFail, type Session } from "../session/session.ts";
import { meantTrust, storedName, trustedSkills } from "../session/skills.ts";

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
export function createSkills(opened: () => Opened, reopen: () => Promise<void>): AppSkills {
  const decide = <Value extends { readonly ok: true }>(
    work: (opened: Opened) => Promise<Value>,
  ): Promise<Value | Failure> =>
    asValue(async () => {
      const value = await work(opened());
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
  return {
    get registry() {
      return opened().skills;
    },
    list: () => opened().skills.all,
    explain: (name) => opened().skills.explain(name),
    refresh: async () => {
      await opened().skills.refresh();
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    trust: (name) => decide((now) => trust(name, now)),
    untrust: (name) =>
      decide(async ({ session: { stateDirectory, project } }) => {
        // As it is now: somebody else may have decided since.
        const store = await openTrustStore(stateDirectory);
        if (name === undefined) await store.setFolder(project, "untrusted");
        else {
          const meant = meantTrust(name, trustedSkills(store));
          if (meant.length === 0)
            throw new AppFailure("no", `${name} was not trusted by its content`);
          for (const { stored } of meant) await store.untrustName(stored);
        }
        return { ok: true };
      }),
  };
}

async function trust(name: string | undefined, { session, skills }: Opened) {
  const store = await openTrustStore(session.stateDirectory);
  if (name === undefined) {
    await store.setFolder(session.project, "trusted");
    return { ok: true as const };
  }
  const skill = findOrFail(skills, name);
  if (isFromMcp(skill)) {
    await requireVerified(skill, skills);
    await store.trustDigest(skills.stampOf(skill), storedName(skill));
  } else await store.trustDigest(await skills.digest(skill), skill.name);
  return { ok: true as const };
}
