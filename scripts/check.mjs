import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundleCli, bundleLibraries } from "./bundle.mjs";
import { packPackages } from "./pack-packages.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";
import { privateTestImports } from "./test-imports.mjs";

ensureInstalled("full");

const bin = (name) => join(ROOT, "node_modules/.bin", name);
let failed = 0;

check("format", bin("oxfmt"), ["--check", "."]);
check("types", bin("tsc"), ["-b"]);
check("lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]);
check("dead code", bin("knip"), []);
check("documentation", process.execPath, ["scripts/generate-docs.mjs", "--check"]);
const privateImports = privateTestImports();
report("imports of tests", privateImports.length === 0, privateImports.join("\n"));
await checkPackages();
for (const file of [
  "package-lock.json",
  "bench/package-lock.json",
  "bench/inspector/package-lock.json",
]) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const addresses = text.match(/"resolved": "[a-z+]+:\/\/.*/g) ?? [];
  report(`no download addresses in ${file}`, addresses.length === 0, addresses.join("\n"));
}
process.exitCode = failed === 0 ? 0 : 1;

/** What is published is looked at, not the folders that it is made from. */
async function checkPackages() {
  const { typeProblems } = await import("./type-problems.mjs");
  const folder = mkdtempSync(join(tmpdir(), "skillwright-check-"));
  try {
    await bundleCli();
    await bundleLibraries();
    for (const { file } of packPackages(folder)) {
      check(`package ${basename(file)}`, bin("publint"), ["--strict", file]);
      const problems = await typeProblems(file);
      const text = problems.map((problem) => JSON.stringify(problem)).join("\n");
      report(`types of ${basename(file)}`, problems.length === 0, text);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(name, command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
  });
  report(name, status === 0, `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`);
}

function report(name, isGood, problems) {
  console.log(`${isGood ? "ok  " : "FAIL"} ${name}`);
  if (isGood) return;
  failed++;
  console.log(problems);
}
