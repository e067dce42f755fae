import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkRatio, showRatio } from "./scan/bars.ts";
import { makeProject } from "./scan/skill-roots.ts";
import { measureStarts } from "./start/measure-starts.ts";

const SKILLS = 20;
const SEED = 1;
const ROUNDS = 20;

const BARS = { version: 1.7, list: 2.5, complete: 3 };

/** The bundle of this file is in bench/node_modules/.cache. */
const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** How long the built command line takes to start, beside Node itself, as a person starts it. */
export async function run(): Promise<void> {
  const cli = join(REPOSITORY, "packages/cli/bin/skillwright.cjs");
  const { folder } = makeProject(SKILLS, SEED);
  const before = load();
  const [node, version, list, complete, help] = measureStarts(
    [
      { name: "node -e 0", args: ["-e", "0"] },
      { name: "--version", args: [cli, "--version"] },
      { name: "list", args: [cli, "list"] },
      { name: "complete -- inspect", args: [cli, "complete", "--", "inspect", ""] },
      { name: "--help", args: [cli, "--help"] },
    ],
    { cwd: folder, rounds: ROUNDS },
  );
  if (!node || !version || !list || !complete || !help) throw new Error("nothing was measured");
  console.log(`${SKILLS} skills, medians of ${ROUNDS} rounds, load ${before} to ${load()}\n`);
  for (const { name, median, rounds } of [node, version, list, complete, help]) {
    const fastest = Math.min(...rounds);
    console.log(
      `${name.padEnd(24)}${median.toFixed(1).padStart(8)} ms   fastest ${fastest.toFixed(1)}`,
    );
  }
  console.log("\nratios of the medians");
  const results = [
    checkRatio("--version / node -e 0", version, node, BARS.version),
    checkRatio("list / node -e 0", list, node, BARS.list),
    checkRatio("complete / node -e 0", complete, node, BARS.complete),
  ];
  showRatio("--help / node -e 0", help, node);
  if (!results.every(Boolean)) process.exitCode = 1;
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
