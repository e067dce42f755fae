import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchClient } from "./mcp/bench-client.ts";
import { type ContenderName, serveContender } from "./mcp/serve-contender.ts";
import { type Contender, SERVE, startContender } from "./mcp/start-contender.ts";
import { median, type Times } from "./parse/measure-rounds.ts";
import { checkFaster } from "./scan/bars.ts";

const SKILLS = 5000;
const READS = 800;
const TURN = 80;
const PARALLEL = 16;
const ROUNDS = 5;
/** At least as fast as the SDK's own loader, which has neither token, policy nor record. */
const BAR = 1;

interface Task {
  readonly name: string;
  /** What one round does, for the rate. */
  readonly amount: number;
  /** In how many turns: short ones, so that a busy machine slows both alike. */
  readonly turns: number;
  run(client: BenchClient, uris: readonly string[]): Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    name: `skills/list, all pages of ${SKILLS} skills`,
    amount: 1,
    turns: 1,
    async run(client) {
      const skills = await client.listSkills();
      if (skills.length !== SKILLS) throw new Error(`${skills.length} skills are listed`);
    },
  },
  {
    name: "resources/read, one after the other",
    amount: READS,
    turns: READS / TURN,
    async run(client, uris) {
      for (const uri of uris) await client.read(uri);
    },
  },
  {
    name: `resources/read, ${PARALLEL} at a time`,
    amount: READS,
    turns: READS / TURN,
    async run(client, uris) {
      const left = [...uris];
      const lane = async () => {
        for (let uri = left.pop(); uri !== undefined; uri = left.pop()) await client.read(uri);
      };
      await Promise.all(Array.from({ length: PARALLEL }, lane));
    },
  },
];

/** The server for MCP clients against the loader of the official SDK, both over HTTP on this machine. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-bench-"));
  const bundle = fileURLToPath(import.meta.url);
  const contenders: Contender[] = [];
  try {
    makeSkills(join(folder, "skills"));
    for (const name of ["sdk", "ours"] as const) {
      contenders.push(await startContender(name, folder, bundle));
    }
    const [sdk, ours] = contenders as [Contender, Contender];
    console.log(`load ${(loadavg()[0] ?? 0).toFixed(1)}; ready after, with every file hashed:`);
    for (const { name, startMilliseconds } of contenders) {
      console.log(`${(startMilliseconds / 1000).toFixed(1).padStart(8)} s    ${name}`);
    }
    const results: boolean[] = [];
    for (const task of TASKS) results.push(await compare(task, sdk, ours));
    if (!results.every(Boolean)) process.exitCode = 1;
  } finally {
    for (const contender of contenders) contender.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(task: Task, sdk: Contender, ours: Contender): Promise<boolean> {
  const uris = Array.from({ length: READS }, (_, index) => {
    const number = (index * 37) % SKILLS;
    return `skill://skill-${number}/${index % 2 === 0 ? "SKILL.md" : "references/guide.md"}`;
  });
  const rounds: Record<ContenderName, number[]> = { sdk: [], ours: [] };
  for (let round = -2; round < ROUNDS; round++) {
    const spent: Record<ContenderName, number> = { sdk: 0, ours: 0 };
    for (let turn = 0; turn < task.turns; turn++) {
      const part = uris.slice(turn * TURN, (turn + 1) * TURN);
      for (const { name, client } of turn % 2 === 0 ? [sdk, ours] : [ours, sdk]) {
        const start = performance.now();
        await task.run(client, part);
        spent[name] += performance.now() - start;
      }
    }
    if (round < 0) continue;
    for (const name of ["sdk", "ours"] as const) rounds[name].push(spent[name]);
  }
  const timesOf = (name: ContenderName): Times => {
    return { name, rounds: rounds[name], median: median(rounds[name]) };
  };
  console.log(`\n${task.name}`);
  for (const name of ["sdk", "ours"] as const) {
    const rate = (task.amount / timesOf(name).median) * 1000;
    console.log(`${rate.toFixed(task.amount === 1 ? 1 : 0).padStart(8)} per second   ${name}`);
  }
  return checkFaster("  ours / sdk", timesOf("sdk"), timesOf("ours"), BAR);
}

/** Such as the SDK's loader takes, too. */
function makeSkills(root: string): void {
  for (let index = 0; index < SKILLS; index++) {
    const folder = join(root, `skill-${index}`);
    mkdirSync(join(folder, "references"), { recursive: true });
    const description = `Does the work of kind ${index}. Use when somebody asks for kind ${index}.`;
    const text = `---\nname: skill-${index}\ndescription: ${description}\nlicense: MIT\n---\n`;
    writeFileSync(join(folder, "SKILL.md"), `${text}# Goal\n${"Do it well.\n".repeat(100)}`);
    writeFileSync(join(folder, "references/guide.md"), `# Guide\n${"Step by step.\n".repeat(300)}`);
  }
}

const [, , marker, name, folder = ""] = process.argv;
if (marker === SERVE) await serveContender(name as ContenderName, folder);
