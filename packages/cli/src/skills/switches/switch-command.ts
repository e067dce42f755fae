import { openSwitchStore } from "@skillwright/core";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, openSessionRegistry } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";
import { findOrFail } from "../find-or-fail.ts";

export interface SwitchCommandOptions extends GlobalOptions {
  /** Only in this project. */
  readonly project?: boolean;
}

export async function switchCommand(
  name: string,
  enabled: boolean,
  options: SwitchCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const skills = await openSessionRegistry(session, options, console);
  const skill = findOrFail(skills, name);
  const store = await openSwitchStore(session.stateDirectory);
  const where = options.project === true ? session.project : undefined;
  const changed = await store.setEnabled(skill.name, enabled, where);
  if (console.json) {
    console.printJson({ name: skill.name, enabled, changed });
    return EXIT.done;
  }
  const state = enabled ? "enabled" : "disabled";
  const scope = where === undefined ? "everywhere" : `in ${where}`;
  const text = `${skill.name} ${changed ? "is now" : "was already"} ${state} ${scope}`;
  console.print(visibleText(text));
  return EXIT.done;
}
