import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));

/** Runs the built command line as a user would, with an environment of its own. */
export function builtCli(args: readonly string[], cwd: string) {
  const { PATH } = process.env;
  return spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH, HOME: cwd },
  });
}
