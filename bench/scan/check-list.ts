import { join } from "node:path";
import { checkRatio } from "./bars.ts";
import { timesOf } from "./measure-scan.ts";
import { runNode } from "./run-process.ts";
import { makeProject } from "./skill-roots.ts";

const SKILLS = 20;
const RUNS = 20;
const MAX_RATIO = 2.6;

/** `skillwright list` beside Node's own start, one run of each by turns. */
export function checkList(repository: string, seed: number): boolean {
  const cli = join(repository, "packages/cli/bin/skillwright.cjs");
  const { folder } = makeProject(SKILLS, seed);
  console.log(`\nskillwright list, ${SKILLS} skills, beside node -e 0, medians of ${RUNS}`);
  const missing = whyNoList(cli);
  if (missing !== undefined) {
    console.log(`list: not built (${missing})`);
    return true;
  }
  try {
    return compareStarts(cli, folder);
  } catch (error) {
    console.log(`list: could not be run: ${String(error)}`);
    return false;
  }
}

function compareStarts(cli: string, folder: string): boolean {
  const list = () => runNode([cli, "list"], { cwd: folder, quiet: true }).milliseconds;
  const node = () => runNode(["-e", "0"], { cwd: folder, quiet: true }).milliseconds;
  list();
  const pairs = Array.from({ length: RUNS }, () => ({ list: list(), node: node() }));
  const lists = timesOf(
    "list",
    pairs.map((pair) => pair.list),
  );
  const starts = timesOf(
    "node",
    pairs.map((pair) => pair.node),
  );
  const note = `${lists.median.toFixed(0)} ms, node ${starts.median.toFixed(0)} ms`;
  return checkRatio(`list / node -e 0 (${note})`, lists, starts, MAX_RATIO);
}

/** Help for an unknown command is the general help: the usage line tells. */
function whyNoList(cli: string): string | undefined {
  try {
    const { stdout } = runNode([cli, "list", "--help"]);
    return stdout.includes("skillwright list") ? undefined : "there is no such command";
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 120) : String(error);
  }
}
