import type { SkillRecord } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { openNamedRegistry, openSession, switchSkill } from "@skillwright/app/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";

export interface SwitchCommandOptions extends GlobalOptions {
  /** Only in this project. */
  readonly project?: boolean;
}

/** By its name a skill is meant with all others of that name; by source or path, only itself. */
export async function switchCommand(
  name: string,
  enabled: boolean,
  options: SwitchCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openNamedRegistry(session, name, options, console);
  const request = {
    name,
    enabled,
    isOne: options.source !== undefined,
    inProject: options.project === true,
  };
  const { skill, meant, changed, where, left } = await switchSkill(request, skills, session);
  if (console.json) {
    const state = { enabled: enabled && left.length === 0, changed, disabledBy: left };
    console.printJson({ name: skill.name, skill: meant, ...state });
  } else if (left.length > 0) {
    console.printText(visibleLine(`${meant} is still disabled:`));
    for (const { place, undo } of left) console.printText(visibleLine(`  ${place}; ${undo}`));
  } else {
    console.printText(visibleLine(stateText(meant, enabled, changed, where, skill)));
  }
  return left.length > 0 ? EXIT.no : EXIT.done;
}

function stateText(
  meant: string,
  enabled: boolean,
  changed: boolean,
  where: string | undefined,
  skill: SkillRecord,
): string {
  const state = enabled ? "enabled" : "disabled";
  const scope = where === undefined ? "everywhere" : `in ${where}`;
  const which = meant === skill.name ? "" : ` (${skill.uri ?? skill.path})`;
  return `${meant} ${changed ? "is now" : "was already"} ${state} ${scope}${which}`;
}
