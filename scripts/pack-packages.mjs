import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./setup.mjs";

/** Packs every package, as built, into a folder; gives `{ name, file, paths }` for each. */
export function packPackages(folder) {
  const args = ["pack", "--workspaces", "--json", "--loglevel=error", "--pack-destination", folder];
  // Without what npm told the scripts that it runs: this is a call of its own.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
  );
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...env, SKILLWRIGHT_BUILT: "1" },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const packed = JSON.parse(stdout);
  return packed.map(({ name, filename, files }) => ({
    name,
    file: join(folder, filename),
    paths: files.map(({ path }) => path),
  }));
}
