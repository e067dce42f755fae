import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../packages/runtime/src/execution/index.ts";
import { sample } from "../support/suite.ts";
import { bundleExecution, ExecutionHost, RUNNERS } from "./execution-host.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleExecution();
  // Without the sandbox nothing below proves anything: it fails, it is not skipped.
  const probe = await probeBubblewrap();
  if (!probe.ok) throw new Error(`${probe.message}. ${probe.hint ?? ""}`);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

const WRITE = `import os
def write(path):
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w") as file: file.write("evil")
    except OSError: pass
`;

describe.each(sample(RUNNERS, 1))("control files, scripts as $user", (runner) => {
  const newHost = () => new ExecutionHost(bundle, runner);

  it("X-06 a script that is started in a control folder writes nothing there", async () => {
    const host = newHost();
    host.write({ "work/.git/hooks/x": "", "work/.agent/config.json": "{}" });
    for (const folder of [".git", ".git/hooks", ".agent"]) {
      const cwd = join(host.work, folder);
      const before = readdirSync(cwd);
      const receipt = await host.python(`${WRITE}write("pre-commit"); write("config.json")`, {
        cwd,
        writable: ["."],
      });
      expect(receipt).toMatchObject({ exitCode: null, failure: { code: "writable-refused" } });
      expect(readdirSync(cwd)).toEqual(before);
    }
    expect(readFileSync(join(host.work, ".agent/config.json"), "utf8")).toBe("{}");
  });

  it("X-06 a script makes no skill that is trusted with the project", async () => {
    const host = newHost();
    const made = ["skills/implant/SKILL.md", ".botsharp/skills/imp2/SKILL.md"];
    const script = `${WRITE}for path in ${JSON.stringify(made)}: write(path)`;
    const receipt = await host.python(script, { writable: ["."] });
    const refused = receipt.changes?.changes.filter((change) => change.refused !== undefined);
    expect(refused?.map(({ path }) => path)).toEqual(expect.arrayContaining(made));
    for (const path of made) expect(existsSync(join(host.work, path)), path).toBe(false);
    host.write({ "work/skills/pdf/SKILL.md": "theirs" });
    await host.python(`${script}\nwrite("skills/pdf/SKILL.md")`, { writable: ["."] });
    expect(readdirSync(join(host.work, "skills"))).toEqual(["pdf"]);
    expect(readFileSync(join(host.work, "skills/pdf/SKILL.md"), "utf8")).toBe("theirs");
  });

  it("X-06 a script neither writes nor swaps a control folder, however far down", async () => {
    const host = newHost();
    const deep = "1/2/3/4/5/6";
    host.write({
      "work/sub/.git/config": "theirs",
      "work/a/b/.vscode/tasks.json": "theirs",
      [`work/${deep}/.git/config`]: "theirs",
    });
    mkdirSync(join(host.work, "sub/.git/hooks"));
    host.own();
    const receipt = await host.python(
      `${WRITE}for path in ("sub/.git/hooks/pre-commit", "sub/.git/config", "a/b/.vscode/tasks.json", "${deep}/.git/config"): write(path)
write("sub/result")`,
      { writable: ["."] },
    );
    expect(receipt.ok, receipt.stderr).toBe(true);
    expect(readdirSync(join(host.work, "sub")).toSorted()).toEqual([".git", "result"]);
    expect(readdirSync(join(host.work, "sub/.git/hooks"))).toEqual([]);
    for (const path of ["sub/.git/config", "a/b/.vscode/tasks.json", `${deep}/.git/config`]) {
      expect(readFileSync(join(host.work, path), "utf8")).toBe("theirs");
    }
    await host.python(
      `${WRITE}import shutil
shutil.move("sub", "old"); write("sub/.git/hooks/pre-commit")`,
      { writable: ["."] },
    );
    expect(readdirSync(join(host.work, "sub/.git/hooks"))).toEqual([]);
    expect(readFileSync(join(host.work, "sub/.git/config"), "utf8")).toBe("theirs");
    expect(existsSync(join(host.work, "old/.git"))).toBe(false);
  });

  it("X-06 what a script made is nowhere when we were killed", async () => {
    const host = newHost();
    const made = [".mcp.json", "AGENTS.md", ".vscode/tasks.json", ".envrc", "plain.txt"];
    host.write({
      "skill/scripts/long.py": `${WRITE}import time, subprocess
for path in ${JSON.stringify(made)}: write(path)
subprocess.Popen(["sleep", "300.75"]); time.sleep(300)`,
    });
    const options = { temporaryDirectory: join(host.root, "runs") };
    mkdirSync(options.temporaryDirectory);
    host.own();
    const child = host.start([{ script: "long.py", writable: ["."] }], { options });
    while (!isRunning(["sleep", "300.75", ""].join("\0"))) await setTimeout(10);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await host.python("print(1)", {}, { options })).toMatchObject({ ok: true });
    for (const path of made) expect(existsSync(join(host.work, path)), path).toBe(false);
    expect(readdirSync(options.temporaryDirectory)).toEqual([]);
  });
});

function isRunning(command: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1") === command;
    } catch {
      return false;
    }
  });
}
