import { spawn } from "node:child_process";
import { once as event } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { SOURCES } from "../../../../scripts/packages.mjs";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const SCRIPT = `echo x >> "$SKILLWRIGHT_OUTPUT/count"; echo two >> a.txt; echo fixed > fixed.txt`;

/** Makes one call. It prints what it is asked, and waits for ever where it must not answer. */
const HOST = `
import * as core from "@skillwright/core";
import * as entry from "@skillwright/runtime";
import * as internal from "@skillwright/runtime/internal";
const [folder, answers] = process.argv.slice(2);
const runtime = { ...internal, ...entry };
const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
const root = folder + "/work";
const stateDirectory = folder + "/state";
const redactor = runtime.createRedactor({ env: {} });
const file = folder + "/audit-" + process.pid + ".jsonl";
const audit = runtime.openAudit({ file, stateDirectory, redactor });
const yes = { approved: true, scope: "once", by: "host" };
const approver = {
  async ask({ tool }) {
    say({ asked: tool });
    return answers.split(",").includes(tool) ? yes : new Promise(() => {});
  },
};
const gate = new runtime.Gate({
  settings: runtime.DEFAULT_POLICY,
  places: { workingDirectory: root },
  activeSkills: () => [],
  approvals: await runtime.openApprovals({ stateDirectory, runId: "run-1" }),
  approver,
  audit,
});
const sandbox = await runtime.chooseExecutor({ sandbox: "bubblewrap" });
const changes = new runtime.RunChanges({ root, folder: folder + "/run" });
const bounds = { sandbox: "bubblewrap", cwd: root, changes };
const executor = runtime.createScriptExecutor({ gate, executor: sandbox, ...bounds });
const skills = await core.openSkills({ roots: [folder + "/skills"] });
const tool = skills.conversation({ scripts: executor }).tools().find(({ name }) => name === "run_skill_script");
const alive = setInterval(() => {}, 1000);
const { ok, text } = await tool.execute({ skill_name: "w", script_file: "do.sh" });
say({ ok, text });
clearInterval(alive);
await changes.close();
audit.close();
`;

async function bundle(): Promise<string> {
  const folder = temporaryFolder({ "package.json": '{ "type": "module" }', "host.js": HOST });
  const built = await rolldown({
    input: join(folder, "host.js"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  await built.write({ dir: join(folder, "out"), format: "esm" });
  await built.close();
  return join(folder, "out/host.js");
}

interface Said {
  readonly asked?: string;
  readonly ok?: boolean;
  readonly text?: string;
}

function start(program: string, folder: string, answers: string) {
  const child = spawn(process.execPath, [program, folder, answers], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const said = () =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Said);
  return { child, said, ended: event(child, "close") };
}

/** So many milliseconds after this was asked. */
const MOMENTS = [
  ["run_script", 0],
  ["run_script", 30],
  ["run_script", 60],
  ["run_script", 120],
  ["write_file", 0],
] as const;

it("X-11 P-06 kill -9 at any moment: nothing is kept silently, and what was stored does not run again", async () => {
  const program = await bundle();
  for (const [until, delay] of MOMENTS) {
    const folder = realpathSync(
      temporaryFolder({
        "work/a.txt": "one\n",
        "skills/w/SKILL.md": skillText("w"),
        "skills/w/scripts/do.sh": SCRIPT,
      }),
    );
    const text = (path: string) => readFileSync(join(folder, path), "utf8");
    const runs = () => (existsSync(join(folder, "run/files/count")) ? text("run/files/count") : "");
    const first = start(program, folder, "run_script");
    await expect.poll(first.said, { timeout: 30_000 }).toContainEqual({ asked: until });
    await wait(delay);
    first.child.kill("SIGKILL");
    await first.ended;
    expect([text("work/a.txt"), existsSync(join(folder, "work/fixed.txt"))]).toEqual([
      "one\n",
      false,
    ]);
    const isStored = first.said().some(({ asked }) => asked === "write_file");
    const next = start(program, folder, "run_script,write_file");
    await next.ended;
    const [, , result] = next.said();
    expect(next.said().slice(0, 2)).toEqual([{ asked: "run_script" }, { asked: "write_file" }]);
    expect(result).toMatchObject({ ok: true });
    expect(result?.text).toContain("Changed in the working directory:");
    expect(result?.text).toContain('"fixed.txt" created');
    expect(text("work/fixed.txt")).toBe("fixed\n");
    const once = ["x\n", "one\ntwo\n"];
    expect(isStored ? [runs(), text("work/a.txt")] : once).toEqual(once);
  }
}, 120_000);
