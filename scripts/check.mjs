import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("full");

const bin = (name) => join(ROOT, "node_modules/.bin", name);
const packages = readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name));

const CHECKS = [
  ["format", bin("oxfmt"), ["--check", "."]],
  ["types", bin("tsc"), ["-b"]],
  ["lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]],
  ["dead code", bin("knip"), []],
  ["documentation", process.execPath, ["scripts/generate-docs.mjs", "--check"]],
  ...packages.map((folder) => ["package", bin("publint"), ["--strict", folder]]),
];

let failed = 0;
for (const [name, command, args] of CHECKS) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
  });
  const label = name === "package" ? `package ${String(args.at(-1))}` : String(name);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${label}`);
  if (status === 0) continue;
  failed++;
  console.log(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`);
}

for (const file of ["package-lock.json", "bench/package-lock.json"]) {
  const addresses = readFileSync(join(ROOT, file), "utf8").match(/"resolved": "[a-z+]+:\/\/.*/g);
  console.log(`${addresses === null ? "ok  " : "FAIL"} no download addresses in ${file}`);
  if (addresses !== null) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
