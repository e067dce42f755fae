import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { CommandFailure, EXIT } from "../exit-code.ts";

/** Refuses anything but a folder inside the project, links resolved. A missing folder is fine. */
export async function checkInside(folder: string, project: string): Promise<void> {
  const steps = folder === "." ? [] : folder.split("/");
  const inside = await realpath(project).catch(() => project);
  let path = project;
  for (const step of steps) {
    path = join(path, step);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) return;
    if (stats.isDirectory()) continue;
    if (!stats.isSymbolicLink()) {
      throw new CommandFailure(EXIT.usage, `${path} is not a folder`, { hint: NOTHING_WRITTEN });
    }
    const real = await realpath(path).catch(() => undefined);
    if (real?.startsWith(`${inside}${sep}`) === true) continue;
    throw new CommandFailure(EXIT.usage, `${path} is a link that leads out of the project`, {
      hint: `${NOTHING_WRITTEN}; remove the link first`,
    });
  }
}

const NOTHING_WRITTEN = "nothing was written";
