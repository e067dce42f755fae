import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalResults } from "@skillwright/evals";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bundleCommandLine } from "./agent-bundle.ts";

let program = "";
beforeAll(async () => {
  program = await bundleCommandLine();
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

const CASES = 1000;

function place(count = CASES) {
  const cases = Array.from({ length: count }, (_, i) => ({
    id: `case-${i}`,
    input: `Fill form ${i}`,
    expected: { skills: ["pdf"], output: [{ type: "contains", value: String(i % 7) }] },
    mock: {
      actions: [
        { action: "select_skills", skills: [{ name: "pdf" }] },
        { action: "final_answer", answer: `form ${i % 5}` },
      ],
    },
  }));
  const folder = temporaryFolder({
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf", "Fills forms. Use to fill them."),
    "project/.agent/evals/cases.json": JSON.stringify({ cases }),
    "project/.git/HEAD": "",
  });
  const project = join(folder, "project");
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, TMPDIR: folder };
  const options = { cwd: project, env } as const;
  const args = (...more: string[]) => [program, "eval", "--trust", "--no-baseline", ...more];
  const start = (...more: string[]) =>
    spawn(process.execPath, args(...more), { ...options, stdio: "ignore" });
  const run = (...more: string[]) =>
    spawnSync(process.execPath, args(...more), { ...options, encoding: "utf8" });
  const state = join(folder, ".local/state/skillwright/evals");
  const journal = () => {
    const names = existsSync(state) ? readdirSync(state) : [];
    const file = join(
      state,
      names.find((name) => !name.startsWith("last-")) ?? "-",
      "results.jsonl",
    );
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(1, -1) : [];
    // Between the results stands the time used so far.
    return lines.filter((line) => line.startsWith('{"caseId":'));
  };
  const results = (name: string) =>
    JSON.parse(readFileSync(join(project, name), "utf8")) as EvalResults;
  const left = () => readdirSync(folder).filter((name) => name.startsWith("skillwright-eval-"));
  return { start, run, journal, results, left };
}

/** What must be the same, whenever and however often it was interrupted. */
function withoutTimes({ setup, trials }: EvalResults) {
  return {
    setup,
    trials: trials.map(({ usage, steps, ...trial }) => ({
      ...trial,
      runId: "",
      usage: { ...usage, timeMs: 0 },
      steps: steps.map((step) => ({ ...step, atMs: 0 })),
    })),
  };
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await setTimeout(5);
}

describe("an eval that is ended in the middle", { timeout: 240_000 }, () => {
  it(
    "E-03 after kill -9 every case is run once, and the results are the same",
    { timeout: 240_000 },
    async () => {
      const { start, run, journal, results } = place();
      let before = 0;
      for (const share of [0.2, 0.6]) {
        const child = start("--resume");
        const ended = new Promise((done) => child.once("close", done));
        await until(() => journal().length >= CASES * share);
        child.kill("SIGKILL");
        await ended;
        const lines = journal();
        expect(lines.length).toBeGreaterThanOrEqual(before);
        expect(lines.length).toBeLessThan(CASES);
        before = lines.length;
      }
      const resumed = run("--resume", "--save", "resumed.json");
      expect(resumed.stderr).toContain(`${before} of ${CASES} trials are done already`);
      const whole = run("--save", "whole.json");
      expect([resumed.status, whole.status]).toEqual([1, 1]);
      const now = results("resumed.json");
      expect(new Set(now.trials.map(({ caseId }) => caseId)).size).toBe(CASES);
      expect(now.trials).toHaveLength(CASES);
      expect(withoutTimes(now)).toEqual(withoutTimes(results("whole.json")));
      expect(resumed.stdout.split("\n").at(-2)).toBe(whole.stdout.split("\n").at(-2));
      expect(journal()).toEqual([]);
    },
  );

  it("E-03 Ctrl-C finishes what is under way, says how to go on, and leaves nothing behind", async () => {
    const { start, run, journal, left } = place();
    const child = start();
    const ended = new Promise<number | null>((done) => child.once("close", done));
    await until(() => journal().length > 20);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(journal().length).toBeLessThan(CASES);
    expect(left()).toEqual([]);
    const resumed = run("--resume", "--json");
    const { cases } = JSON.parse(resumed.stdout) as { cases: unknown[] };
    expect(cases).toHaveLength(CASES);
  });

  it("E-03 does not go on with another eval, nor beside one that runs", async () => {
    const { start, run, journal } = place();
    const child = start();
    const ended = new Promise((done) => child.once("close", done));
    await until(() => journal().length > 20);
    const beside = run("--resume");
    expect([beside.status, beside.stderr]).toEqual([2, expect.stringContaining("another process")]);
    child.kill("SIGKILL");
    await ended;
    const anew = run("--json");
    expect((JSON.parse(anew.stdout) as { cases: unknown[] }).cases).toHaveLength(CASES);
    expect(anew.stderr).not.toContain("done already");
  });
});
