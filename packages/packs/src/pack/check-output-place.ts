import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { PackFailure } from "../pack-failure.ts";

/** Refuses an output that would become part of what is packed the next time. */
export async function checkOutputPlace(
  output: string,
  folders: readonly string[],
): Promise<PackFailure | undefined> {
  const place = await realPlace(resolve(output));
  for (const folder of folders) {
    const way = relative(await realPlace(resolve(folder)), place);
    if (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way) {
      return {
        ok: false,
        code: "root-unwritable",
        message: `the output ${JSON.stringify(output)} lies in ${JSON.stringify(folder)}, which is packed`,
        hint: "choose an output outside of it",
      };
    }
  }
  return undefined;
}

/** The real path of something that may not exist yet. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPlace(parent), basename(path));
  }
}
