import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openSkills } from "@skillwright/core";
import { openApprovals } from "../../packages/runtime/src/approvals/index.ts";
import { type AuditDisk, realDisk, verifyAudit } from "../../packages/runtime/src/audit/index.ts";
import { probeBubblewrap } from "../../packages/runtime/src/execution/index.ts";
import { AuditError, createRedactor, DEFAULT_POLICY } from "../../packages/runtime/src/index.ts";
import {
  createScriptExecutor,
  denyApprover,
  Gate,
  openAudit,
} from "../../packages/runtime/src/internal/index.ts";
import { skillText } from "../support/skill-tree.ts";
import { createCodeExecutor } from "../support/code-executor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bundleGatedHost, startGatedHost } from "./gated-host.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const USERS: readonly (readonly [string, readonly string[]])[] = [
  ["this user", []],
  ...(isRoot ? [["nobody", NOBODY] as const] : []),
];

let bundle = "";
beforeAll(async () => {
  bundle = await bundleGatedHost();
  const probe = await probeBubblewrap();
  if (!probe.ok) throw new Error(`${probe.message}. ${probe.hint ?? ""}`);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

/** A skill and the places of a run, all of them the user's. */
function place(script: string, wrapper: readonly string[] = []): string {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf"),
    "skills/pdf/scripts/act.py": script,
    "work/.keep": "",
  });
  for (const name of ["record", "state"]) mkdirSync(join(folder, name), { mode: 0o700 });
  chmodSync(folder, 0o755);
  if (wrapper.length > 0) spawnSync("chown", ["-R", "65534:65534", folder]);
  return folder;
}

const recordOf = (folder: string) => ({
  file: join(folder, "record/audit.jsonl"),
  stateDirectory: join(folder, "state"),
});

const eventsIn = (folder: string) =>
  readFileSync(recordOf(folder).file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });

function processesWith(marker: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(marker);
    } catch {
      return false;
    }
  });
}

describe.each(USERS)("kill -9 in the middle of a script, as %s", (_, wrapper) => {
  it("P-03 X-05 leaves no process, and a record that is whole and says what was interrupted", async () => {
    const marker = `marker-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const folder = place(
      `import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "${marker}"], start_new_session=True)
time.sleep(300); open("survived", "w").close()`,
      wrapper,
    );
    const { child } = startGatedHost(bundle, { folder, script: "act.py" }, wrapper);
    onTestFinished(() => void child.kill("SIGKILL"));
    while (child.exitCode === null && processesWith(marker).length === 0) await setTimeout(10);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await expect.poll(() => processesWith(marker)).toEqual([]);
    expect(existsSync(join(folder, "work/survived"))).toBe(false);

    // Only the owner of the key is believed.
    if (wrapper.length > 0) spawnSync("chown", ["-R", "0:0", join(folder, "state")]);
    const { file, stateDirectory } = recordOf(folder);
    const found = { ok: true, records: 1, recovered: 0, interrupted: 1 };
    expect(await verifyAudit(file, { stateDirectory })).toMatchObject(found);
    const [start] = eventsIn(folder);
    expect(start).toMatchObject({ event: "script-start", data: { script: "scripts/act.py" } });
    // Who goes on finds it as it was.
    openAudit({ file, stateDirectory, redactor: createRedactor({ env: {} }) }).close();
    expect(await verifyAudit(file, { stateDirectory })).toMatchObject(found);
  });
});

describe("a disk that is full", () => {
  const ACT = `import sys
open("acts", "a").write(sys.argv[1] + "\\n")`;
  /** Only this process and its children see the small disk. */
  const onSmallDisk = (folder: string) => [
    "unshare",
    "--mount",
    "sh",
    "-c",
    `mount -t tmpfs -o size=12k none "$0" && { "$@"; cp "$0"/* "$0-kept" 2>/dev/null; }`,
    join(folder, "record"),
  ];

  it.runIf(isRoot)("P-03 runs no script that the record cannot take", async () => {
    const folder = place(ACT);
    mkdirSync(join(folder, "record-kept"));
    const call = { folder, script: "act.py", times: 100 };
    const codes = await startGatedHost(bundle, call, onSmallDisk(folder)).codes;
    expect(codes.at(-1)).toBe("audit-unwritable");
    const lines = readFileSync(join(folder, "record-kept/audit.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
    const acts = readFileSync(join(folder, "work/acts"), "utf8").trimEnd().split("\n");
    expect(acts.length).toBeGreaterThan(3);
    expect(acts.length, "every act was announced").toBe(
      events.filter((event) => event === "script-start").length,
    );
    const found = await verifyAudit(join(folder, "record-kept/audit.jsonl"), {
      stateDirectory: join(folder, "state"),
      writtenAs: recordOf(folder).file,
    });
    expect(found).toMatchObject({ ok: true, records: events.length });
  });

  it("P-03 nor when only the line before the act does not fit", async () => {
    const folder = place(ACT);
    let isFull = false;
    const disk: AuditDisk = {
      ...realDisk,
      write(descriptor, bytes, position) {
        if (isFull) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
        return realDisk.write(descriptor, bytes, position);
      },
    };
    const { file, stateDirectory } = recordOf(folder);
    const audit = openAudit({ file, stateDirectory, disk, redactor: createRedactor({ env: {} }) });
    onTestFinished(() => audit.close());
    let ran = 0;
    const executor = createScriptExecutor({
      gate: new Gate({
        settings: { ...DEFAULT_POLICY, ask: [], allow: ["run_script"] },
        places: { workingDirectory: join(folder, "work") },
        activeSkills: () => [],
        approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
        approver: denyApprover,
        audit,
      }),
      executor: createCodeExecutor({ "pdf/scripts/act.py": () => String(++ran) }),
      cwd: join(folder, "work"),
      sandbox: "code",
    });
    const skill = (await openSkills({ roots: [join(folder, "skills")] })).get("pdf");
    if (skill === undefined) throw new Error("the skill was not found");
    const run = async () => executor.run({ skill, script: "act.py", args: [] }, {});
    expect(await run()).toMatchObject({ ok: true, text: "1" });
    isFull = true;
    await expect(run()).rejects.toThrow(AuditError);
    expect(ran).toBe(1);
    isFull = false;
    expect(await run()).toMatchObject({ ok: true, text: "2" });
    expect(await verifyAudit(file, { stateDirectory })).toMatchObject({ ok: true, records: 4 });
  });
});

describe.each(USERS)("a place that cannot be written, as %s", (user, wrapper) => {
  it.each(["record", "state"])("P-03 %s: said at once, and nothing runs", async (name) => {
    const folder = place(`open("ran", "w").close()`, wrapper);
    const path = join(folder, name);
    // Root may write whatever the mode says; a file system that is read-only holds for all.
    const closed = ["sh", "-c", `mount --bind -o ro "$0" "$0" && exec "$@"`, path];
    if (user === "nobody" || !isRoot) chmodSync(path, 0o500);
    const around = wrapper.length === 0 && isRoot ? ["unshare", "--mount", ...closed] : wrapper;
    const { codes } = startGatedHost(bundle, { folder, script: "act.py" }, around);
    expect(await codes).toEqual(["audit-unwritable"]);
    expect(existsSync(join(folder, "work/ran"))).toBe(false);
    expect(readdirSync(path)).toEqual([]);
  });
});
