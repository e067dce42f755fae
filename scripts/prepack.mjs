import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { bundleCli, bundleLibrary } from "./bundle.mjs";
import { run } from "./npm.mjs";
import { LIBRARIES } from "./packages.mjs";
import { packedManifest, restoreManifest } from "./packed-manifest.mjs";
import { ROOT } from "./setup.mjs";

/**
 * What `npm pack` and `npm publish` run in the folder of a package before they look at its files; with
 * `--after` what they run when they are done. SKILLWRIGHT_BUILT says that the build is there already.
 */
const folder = process.cwd();
const isCli = basename(folder) === "cli";
// The build runs from the skills at the root; the package brings them along.
const skills = join(folder, "skills");

if (isCli) {
  restoreManifest(folder);
  rmSync(skills, { recursive: true, force: true });
}
if (!process.argv.includes("--after")) {
  if (process.env["SKILLWRIGHT_BUILT"] === undefined) await build();
  if (isCli) {
    cpSync(join(ROOT, "skills"), skills, { recursive: true });
    packedManifest(folder);
  } else removeOrphans();
}

async function build() {
  if (isCli) return bundleCli();
  run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-b", folder]);
  return bundleLibrary(LIBRARIES.find((library) => library.folder === folder));
}

/** Declarations of sources that are gone: the compiler leaves them. */
function removeOrphans() {
  const dist = join(folder, "dist");
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const path = relative(dist, join(entry.parentPath, entry.name));
    const source = join(folder, "src", path.replace(/\.d\.ts$/, ".ts"));
    if (!existsSync(source)) rmSync(join(dist, path));
  }
}
