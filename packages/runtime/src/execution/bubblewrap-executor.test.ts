import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createBubblewrapExecutor,
  createProcessExecutor,
  RunChanges,
  type ScriptExecution,
} from "../internal/index.ts";

const EXECUTORS = [
  { name: "bubblewrap", executor: createBubblewrapExecutor() },
  { name: "process", executor: createProcessExecutor() },
];

function project(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "work"));
  mkdirSync(join(root, "skill"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const request = (script: string, more: Partial<ScriptExecution> = {}): ScriptExecution => ({
    skill: { name: "pdf", path: join(root, "skill") },
    script,
    args: [],
    cwd: join(root, "work"),
    ...more,
  });
  return { root, request };
}

describe.each(EXECUTORS)("$name", ({ name, executor }) => {
  it("X-03 runs each kind of script with its arguments", async () => {
    const { request } = project({
      "skill/scripts/a.py": "import helper, sys; print(helper.NAME, sys.argv[1])",
      "skill/scripts/helper.py": "NAME = 'py'",
      "skill/scripts/a.sh": 'echo "sh $1"; echo warning > /dev/stderr',
      "skill/scripts/a.mjs": "console.log('mjs', process.argv[2])",
      "skill/scripts/a.cjs": "console.log('cjs', process.argv[2], require('./data.json').x)",
      "skill/scripts/data.json": '{"x":1}',
      "skill/scripts/a.pl": 'print "pl $ARGV[0]\\n"',
      "skill/scripts/bare": "#!/usr/bin/env python3\nimport sys; print('bare', sys.argv[1])",
    });
    const outputs: string[] = [];
    for (const script of ["a.py", "a.sh", "a.mjs", "a.cjs", "a.pl", "bare"]) {
      const receipt = await executor.run(request(script, { args: ["$X"] }));
      expect(receipt, receipt.stderr).toMatchObject({ ok: true, exitCode: 0, sandbox: name });
      outputs.push(receipt.stdout);
    }
    expect(outputs.join("")).toBe("py $X\nsh $X\nmjs $X\ncjs $X 1\npl $X\nbare $X\n");
  });

  it("X-03 a Python script imports its skill's own packages, those beside it first", async () => {
    const { request } = project({
      "skill/scripts/a.py":
        "import os, same\nfrom scripts.utils import x\nfrom core.easing import y\nprint(x, y, same.z, os.environ['PYTHONPATH'] == os.environ['SKILL_DIR'])",
      "skill/scripts/utils.py": "x = 1",
      "skill/scripts/same.py": "z = 'beside'",
      "skill/same.py": "z = 'root'",
      "skill/core/easing.py": "y = 2",
      "skill/scripts/b.py": "import scripts.gone",
      "skill/scripts/c.sh": 'echo "[$PYTHONPATH]"',
    });
    const receipt = await executor.run(request("a.py"));
    expect(receipt, receipt.stderr).toMatchObject({ ok: true, stdout: "1 2 beside True\n" });
    const { failure } = await executor.run(request("b.py"));
    expect(failure?.message).toContain('"scripts.gone" from its skill\'s own package');
    expect((await executor.run(request("c.sh"))).stdout).toBe("[]\n");
  });

  it("X-03 runs TypeScript, with the files it imports", async () => {
    const { request } = project({
      "skill/scripts/a.ts": `import { double } from "./lib/double.ts";
import { plus } from "./plus.js";
import { readFileSync } from "node:fs";
interface Point { readonly x: number }
const point: Point = { x: double(plus(Number(process.argv[2]))) };
console.log(point.x, readFileSync(new URL("../assets/note.txt", import.meta.url), "utf8"));`,
      "skill/scripts/lib/double.ts": "export const double = (x: number): number => x * 2;",
      "skill/scripts/plus.ts": "export function plus(x: number) { return x + 1; }",
      "skill/scripts/common.ts": "const os: any = require('node:os'); console.log(typeof os.cpus);",
      "skill/scripts/broken.ts": "const x: = ;",
      "skill/assets/note.txt": "note",
    });
    const broken = await executor.run(request("broken.ts"));
    expect(broken.failure).toMatchObject({ code: "script-unreadable" });
    const receipt = await executor.run(request("a.ts", { args: ["1"] }));
    expect(receipt, receipt.stderr).toMatchObject({ ok: true, stdout: "4 note\n" });
    const common = await executor.run(request("common.ts"));
    expect(common, common.stderr).toMatchObject({ ok: true, stdout: "function\n" });
  });

  it("X-04 tells exit code, signal, missing modules and packages", async () => {
    const { request } = project({
      "skill/scripts/three.py": "import sys; print('no', file=sys.stderr); sys.exit(3)",
      "skill/scripts/crash.py": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
      "skill/scripts/module.py": "import yaml_that_is_not_there",
      "skill/scripts/a.rb": "puts 1",
    });
    expect(await executor.run(request("three.py"))).toMatchObject({
      ok: false,
      exitCode: 3,
      stderr: "no\n",
      failure: { code: "script-failed" },
    });
    expect(await executor.run(request("crash.py"))).toMatchObject({
      exitCode: 139,
      signal: "SIGSEGV",
    });
    expect(await executor.run(request("module.py"))).toMatchObject({
      failure: { code: "module-missing" },
    });
    const missing = await executor.run(request("thre.py"));
    expect(missing.failure).toMatchObject({ code: "script-missing" });
    expect(missing.failure?.candidates).toContain("scripts/three.py");
  });

  it("X-05 streams all output, and keeps a part", async () => {
    const { request } = project({
      "skill/scripts/a.py":
        "import sys\nfor i in range(5000): print(i)\nprint('\\x1b[2J', file=sys.stderr)",
    });
    let heard = "";
    const receipt = await executor.run(request("a.py", { limits: { outputBytes: 100 } }), {
      onOutput: (text, stream) => (heard += stream === "stdout" ? text : ""),
    });
    const all = Array.from({ length: 5000 }, (_, i) => `${i}\n`).join("");
    expect(receipt).toMatchObject({ ok: true, truncated: true, stderr: "␛[2J\n" });
    expect(heard).toBe(all);
  });

  it("X-05 gives a fresh working directory, and removes it", async () => {
    const { request } = project({
      "skill/scripts/a.py":
        "import os; open('x', 'w').close(); print(os.listdir('.'), os.environ['SKILL_DIR'] in __file__)",
    });
    const receipt = await executor.run(request("a.py", { cwd: "fresh" }));
    expect(receipt, receipt.stderr).toMatchObject({ ok: true, stdout: "['x'] True\n" });
  });

  it("X-05 uses a virtual environment, which the script cannot change", async () => {
    const { root, request } = project({
      "skill/scripts/a.py": "import greeting; print(greeting.TEXT)",
      "site/greeting.py": "TEXT = 'from the environment'",
    });
    const virtualEnvironment = join(root, "work/.venv");
    execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", virtualEnvironment]);
    const [version = ""] = readdirSync(join(virtualEnvironment, "lib"));
    const site = join(virtualEnvironment, "lib", version, "site-packages");
    writeFileSync(join(site, "greeting.py"), readFileSync(join(root, "site/greeting.py")));
    const receipt = await executor.run(request("a.py", { virtualEnvironment, writable: ["."] }));
    expect(receipt, receipt.stderr).toMatchObject({ ok: true, stdout: "from the environment\n" });
  });

  it("X-05 refuses limits that are none, and a canceled run never starts", async () => {
    const { request } = project({ "skill/scripts/a.py": "print(1)" });
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const receipt = await executor.run(request("a.py", { limits: { timeoutMs } }));
      expect(receipt.failure?.code).toBe("limits-invalid");
    }
    const canceled = await executor.run(request("a.py"), { signal: AbortSignal.abort() });
    expect(canceled).toMatchObject({ ok: false, canceled: true, command: [] });
  });

  it("X-03 refuses arguments that are too long for a process", async () => {
    const { request } = project({ "skill/scripts/a.py": "import sys; print(len(sys.argv[1]))" });
    const fits = await executor.run(request("a.py", { args: ["x".repeat(100_000)] }));
    expect(fits).toMatchObject({ ok: true, stdout: "100000\n" });
    const receipt = await executor.run(request("a.py", { args: ["x".repeat(200_000)] }));
    expect(receipt.failure?.code).toBe("arguments-invalid");
  });

  it("X-02 a file that may not be executed runs all the same", async () => {
    const { root, request } = project({ "skill/scripts/a.sh": "echo ran" });
    chmodSync(join(root, "skill/scripts/a.sh"), 0o600);
    expect(await executor.run(request("a.sh"))).toMatchObject({ ok: true, stdout: "ran\n" });
  });

  it("X-10 runs a program of the system without what names a skill, and finds no other", async () => {
    const { root } = project({ "work/sub/a.txt": "x", "work/tool": "#!/bin/sh\necho mine\n" });
    chmodSync(join(root, "work/tool"), 0o755);
    const cwd = join(root, "work");
    const code = "import os; print(sorted(os.environ), sorted(os.listdir('.')))";
    const receipt = await executor.run({ argv: ["python3", "-c", code], cwd });
    expect(receipt, receipt.stderr).toMatchObject({ ok: true, sandbox: name, digest: "" });
    expect(receipt.stdout).toContain("'sub', 'tool'");
    expect(receipt.stdout).not.toContain("SKILL_");
    for (const program of ["./tool", join(cwd, "tool"), "no-such-program", ""]) {
      const { failure, command } = await executor.run({ argv: [program], cwd });
      expect({ code: failure?.code, command }).toEqual({ code: "program-missing", command: [] });
    }
  });

  it("X-10 starts below the folder that it sees, and nowhere else", async () => {
    const { root, request } = project({
      "work/sub/a.txt": "below",
      "work/data.txt": "above",
      "outside/.keep": "",
      "skill/scripts/a.sh": "cat a.txt ../data.txt",
    });
    const [work, sub] = [join(root, "work"), join(root, "work/sub")];
    const command = { argv: ["cat", "a.txt", "../data.txt"], cwd: sub, root: work };
    expect(await executor.run(command)).toMatchObject({ ok: true, stdout: "belowabove" });
    const script = request("a.sh", { cwd: sub, root: work });
    expect(await executor.run(script)).toMatchObject({ ok: true, stdout: "belowabove" });
    symlinkSync("sub", join(work, "link"));
    for (const cwd of [join(root, "outside"), join(work, "link"), "fresh"]) {
      const { failure } = await executor.run({ ...command, cwd });
      expect(failure?.code).toBe("working-directory-refused");
    }
  });
});

it("X-06 says what a plain process is not kept from", async () => {
  const { request } = project({ "skill/scripts/a.py": "print(1)" });
  const receipt = await createProcessExecutor().run(request("a.py"));
  expect(receipt.unenforced).toEqual(expect.arrayContaining(["reads", "writable", "network"]));
});

it("X-10 a sandbox covers what a command must not see", async () => {
  const { root } = project({
    "work/skills/pdf/scripts/a.py": "x",
    "work/sub/.env": "KEY=1",
    "work/.env": "KEY=2",
  });
  const work = join(root, "work");
  const receipt = await createBubblewrapExecutor().run({
    argv: ["bash", "-c", "ls ../skills/pdf/scripts; cat .env ../.env; echo seen"],
    cwd: join(work, "sub"),
    root: work,
    hidden: [join(work, "skills/pdf/scripts"), "/nowhere/else"],
  });
  expect(receipt, receipt.stderr).toMatchObject({ ok: true, stdout: "seen\n" });
});

it("X-11 runs at the same time in one folder each keep what they changed", async () => {
  const { root, request } = project({
    "skill/scripts/a.py": `import os, sys, time
open(sys.argv[1], "w").write(sys.argv[1])
time.sleep(float(sys.argv[1]))
print(sorted(os.listdir(".")))`,
  });
  const executor = createBubblewrapExecutor();
  const delays = ["0", "0.2", "0.1"];
  const receipts = await Promise.all(
    delays.map((delay) => executor.run(request("a.py", { args: [delay], writable: ["."] }))),
  );
  for (const { ok, stderr } of receipts) expect(ok, stderr).toBe(true);
  expect(readdirSync(join(root, "work")).toSorted()).toEqual(delays.toSorted());
});

it("X-05 the limit of processes counts those of the script and no other, in a view too", async () => {
  const { root } = project({});
  const cwd = join(root, "work");
  const changes = new RunChanges({ root: cwd, folder: join(root, "run") });
  onTestFinished(() => changes.close());
  const code = `import os, time
count = 0
try:
    while count < 20:
        if os.fork() == 0: time.sleep(60)
        count += 1
except BlockingIOError: print(count)`;
  const command = { argv: ["python3", "-c", code], cwd };
  for (const context of [{}, { changes }]) {
    for (const processes of [1, 3]) {
      const receipt = await createBubblewrapExecutor().run(
        { ...command, limits: { processes } },
        context,
      );
      const isHeld = !receipt.unenforced.includes("processes");
      expect(receipt.stdout, receipt.stderr).toBe(isHeld ? `${processes - 1}\n` : "");
    }
  }
});
