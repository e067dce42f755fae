import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtEval } from "../support/built-eval.ts";
import { CASES, CSV } from "../support/eval-world.ts";
import { skillText } from "../support/skill-tree.ts";

const WATCHING = "and their skills; Ctrl-C ends it.";
const FILE = ".agent/evals/cases.yaml";
const SCRIPT = ".agent/skills/csv/scripts/profile.js";
const QUERIES = ".agent/skills/pdf/evals/evals.json";
const VERDICT = /^(?:✓ PASS|✗ FAIL|! ERRORS?)/gm;

const caseText = (id: string, input: string, skills: string) =>
  `  - id: ${id}\n    input: ${input}\n    expected: { skills: [${skills}] }\n`;
const verdicts = (text: string) => text.match(VERDICT)?.length ?? 0;

/** Watching, without a terminal. */
async function watched(args: readonly string[] = [], files: Readonly<Record<string, string>> = {}) {
  const world = builtEval({ [SCRIPT]: "console.log(1);\n", ...files });
  const watching = world.start(["--watch", ...args]);
  let rounds = 1;
  const first = await watching.says(WATCHING);
  /** What is said about the next change. */
  const next = async (change: () => void) => {
    const before = (await watching.says("")).length;
    change();
    const said = await watching.says(WATCHING, ++rounds);
    expect(said.length).toBeGreaterThan(before);
    return said;
  };
  const end = async (signal: NodeJS.Signals = "SIGINT") => {
    watching.child.kill(signal);
    return watching.ended;
  };
  return { ...world, watching, first, next, end };
}

describe("eval --watch", () => {
  it("C-01 runs all cases, waits, and ends with 130 without leaving anything", async () => {
    const { first, end, leftOver } = await watched();
    expect(first).toContain("Watching 3 cases and their skills; Ctrl-C ends it.");
    expect(first).toContain("3 of 3 cases");
    expect(leftOver()).toEqual([]);
    const { exitCode, stdout, stderr } = await end();
    expect([exitCode, verdicts(stdout), leftOver()]).toEqual([130, 1, []]);
    expect(stderr).not.toContain("error");
  });

  it("C-01 says what changed and how many cases that touches; results are of all cases", async () => {
    const { next, write, end, saved, project } = await watched(["--save", "now.json"]);
    const script = await next(() => write(SCRIPT, "console.log(2);\n"));
    expect(script).toContain("Changed: the skill csv. Running 1 of 3 cases again.");
    const edited = await next(() =>
      write(FILE, CASES.replace("Write a poem about roses", "Write a poem about the sea")),
    );
    expect(edited).toContain(`Changed: ${FILE}. Running 1 of 3 cases again.`);
    // Its description stands in the catalog, which every request is held against.
    const spoilt = await next(() =>
      write(".agent/skills/csv/SKILL.md", skillText("csv", "Something about nothing at all.")),
    );
    expect(spoilt).toContain("Changed: the skill csv. Running 3 of 3 cases again.");
    expect(saved("now.json").trials.map(({ caseId, outcome }) => [caseId, outcome])).toEqual([
      ["cases/form", "pass"],
      ["cases/table", "fail"],
      ["cases/poem", "pass"],
    ]);
    const mended = await next(() => write(".agent/skills/csv/SKILL.md", skillText("csv", CSV)));
    expect(mended).toContain("3 of 3 cases");
    expect(saved("now.json").trials.map(({ outcome }) => outcome)).toEqual([
      "pass",
      "pass",
      "pass",
    ]);
    expect(existsSync(join(project, "now.json"))).toBe(true);
    expect((await end()).exitCode).toBe(130);
  });

  it("C-01 new files with cases are found, and those that are gone are forgotten", async () => {
    const { next, write, project, end } = await watched(["--html", "report.html"]);
    const html = () => readFileSync(join(project, "report.html"), "utf8");
    const more = ".agent/evals/more.yaml";
    const added = await next(() =>
      write(more, `cases:\n${caseText("second", "Profile that table too", "csv")}`),
    );
    expect(added).toContain(`Changed: ${more}. Running 1 of 4 cases again.`);
    expect(added).toContain("Watching 4 cases");
    expect(html()).toContain("Profile that table too");
    const ofSkill = await next(() =>
      write(QUERIES, '[{"prompt": "Fill the form", "should_trigger": true }]'),
    );
    expect(ofSkill).toContain(`Changed: ${QUERIES}. Running 1 of 5 cases again.`);
    const removed = await next(() => rmSync(join(project, more)));
    expect(removed).toContain(`Changed: ${more}. Running 0 of 4 cases again.`);
    expect(html()).not.toContain("Profile that table too");
    await end();
  });

  it("C-01 a file that cannot be read is told once, and it goes on when that is fixed", async () => {
    const { next, write, watching, end } = await watched();
    write(FILE, "cases: [ {");
    await watching.says("Waiting until that is fixed");
    // Changed while nothing could be read: it counts nevertheless.
    write(SCRIPT, "console.log(3);\n");
    write(FILE, "cases: [ { id: 1");
    const said = await next(() => write(FILE, CASES));
    expect(said).toContain("Changed: the skill csv. Running 1 of 3 cases again.");
    expect(said.match(/cases\.yaml:\d+: error/g)?.length).toBeLessThanOrEqual(2);
    expect((await end("SIGTERM")).exitCode).toBe(130);
  });

  it("C-01 an editor that saves by rename, and many edits at once, are one run", async () => {
    const { next, write, project, end } = await watched();
    const said = await next(() => {
      for (let i = 1; i <= 5; i++) {
        const text = CASES.replace("Write a poem about roses", `Write ${i} poems about roses`);
        writeFileSync(join(project, `${FILE}.new`), text);
        renameSync(join(project, FILE), join(project, `${FILE}~`));
        renameSync(join(project, `${FILE}.new`), join(project, FILE));
        write(SCRIPT, `console.log(${i});\n`);
      }
    });
    expect(said).toContain(`Changed: the skill csv, ${FILE}. Running 2 of 3 cases again.`);
    // The next change is the next run: there was none in between.
    const after = await next(() => write(SCRIPT, "console.log(0);\n"));
    expect([verdicts(after), after.split("Changed:").length - 1]).toEqual([3, 2]);
    await end();
  });

  it("C-01 what is saved unchanged, and what an eval writes itself, runs nothing", async () => {
    const args = ["--save", ".agent/evals/results/now.json", "--html", ".agent/evals/now.html"];
    const { next, write, end } = await watched(args);
    write(FILE, CASES);
    write(".agent/skills/csv/SKILL.md", skillText("csv", CSV));
    const said = await next(() => write(SCRIPT, "console.log(7);\n"));
    expect([verdicts(said), said.split("Changed:").length - 1], said).toEqual([2, 1]);
    await end();
  });

  it("C-01 cases that cannot be read at the start, and options that contradict it, are 2", async () => {
    const { run, leftOver } = builtEval({ [FILE]: "cases: [ {" });
    expect((await run(["--watch"])).exitCode).toBe(2);
    expect((await run(["--watch", "--json"])).exitCode).toBe(2);
    expect((await run(["--watch", "--resume"])).exitCode).toBe(2);
    expect(leftOver()).toEqual([]);
  });
});
