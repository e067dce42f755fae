import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../support/eval-world.ts";
import { skillText } from "../support/skill-tree.ts";

const parsed = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>;

describe("eval trigger", () => {
  it("E-02 shows who is selected for what, and what a crowded catalog does to it", async () => {
    const { call } = evalWorld();
    const args = ["eval", "trigger", "--trust", "--stress", "300", "--json"];
    const [once, again] = [await call(args), await call(args)];
    expect(once.exitCode).toBe(0);
    expect(once.stdout).toBe(again.stdout);
    const { trigger, stress } = parsed(once.stdout) as {
      trigger: { confusion: unknown[] };
      stress: { added: number; trigger: { n: number } };
    };
    expect(trigger.confusion).toHaveLength(3);
    expect([stress.added, stress.trigger.n]).toEqual([300, 3]);
    const { stdout } = await call(["eval", "trigger", "--trust"]);
    expect(stdout).toMatch(/^EXPECTED +CASES +SELECTED\n/);
    expect(stdout).toMatch(/✓ PASS {2}100 %/);
  });

  it("E-02 names the skill that took a request, with those of a folder", async () => {
    const files = {
      "more/forms/SKILL.md": skillText(
        "forms",
        "Fills every PDF form. PDF form. Use when a PDF form has to be filled in.",
      ),
    };
    const { call } = evalWorld(files);
    const args = ["eval", "trigger", "--trust", "--stress", "9", "--with-root", "more", "--json"];
    const { stdout, exitCode } = await call(args);
    expect(exitCode).toBe(0);
    expect(parsed(stdout)["stress"]).toMatchObject({ added: 1 });
  });

  it("E-02 names a case that a crowded catalog loses once, with how often", async () => {
    const description =
      "Fill in a PDF form, fill the form, form PDF. Use when a PDF form has to be filled in.";
    const { call } = evalWorld({ "more/forms/SKILL.md": skillText("forms", description) });
    const crowd = ["--stress", "9", "--with-root", "more", "--trials", "3"];
    const { stdout } = await call(["eval", "trigger", "--trust", ...crowd]);
    expect(stdout.match(/^ +cases\/form .*$/gm)).toEqual([
      "  cases/form  now forms in 3 of 3 trials",
    ]);
  });

  it("E-02 a skill that a case does not speak of is not shown as none", async () => {
    const { call } = evalWorld({
      ".agent/skills/weather/SKILL.md": skillText(
        "weather",
        "Tells whether there will be rain tomorrow. Use when rain or weather is asked for.",
      ),
      ".agent/skills/csv/evals/evals.json": JSON.stringify([
        { prompt: "Will there be rain tomorrow?", should_trigger: false },
      ]),
    });
    const args = ["eval", "trigger", "--trust", "--filter", "rain"];
    const html = await call([...args, "--html", "report.html"]);
    expect(html.exitCode, html.stderr).toBe(0);
    expect(html.stdout).toMatch(/^\(not said\) +1 +weather 1$/m);
    const { trigger } = parsed((await call([...args, "--json"])).stdout) as {
      trigger: { confusion: unknown[] };
    };
    expect(trigger.confusion).toEqual([
      { expected: { kind: "open" }, n: 1, selected: [{ skill: "weather", cases: 1 }] },
    ]);
  });
});

describe("options of eval", () => {
  it.each([
    ["trigger", "--save", "x.json"],
    ["trigger", "--baseline", "x.json"],
    ["trigger", "--no-baseline"],
    ["trigger", "--update-baseline"],
    ["trigger", "--without"],
    ["trigger", "--against", "HEAD"],
    ["trigger", "--judge", "a:b"],
    ["trigger", "--watch"],
    ["trigger", "--margin", "0.1"],
    ["trigger", "--yes=run_script"],
    ["lint", "--save", "y.json"],
    ["suggest", "--save", "y.json"],
    ["report", "--save", "y.json"],
    ["report", "--trials", "5"],
    ["compare", "--trials=5", "a.json", "b.json"],
  ])("C-01 eval %s does not take %s, and says whose it is", async (name, flag, ...more) => {
    const { call } = evalWorld();
    const [long = ""] = flag.split("=");
    const { exitCode, stdout, stderr } = await call(["eval", name, flag, ...more]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`eval ${name} has no option ${long}: it is one of eval`);
    const before = await call(["eval", flag, ...more.slice(0, 1), name]);
    expect(before.exitCode).toBe(2);
    const help = await call(["eval", name, "--help"]);
    const listed = [...help.stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, one]) => one);
    expect(listed).not.toContain(long);
    expect(listed).toContain("--json");
    const { stdout: offered } = await call(["complete", "--", "eval", name, "--"]);
    expect(offered.split(/\s/)).not.toContain(long);
    expect(offered.split(/\s/)).toContain("--json");
  });

  it("C-01 what a command below has itself is taken before and behind its name", async () => {
    const { call } = evalWorld();
    const behind = await call(["eval", "trigger", "--trust", "--trials", "2", "--json"]);
    const before = await call(["eval", "--trust", "--trials", "2", "trigger", "--json"]);
    expect([behind.exitCode, before.exitCode]).toEqual([0, 0]);
    expect(parsed(behind.stdout)["trigger"]).toMatchObject({ trials: 6 });
    expect(before.stdout).toBe(behind.stdout);
    const { stdout } = await call(["eval", "trigger", "--help"]);
    expect(stdout.match(/^ +--trials /gm)).toHaveLength(1);
    const { stdout: offered } = await call(["complete", "--", "eval", "trigger", "--trials"]);
    expect(offered.trim().split("\n")).toHaveLength(1);
  });
});

describe("eval compare and report", () => {
  it("E-04 compares saved results, and shows those of the last eval", async () => {
    const { call, evaluate, write } = evalWorld();
    expect((await call(["eval", "report"])).exitCode).toBe(4);
    await evaluate("--save", "before.json");
    write(".agent/skills/csv/SKILL.md", skillText("csv", "Nothing at all."));
    await evaluate("--save", "now.json");
    const worse = await call(["eval", "compare", "before.json", "now.json", "--json"]);
    expect([worse.exitCode, parsed(worse.stdout)["status"]]).toEqual([1, "regression"]);
    const same = await call(["eval", "compare", "now.json", "now.json"]);
    expect([same.exitCode, same.stdout.split("\n").at(-2)]).toEqual([
      0,
      expect.stringMatching(/SAME/),
    ]);
    const last = await call(["eval", "report"]);
    expect([last.exitCode, last.stdout]).toEqual([
      0,
      expect.stringContaining("1 of 3 cases failed"),
    ]);
    const wrong = await call(["eval", "compare", "before.json", "nothing.json"]);
    expect(wrong.exitCode).toBe(2);
  });
});

describe("eval lint", () => {
  it("E-01 says what keeps cases from showing anything, in every format", async () => {
    const { call, write } = evalWorld();
    write(
      ".agent/evals/more.yaml",
      "cases:\n  - input: Use pdf for this\n    expected: { skills: [pdf] }\n  - input: x\n    expected: { skills: [nobody] }\n",
    );
    const lint = (...args: string[]) => call(["eval", "lint", "--trust", ...args]);
    const human = await lint();
    expect(human.exitCode).toBe(1);
    expect(human.stdout).toContain("expected-skill-unknown");
    expect(human.stdout).toContain(".agent/evals/more.yaml:");
    expect(parsed((await lint("--json")).stdout)).toMatchObject({ cases: 5, errors: 1 });
    expect((await lint("--format", "github")).stdout).toMatch(/^::error file=/m);
    expect(parsed((await lint("--format", "sarif")).stdout)).toHaveProperty("runs");
    const off = await lint("--rule", "expected-skill-unknown=off");
    expect(off.exitCode).toBe(0);
    expect((await lint("--rule", "nonsense=off")).exitCode).toBe(2);
  });
});

describe("eval suggest", () => {
  it("E-01 proposes near misses of the neighbours, and changes nothing", async () => {
    const { call, write } = evalWorld();
    write(
      ".agent/skills/csv/evals/evals.json",
      '[{"prompt":"Profile the table","should_trigger":true}]',
    );
    const { exitCode, stdout } = await call(["eval", "suggest", "csv", "--trust", "--json"]);
    expect(exitCode).toBe(0);
    expect(parsed(stdout)["suggestions"]).toMatchObject([{ skill: "csv" }]);
    expect((await call(["eval", "suggest", "nobody", "--trust"])).exitCode).toBe(1);
    const { stdout: text } = await call(["eval", "suggest", "--trust"]);
    expect(text).toMatch(/^csv\n/);
  });
});

describe("eval of what init makes", () => {
  it("C-01 the example of init passes as its workflow runs it", async () => {
    const { call, folder } = evalWorld({ ".agent/evals/cases.yaml": "-" });
    const fresh = join(folder, "fresh");
    expect((await call(["init", fresh, "--yes"])).exitCode).toBe(0);
    writeFileSync(join(fresh, "note.txt"), "");
    const { exitCode, stderr, stdout } = await call(["eval", "--trust", "--cwd", fresh]);
    expect([exitCode, stderr, stdout]).toEqual([0, "", expect.stringContaining("PASS")]);
  });
});
