import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CSV, evalWorld } from "../support/eval-world.ts";
import { GitRepository } from "../support/git-repository.ts";
import { runCli } from "../support/run-cli.ts";
import { skillText } from "../support/skill-tree.ts";

const QUERIES = JSON.stringify([
  { query: "Profile the table", should_trigger: true },
  { query: "Write a poem", should_trigger: false },
]);
const SKILL = ".agent/skills/csv/SKILL.md";
const EVALS = ".agent/skills/csv/evals/trigger-evals.json";
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
      ".agent/skills/new/evals/trigger-evals.json": '[{"query":"new","should_trigger":true}]',
    });
    const missing = await call(".agent/skills/new", "--against", "HEAD~3");
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain("is not in HEAD~3");
  });
});
