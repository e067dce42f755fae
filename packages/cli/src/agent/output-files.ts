import { type FileStore, isPart } from "@skillwright/agent/internal";
import { visibleLine } from "@skillwright/core/internal";
import { RunChanges } from "@skillwright/runtime/internal";
import { join } from "node:path";
import type { Console } from "../console.ts";
import { listRuns } from "@skillwright/app/internal";
import { counted } from "./view/amounts.ts";

type OutputFile = ReturnType<typeof RunChanges.outputIn>[number];

const MAX_SHOWN = 10;

/** What scripts of a run and of its children left for the user in `$SKILLWRIGHT_OUTPUT`. */
export async function outputOf(runId: string, store: FileStore): Promise<readonly OutputFile[]> {
  const family = (await listRuns(store)).filter((one) => one === runId || isPart(one, runId));
  return family.flatMap((one) => RunChanges.outputIn(join(store.stateDirectory, "runs", one)));
}

/** One line for each file, the first ones. */
export function outputLines(
  files: readonly OutputFile[],
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
