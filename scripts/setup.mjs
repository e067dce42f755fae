import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "./npm.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Skillwright needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(4);
}

/**
 * Installs what is missing: `run` is what `npm start` needs, `full` adds the tools of the tests. A
 * stamp in node_modules says what is there, so that nothing is done when nothing changed.
 */
export function ensureInstalled(level, folder = ROOT) {
  const stampFile = join(folder, "node_modules", ".skillwright-setup.json");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = readStamp(stampFile);
  if (stamp.lock === lock && (stamp.level === level || stamp.level === "full")) return;
  // `npm ci` by hand leaves no stamp, and must not be undone by a smaller one.
  if (stamp.lock === undefined && isInstalledByHand(folder)) return;
  console.error(
    level === "run"
      ? "Installing what running needs (a few seconds) …"
      : `Installing packages in ${folder} (about a minute) …`,
  );
  const what = level === "run" ? "--omit=dev" : "--include=dev";
  npm(["ci", what, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
  });
  writeFileSync(stampFile, JSON.stringify({ lock, level }));
}

function isInstalledByHand(folder) {
  const timeOf = (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isCurrent = timeOf("node_modules/.package-lock.json") >= timeOf("package-lock.json");
  return isCurrent && (folder !== ROOT || timeOf("node_modules/vitest/package.json") > 0);
}

function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
