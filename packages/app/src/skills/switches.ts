import type { SkillRecord, Skills } from "@skillwright/core";
import { openSwitchStore, type SwitchStore } from "@skillwright/core/internal";
import type { Session } from "../session/session.ts";
import { findOrFail } from "../session/find-or-fail.ts";

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
