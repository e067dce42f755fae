import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./npm.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

// `npm test` runs everything with coverage; `npm test -- <vitest arguments>` what they select.
const args = process.argv.slice(2);

ensureInstalled("full");
ensureSystemPackages(["bubblewrap", "python3", "tmux", "chromium"]);
run(process.execPath, [join(ROOT, "scripts/build.mjs")]);

const report = join(ROOT, "node_modules/.cache/skillwright/test-report.json");
mkdirSync(join(report, ".."), { recursive: true });
rmSync(report, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...(args.length === 0 ? ["--coverage"] : args),
  ],
  { cwd: ROOT, stdio: "inherit" },
);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
  readFileSync(report, "utf8"),
);
console.log(
  `tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`,
);
process.exitCode = status ?? 1;
