import { existsSync, readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "./scan/bars.ts";
import { runNode } from "./scan/run-process.ts";

const ROUNDS = 7;
const BARS: Readonly<Record<string, number>> = {
  "@skillwright/core": 2.5,
  "@skillwright/runtime": 3.5,
  "@skillwright/agent": 3.5,
  "@skillwright/packs": 3.5,
  "@skillwright/mcp": 3.5,
  "@skillwright/evals": 4,
  "@skillwright/app": 3,
};

/** The bundle of this file is in bench/node_modules/.cache. */
const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "../../..");

interface Start {
  readonly name: string;
  /** Flags of Node, with the program last. */
  readonly args: readonly string[];
  readonly wall: number[];
  readonly cpu: number[];
}

/** How long a process takes that imports one entry of a package as built, beside `node -e 0`. */
export async function run(): Promise<void> {
  const entries = readdirSync(join(REPOSITORY, "packages")).flatMap(entriesOf);
  const node = startOf("node -e 0", ["-e", "0"]);
  const starts = entries.map((name) =>
    startOf(name, ["--input-type=module", "-e", `import ${JSON.stringify(name)};`]),
  );
  const before = load();
  // In turns, so that a busy machine slows all of them alike.
  for (let round = 0; round < ROUNDS; round++) [node, ...starts].forEach(measure);
  console.log(`best of ${ROUNDS} rounds, load ${before} to ${load()}\n`);
  for (const { name, wall, cpu } of [node, ...starts]) {
    const [time, busy] = [wall, cpu].map((all) =>
      Math.min(...all)
        .toFixed(1)
        .padStart(8),
    );
    console.log(`${name.padEnd(36)}${time} ms wall clock${busy} ms processor`);
  }
  console.log("\nratios to node -e 0");
  const results = starts.map((start) => {
    const name = `import ${start.name}`;
    const ratio = (key: "wall" | "cpu") => Math.min(...start[key]) / Math.min(...node[key]);
    const bar = BARS[start.name];
    const note = `   processor ${ratio("cpu").toFixed(2)}`;
    if (bar !== undefined) return check(name, ratio("wall"), bar, note);
    console.log(`${name.padEnd(52)}${ratio("wall").toFixed(2).padStart(8)}   no bar${note}`);
    return true;
  });
  if (!results.every(Boolean)) process.exitCode = 1;
}

function entriesOf(folder: string): string[] {
  const file = join(REPOSITORY, "packages", folder, "package.json");
  const { name, exports } = JSON.parse(readFileSync(file, "utf8")) as {
    name: string;
    exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string") return [];
    if (existsSync(join(dirname(file), target.default))) return [name + path.slice(1)];
    throw new Error(`${name} is not built; run: npm run build`);
  });
}

function startOf(name: string, args: readonly string[]): Start {
  return { name, args, wall: [], cpu: [] };
}

/** The time on a processor is that of a second process, which prints it at its end. */
function measure({ args, wall, cpu }: Start): void {
  wall.push(runNode(args, { cwd: REPOSITORY, quiet: true }).milliseconds);
  const program = `${args.at(-1)}; process.stdout.write(JSON.stringify(process.cpuUsage()));`;
  const { stdout } = runNode([...args.slice(0, -1), program], { cwd: REPOSITORY });
  const { user, system } = JSON.parse(stdout) as NodeJS.CpuUsage;
  cpu.push((user + system) / 1000);
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
