import type { Failure } from "@skillwright/core";
import type { Action } from "../actions/action.ts";
import type { RunState } from "../loop/run-state.ts";
import { failed, nameOf, notActive, type Observation } from "./observation.ts";
import type { World } from "./world.ts";

/** Level 3: reads one file of an active skill. */
export async function loadResource(
  action: Extract<Action, { action: "load_resource" }>,
  state: RunState,
  world: World,
): Promise<Observation> {
  const { view } = world;
  const { skill, relative_path: path, section_hint: section, start_line, end_line } = action;
  const inactive = notActive(skill, state, view);
  if (inactive !== undefined) return inactive;
  const read = await view.readFile(nameOf(skill), path, {
    page: true,
    ...(section !== undefined && { section }),
    ...(start_line !== undefined && { startLine: start_line }),
    ...(end_line !== undefined && { endLine: end_line }),
  });
  world.record({
    event: "file-read",
    data: { turn: state.usage.turns, skill: skill.name, path, ok: read.ok },
  });
  if (!read.ok) return failed(asAction(read));
  if (read.kind === "binary") {
    return {
      ok: false,
      code: "file-binary",
      text: `${path} is no text: ${read.mediaType}, ${read.size} bytes.`,
    };
  }
  const { startLine, endLine, totalLines = "?", endOfFile, text } = read;
  const more = endOfFile ? "" : `; go on with start_line ${endLine + 1}`;
  return {
    ok: true,
    text: `${path}, lines ${startLine}-${endLine} of ${totalLines}${more}:\n${text}`,
  };
}

/** Its advice, in the names that the action has for things. */
function asAction({ hint, ...failure }: Failure): Failure {
  const message = renamed(failure.message);
  return { ...failure, message, ...(hint !== undefined && { hint: renamed(hint) }) };
}

function renamed(text: string): string {
  return text.replaceAll(/\bstartLine\b/g, "start_line").replaceAll(/\bendLine\b/g, "end_line");
}
