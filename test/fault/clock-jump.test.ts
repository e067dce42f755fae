import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { verifyAudit } from "../../packages/runtime/src/audit/index.ts";
import { createRedactor } from "../../packages/runtime/src/index.ts";
import {
  createBubblewrapExecutor,
  createProcessExecutor,
  openAudit,
} from "../../packages/runtime/src/internal/index.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const YEAR_MS = 365 * 24 * 3_600_000;
const JUMPS: readonly (readonly [string, number])[] = [
  ["back", -YEAR_MS],
  ["forward", YEAR_MS],
];

/** From the second look on, the clock of the day shows another year. */
function jump(by: number): void {
  const real = Date.now.bind(Date);
  let looks = 0;
  vi.spyOn(Date, "now").mockImplementation(() => real() + (looks++ === 0 ? 0 : by));
  onTestFinished(() => void vi.restoreAllMocks());
}

describe.each(JUMPS)("the clock jumps %s by a year", (_, by) => {
  const executors = [createBubblewrapExecutor(), createProcessExecutor()] as const;

  it.each(["bubblewrap", "process"] as const)(
    "X-05 %s: a timeout comes at its time, and no sooner",
    async (sandbox) => {
      const folder = temporaryFolder({
        "pdf/SKILL.md": skillText("pdf"),
        "pdf/scripts/sleep.py": "import sys, time; time.sleep(float(sys.argv[1])); print('slept')",
      });
      const executor = executors[sandbox === "bubblewrap" ? 0 : 1];
      const run = (seconds: string, timeoutMs: number) =>
        executor.run({
          skill: { name: "pdf", path: join(folder, "pdf") },
          script: "sleep.py",
          args: [seconds],
          cwd: "fresh",
          limits: { timeoutMs },
        });
      jump(by);
      const late = await run("300", 500);
      expect(late).toMatchObject({ ok: false, timedOut: true, sandbox });
      expect(late.durationMs).toBeGreaterThanOrEqual(500);
      expect(late.durationMs).toBeLessThan(30_000);
      expect(await run("0.2", 60_000)).toMatchObject({ ok: true, stdout: "slept\n" });
    },
  );

  it("P-03 the order of a record is its sequence, whatever its times say", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "record/audit.jsonl");
    const stateDirectory = join(folder, "state");
    let now = Date.UTC(2030, 0, 1);
    const open = () =>
      openAudit({ file, stateDirectory, redactor: createRedactor({ env: {} }), clock: () => now });
    const audit = open();
    audit.append({ event: "script-start" });
    now += by;
    audit.append({ event: "script-end" });
    audit.close();
    now += by;
    // Also for who opens it after the jump.
    const next = open();
    next.append({ event: "run-end" });
    next.close();
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line) as { sequence: number; time: string });
    expect(records.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const times = records.map(({ time }) => Date.parse(time));
    expect(Math.sign(times[2]! - times[0]!)).toBe(Math.sign(by));
    const found = { ok: true, records: 3, recovered: 0, interrupted: 0 };
    expect(await verifyAudit(file, { stateDirectory })).toMatchObject(found);
  });
});
