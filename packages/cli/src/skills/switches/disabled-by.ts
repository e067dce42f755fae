import type { SkillRecord } from "@skillwright/core";
import type { SwitchStore } from "@skillwright/core/internal";
import type { Session } from "@skillwright/app/internal";

/** Something that keeps a skill switched off, and how to undo it. */
export interface DisablingSwitch {
  readonly place: string;
  readonly undo: string;
}

type SkillSwitch = Awaited<ReturnType<SwitchStore["switches"]>>[number];

/** Everything that keeps a skill switched off: switches of the user, and the configuration. */
export function disabledBy(
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
export function skillKey({ source, relativePath }: SkillRecord): string {
  return `${source}:${relativePath}`;
}

/** Names are compared without regard to case and Unicode form. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function enableCommand(key: string, skill: SkillRecord, project: string | undefined): string {
  const isName = foldName(key) === foldName(skill.name);
  const name = isName ? key : `${skill.relativePath}@${skill.source}`;
  return `skillwright enable ${name}${project === undefined ? "" : " --project"}`;
}
