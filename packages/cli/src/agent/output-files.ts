import type { RecordedRun } from "@skillwright/app";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { counted } from "./view/amounts.ts";

const MAX_SHOWN = 10;

/** One line for each file, the first ones. */
export function outputLines(
  files: RecordedRun["outputFiles"],
  { env }: Pick<Console, "env">,
): readonly string[] {
  const home = env["HOME"] ?? "";
  const shown = files.slice(0, MAX_SHOWN).map(({ path, bytes }) => {
    const place = home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    return visibleLine(`${place} (${counted(bytes, "byte")})`);
  });
  const more = files.length - shown.length;
  return more > 0 ? [...shown, `and ${counted(more, "more file")}`] : shown;
}
