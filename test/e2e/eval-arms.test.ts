import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EvalResults } from "../../packages/evals/src/index.ts";
import { CSV, evalWorld } from "../support/eval-world.ts";
import { GitRepository } from "../support/git-repository.ts";
import { runCli } from "../support/run-cli.ts";
import { skillText } from "../support/skill-tree.ts";

const QUERIES = JSON.stringify([
  { prompt: "Profile the table", should_trigger: true },
  { prompt: "Write a poem", should_trigger: false },
]);
const SKILL = ".agent/skills/csv/SKILL.md";
const EVALS = ".agent/skills/csv/evals/evals.json";
const CRASHING = JSON.stringify([
  {
    id: "crash",
    input: "Profile the table",
    expected: { output: [{ type: "script", file: "check.mjs" }] },
  },
]);
const SPOILT = skillText("csv", "Something about nothing at all.");

function armsOf(stdout: string) {
  const { cases } = JSON.parse(stdout) as {
    cases: { id: string; arms: { arm: string; outcome: string }[] }[];
  };
  const first = cases.find(({ id }) => id.endsWith("-1"));
  return Object.fromEntries(first?.arms.map(({ arm, outcome }) => [arm, outcome]) ?? []);
}

describe("arms of an eval", () => {
  it("E-02 without the skill, all neighbours stay", async () => {
    const { evaluate } = evalWorld({ [EVALS]: QUERIES });
    const { stdout } = await evaluate(".agent/skills/csv", "--without", "--json");
    expect(armsOf(stdout)).toEqual({ with_skill: "pass", without_skill: "fail" });
    const trials = await evaluate(".agent/skills/csv", "--without", "--trials", "3", "--json");
    const { verdict } = JSON.parse(trials.stdout) as { verdict: { arms: unknown[] } };
    expect(verdict.arms).toMatchObject([{ trials: 6 }, { trials: 6 }]);
  });

  it.each(["old/csv", "old"])(
    "E-02 another version in the folder %s takes the name",
    async (ref) => {
      const { evaluate } = evalWorld({ [EVALS]: QUERIES, "old/csv/SKILL.md": SPOILT });
      const { stdout } = await evaluate(".agent/skills/csv", "--against", ref, "--json");
      expect(armsOf(stdout)).toEqual({ with_skill: "pass", old_skill: "fail" });
    },
  );

  it.each([
    ["--without", "without_skill", "without the skill"],
    ["--against", "old_skill", "with its other version"],
  ])(
    "E-02 %s: a case that names no skill has no second arm, and that is said",
    async (...given) => {
      const [option, arm, words] = given;
      const free =
        "cases:\n  - id: free\n    input: Say hello\n    expected: { output: [{ type: script, file: check.mjs }] }\n";
      const { evaluate, project } = evalWorld({
        ".agent/evals/free.yaml": free,
        ".agent/evals/check.mjs": "process.exit(3);",
        "old/csv/SKILL.md": SPOILT,
        "old/pdf/SKILL.md": skillText("pdf", "Nothing."),
      });
      const args = option === "--against" ? [option, "old"] : [option];
      const { exitCode, stdout } = await evaluate(...args, "--json", "--save", "now.json");
      const { cases, verdict } = JSON.parse(stdout) as {
        cases: { id: string; arms: { arm: string }[] }[];
        verdict: { notes: string[]; arms: { trials: number }[] };
      };
      const second = cases.filter(({ arms }) => arms.some((one) => one.arm === arm));
      expect(second.map(({ id }) => id.replace(/^.*[/:#]/, ""))).toEqual(["form", "table"]);
      expect(verdict.arms).toMatchObject([{ trials: 4 }, { trials: 2 }]);
      expect(verdict.notes).toContain(
        `2 of 4 cases were not run ${words}: they name no skill of the catalog, so there is nothing to compare.`,
      );
      const saved = JSON.parse(readFileSync(join(project, "now.json"), "utf8")) as EvalResults;
      expect(saved.trials).toHaveLength(6);
      expect(saved.setup.arms[1]?.leftOut).toHaveLength(2);
      // The grader crashed: that one is run again, and no other.
      expect(exitCode).toBe(4);
      const resumed = await evaluate(...args, "--resume");
      expect([resumed.exitCode, resumed.stderr]).toEqual([
        4,
        expect.stringContaining("Going on: 5 of 6 trials are done already."),
      ]);
      expect(resumed.stdout.replaceAll(/\s+/g, " ")).toContain(`were not run ${words}`);
      const alone = await evaluate(...args, "--filter", "poem");
      expect([alone.exitCode, alone.stderr]).toEqual([
        2,
        expect.stringContaining("no case names a skill of the catalog"),
      ]);
    },
  );

  it("E-02 a version that changed meanwhile is another eval: it is neither compared in silence nor gone on with", async () => {
    const { call, project, write, evaluate } = evalWorld({
      [EVALS]: QUERIES,
      "old/csv/SKILL.md": SPOILT,
    });
    const against = (...args: string[]) =>
      evaluate(".agent/skills/csv", "--against", "old", ...args);
    const digest = (name: string) => {
      const saved = JSON.parse(readFileSync(join(project, name), "utf8")) as EvalResults;
      return saved.setup.arms.find((arm) => arm.name === "old_skill")?.digest;
    };
    await against("--save", "a.json");
    write("old/csv/evals/notes.json", "[]");
    await against("--save", "b.json");
    // A grader that crashes is an error, and what ended in one is kept to be gone on with.
    write(".agent/skills/csv/evals/check.mjs", "process.exit(3);");
    write(".agent/skills/csv/evals/own.json", CRASHING);
    expect((await against("--verbose")).exitCode).toBe(4);
    expect((await against("--verbose", "--resume")).exitCode).toBe(4);
    write("old/csv/SKILL.md", skillText("csv", "Something else about nothing."));
    const resumed = await against("--verbose", "--resume");
    expect([resumed.exitCode, resumed.stderr]).toEqual([
      2,
      expect.stringContaining("are not those it began with"),
    ]);
    await against("--save", "c.json");
    expect(digest("a.json")).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digest("b.json")).toBe(digest("a.json"));
    expect(digest("c.json")).not.toBe(digest("a.json"));
    const compared = await call(["eval", "compare", "a.json", "c.json"]);
    expect(compared.stdout.replaceAll(/\s+/g, " ")).toContain("(--against) is not the same");
  });

  it("E-02 another version from a commit, and what is new since is said", async () => {
    const repository = new GitRepository({ [SKILL]: SPOILT, [EVALS]: QUERIES });
    repository.commit({ [SKILL]: skillText("csv", CSV) });
    const env = { PATH: process.env["PATH"] ?? "", HOME: join(repository.folder, "home") };
    const call = (...args: string[]) =>
      runCli(["eval", "--trust", "--json", ...args], { cwd: repository.folder, env });
    const { stdout, exitCode } = await call("--against", "HEAD~1");
    expect(exitCode).toBe(0);
    expect(armsOf(stdout)).toEqual({ with_skill: "pass", old_skill: "fail" });
    const dashed = await call("--against=--output=/tmp/owned");
    expect(dashed.exitCode).toBe(2);
    repository.commit({ ".agent/skills/new/SKILL.md": skillText("new", "New. Use when new.") });
    repository.commit({
      ".agent/skills/new/evals/evals.json": '[{"prompt":"new","should_trigger":true}]',
    });
    const missing = await call(".agent/skills/new", "--against", "HEAD~3");
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain("is not in HEAD~3");
  });
});
