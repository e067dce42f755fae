import { statSync } from "node:fs";
import type { ServerProblem } from "../connection/server-problem.ts";
import type { ProgramSettings } from "../settings/server-settings.ts";

/** Why a program did not start. */
export function startProblem(
  error: NodeJS.ErrnoException,
  { command, cwd }: Pick<ProgramSettings, "command" | "cwd">,
): ServerProblem {
  const { code, message } = error;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { reason: `its folder ${cwd} is not there`, hint: "look at its cwd in mcpServers" };
  }
  if (code === "ENOENT") {
    const hint = "is it installed, and on the PATH from which you start this?";
    return { reason: `its program ${command} is not found`, hint };
  }
  if (code === "EACCES" || code === "EPERM") {
    const hint = "make it executable, or name what runs it as the command";
    return { reason: `its program ${command} may not be run`, hint };
  }
  return { reason: `it cannot be started: ${code ?? message}` };
}
