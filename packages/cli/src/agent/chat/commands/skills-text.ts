import { type SkillRecord } from "@skillwright/core";
import { isVisibleToModel, visibleLine } from "@skillwright/core/internal";
import { table } from "../../../terminal/table.ts";

interface SkillsTextOptions {
  readonly width: number;
  readonly dim: (text: string) => string;
}

const MAX_ROWS = 100;

/** `/skills`: what there is, the active ones first. */
export function skillsText(
  skills: readonly SkillRecord[],
  /** As `name@source`. */
  active: readonly string[],
  { width, dim }: SkillsTextOptions,
): string {
  if (skills.length === 0) return "There are no skills. skillwright doctor says where they may be.";
  const wanted = new Set(active.map((name) => name.toLowerCase()));
  const isActive = ({ name, source }: SkillRecord) => wanted.has(`${name}@${source}`.toLowerCase());
  const sorted = [...skills.filter(isActive), ...skills.filter((skill) => !isActive(skill))];
  const rows = sorted
    .slice(0, MAX_ROWS)
    .map((skill) => [
      visibleLine(skill.name),
      isActive(skill) ? "active" : offeredTo(skill),
      visibleLine(skill.source),
      visibleLine(skill.description),
    ]);
  const shown = table(["SKILL", "STATE", "SOURCE", "DESCRIPTION"], rows, { width, header: dim });
  const more = sorted.length - rows.length;
  const rest = more > 0 ? `\n${dim(`… ${more} more; skillwright list shows all`)}` : "";
  return `${shown}${rest}\n${dim("Active ones stay so in this conversation. /name calls one, /why name explains.")}`;
}

function offeredTo(skill: SkillRecord): string {
  if (!skill.enabled) return "disabled";
  if (!skill.trusted) return "untrusted";
  if (!isVisibleToModel(skill)) return "by name";
  return skill.userInvocable ? "" : "by model";
}
