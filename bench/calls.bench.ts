import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSkills } from "../packages/core/src/index.ts";
import { createBubblewrapExecutor } from "../packages/runtime/src/execution/create-executor.ts";
import { openGatedRuns } from "./exec/gated-runs.ts";
import { openChanges } from "./exec/measure-view.ts";
import { type BenchSkill, makeBenchSkill } from "./exec/skill.ts";

interface Region {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Which of our source files one call runs through. The bundle says where each begins and ends. */
export async function run(): Promise<void> {
  const activation = await filesOfActivation();
  console.log("conversation.activate(name) of an opened registry\n");
  for (const file of activation) console.log(file);
  console.log(`\n${String(activation.length).padStart(5)} files\n`);
  const skill = makeBenchSkill();
  try {
    console.log("a script of a skill, in a view, from the call to the receipt\n");
    const files = await filesOfScript(skill);
    for (const file of files) console.log(file);
    const folders = files.map((file) => file.split("/").slice(0, 4).join("/"));
    console.log(`\n${String(files.length).padStart(5)} files`);
    for (const folder of new Set(folders)) {
      const count = folders.filter((one) => one === folder).length;
      console.log(`${String(count).padStart(5)} ${folder}`);
    }
  } finally {
    skill.remove();
  }
}

async function filesOfActivation(): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), "skillwright-calls-"));
  try {
    for (const name of ["first", "second"]) {
      mkdirSync(join(root, name, "references"), { recursive: true });
      const head = `---\nname: ${name}\ndescription: Merges files. Use for files.\nlicense: MIT\n---\n`;
      writeFileSync(join(root, name, "SKILL.md"), `${head}# Steps\n\nSee references/a.md.\n`);
      writeFileSync(join(root, name, "references/a.md"), "# A\n");
    }
    const chat = (await openSkills({ roots: [root] })).conversation();
    // The first call loads modules.
    await chat.activate("first");
    return await filesRunBy(async () => {
      const { ok } = await chat.activate("second");
      if (!ok) throw new Error("not activated");
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function filesOfScript(skill: BenchSkill): Promise<readonly string[]> {
  const executor = createBubblewrapExecutor();
  const changes = openChanges(skill.cwd, join(skill.root, "changes"));
  const runs = await openGatedRuns(skill, { executor, sandbox: "bubblewrap", changes });
  const call = async () => {
    const { ok, text } = await runs.run("pass.py");
    if (!ok) throw new Error(text);
  };
  // The first call loads modules and opens the view.
  await call();
  const files = await filesRunBy(call);
  await runs.close();
  await changes.close();
  return files;
}

async function filesRunBy(work: () => Promise<void>): Promise<readonly string[]> {
  const regions = regionsOf(readFileSync(fileURLToPath(import.meta.url), "utf8"));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const functions = result.find(({ url }) => url === import.meta.url)?.functions ?? [];
  const starts = functions.flatMap(({ ranges: [range] }) =>
    range !== undefined && range.count > 0 ? [range.startOffset] : [],
  );
  const isRun = ({ start, end }: Region) => starts.some((at) => at >= start && at < end);
  const files = regions.filter(isRun).map(({ file }) => file);
  return [...new Set(files)].filter((file) => file.startsWith("packages/")).toSorted();
}

/** The bundler writes the name of each file before its code. */
function regionsOf(bundle: string): readonly Region[] {
  const titles = [...bundle.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)];
  return titles.map(({ index, 1: file = "" }, i) => {
    return { file, start: index, end: titles[i + 1]?.index ?? bundle.length };
  });
}
