import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "./npm.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";
import { ensureSystemPackages, missingPackages } from "./system-packages.mjs";

// `npm test` runs the fast suite, `npm run test:system` the rest. Further arguments go to vitest, to select some.
const [, , suite, ...args] = process.argv;
const PROJECTS = { fast: ["unit", "mocked", "integration"], system: ["system"] };
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const CACHE = join(ROOT, "node_modules/.cache/skillwright");
const selection = [...PROJECTS[suite].map((name) => `--project=${name}`), ...args];

/** Which tests need which package of the system, by path or text. */
const SANDBOXED = /^(?:test|packages\/(?:cli|evals|runtime))\//;
const NEEDS = {
  bubblewrap: (path) => SANDBOXED.test(path),
  python3: (path) => SANDBOXED.test(path),
  "python3-pip": (_, text) => text.includes("python-index"),
  tmux: (_, text) => text.includes("tmux"),
  chromium: (_, text) => text.includes("chromium"),
};
/** Temporary folders are kept in memory when this much of it is free. */
const MEMORY = 4 * 1024 ** 3;

const DURATION = { fast: "about 5 minutes", system: "20 minutes or more" };
const isAll = args.length === 0;
if (isAll) console.error(`The ${suite} suite takes ${DURATION[suite]} on two cores.`);

ensureInstalled("full");
installSystemPackages();
run(process.execPath, [join(ROOT, "scripts/build.mjs")]);

const report = join(CACHE, `${suite}-report.json`);
mkdirSync(CACHE, { recursive: true });
rmSync(report, { force: true });
const env = { ...process.env };
if (suite === "system") {
  env["FC_SEED"] ??= String(randomInt(2 ** 31));
  console.log(`Property tests start from FC_SEED=${env["FC_SEED"]}.`);
}
// Each suite keeps its part for `npm run coverage`, which merges them and checks the threshold.
const coverage = [
  "--coverage",
  "--coverage.thresholds.lines=0",
  "--reporter=blob",
  `--outputFile.blob=${join(CACHE, "coverage", `${suite}.json`)}`,
];
const vitest = [
  process.execPath,
  VITEST,
  "run",
  ...selection,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...(process.env["TEST_COVERAGE"] === undefined ? [] : coverage),
];
const status = inMemory(vitest, env);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
  readFileSync(report, "utf8"),
);
console.log(
  `tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`,
);
process.exitCode = status ?? 1;

function installSystemPackages() {
  if (missingPackages(Object.keys(NEEDS)).length === 0) return;
  const list = ["list", "--filesOnly", "--json", ...selection];
  const { stdout } = spawnSync(process.execPath, [VITEST, ...list], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const files = JSON.parse(stdout).map(({ file }) => [
    relative(ROOT, file),
    readFileSync(file, "utf8"),
  ]);
  ensureSystemPackages(
    Object.keys(NEEDS).filter((name) => files.some(([path, text]) => NEEDS[name](path, text))),
  );
}

/**
 * Runs a command whose temporary folder is a tmpfs that only it sees and that ends with it, where that is
 * possible. Tests sync many small files, which takes most of their time on a disk.
 */
function inMemory([command, ...rest], env) {
  const options = { cwd: ROOT, stdio: "inherit", env };
  const folder = mkdtempSync(join(tmpdir(), "skillwright-tests-"));
  const mount = 'mount -t tmpfs -o mode=1777 tmpfs "$0"';
  const within = (script, ...more) => ["-m", "sh", "-c", script, folder, ...more];
  try {
    const canMount =
      freemem() > MEMORY && spawnSync("unshare", within(mount), { stdio: "ignore" }).status === 0;
    if (!canMount) return spawnSync(command, rest, options).status;
    const script = `${mount} && TMPDIR="$0" exec "$@"`;
    return spawnSync("unshare", within(script, command, ...rest), options).status;
  } finally {
    rmdirSync(folder);
  }
}
