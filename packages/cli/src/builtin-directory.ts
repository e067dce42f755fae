import { basename, dirname, join } from "node:path";

/**
 * The skills that come with this package; `folder` is where its code is. In our own workspace they
 * are beside the packages. Not found by looking upwards: an installed package would then take the
 * `skills` of whoever installed it for its own.
 */
export function builtinDirectory(folder: string): string {
  const cli = dirname(folder);
  const packages = dirname(cli);
  const isWorkspace = basename(cli) === "cli" && basename(packages) === "packages";
  return join(isWorkspace ? dirname(packages) : cli, "skills");
}
