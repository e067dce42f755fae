import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCli, bundleLibraries } from "./bundle.mjs";
import { ROOT } from "./setup.mjs";

const BUNDLE = join(ROOT, "packages/cli/dist/skillwright.cjs");
const STAMP = join(ROOT, "node_modules/.cache/skillwright/bundle.json");

/** Builds command line and libraries, when a source is another one than at the last build, or the bundle is. */
export async function ensureBundled() {
  const sources = sourcesStamp();
  const stamp = readStamp();
  if (stamp.sources === sources && stamp.bundle === bundleStamp()) return;
  console.error("Building the command line and the libraries (a few seconds) …");
  await bundleCli();
  await bundleLibraries();
  mkdirSync(join(STAMP, ".."), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ sources, bundle: bundleStamp() }));
}

/** Names, sizes and times of everything that the bundle is made of. */
function sourcesStamp() {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  const files = packages
    .flatMap((folder) => [`${folder}/package.json`, ...filesBelow(`${folder}/src`)])
    .concat("package-lock.json", "scripts/bundle.mjs", "scripts/packages.mjs")
    .filter((path) => !path.endsWith(".test.ts"));
  const hash = createHash("sha256");
  for (const path of files.sort()) hash.update(`${path} ${fileStamp(path)}\n`);
  return hash.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length));
}

function fileStamp(path) {
  const { size, mtimeMs } = statSync(join(ROOT, path));
  return `${size} ${mtimeMs}`;
}

/** Others build too, `npm test` for one. */
function bundleStamp() {
  const stats = statSync(BUNDLE, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, "utf8"));
  } catch {
    return {};
  }
}
