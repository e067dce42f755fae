import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { probeBubblewrap } from "../../packages/runtime/src/execution/index.ts";
import { sample } from "../support/suite.ts";
import { bundleExecution, ExecutionHost, RUNNERS, SECRET } from "./execution-host.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleExecution();
  // Without the sandbox nothing below proves anything: it fails, it is not skipped.
  const probe = await probeBubblewrap();
  if (!probe.ok) throw new Error(`${probe.message}. ${probe.hint ?? ""}`);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

describe.each(sample(RUNNERS, 1))("the skill of a script, as $user", (runner) => {
  const newHost = () => {
    const host = new ExecutionHost(bundle, runner);
    host.write({ "skill/scripts/ran.py": "open('ran', 'w').close()" });
    return host;
  };
  /** Why nothing ran; nothing is there that was not. */
  const refusalOf = async (host: ExecutionHost) => {
    const receipt = await host.run("ran.py", { writable: ["."] });
    expect(receipt).toMatchObject({ ok: false, exitCode: null, command: [], stdout: "" });
    expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt"]);
    return receipt.failure?.code;
  };

  it.each(["../../outside", "/etc", ".", "a/b", "..", "x\n--bind / /", "$(id)", "--help"])(
    "X-02 case 14 the name %j is no path and no option",
    async (name) => {
      const host = newHost();
      const before = readdirSync(host.root).sort();
      const skill = { name, path: host.skill };
      host.write({ "skill/scripts/name.py": "import os; print(os.environ.get('SKILL_NAME', ''))" });
      const receipt = await host.run("name.py", { skill });
      expect(receipt).toMatchObject({ ok: true, stdout: `${name}\n` });
      expect(readdirSync(host.root).sort()).toEqual(before);
    },
  );

  it("X-02 case 21 a skill whose folder is a link runs", async () => {
    const host = newHost();
    symlinkSync("skill", join(host.root, "installed"));
    host.write({ "skill/scripts/fine.py": "print('fine')" });
    const skill = { name: "skill", path: join(host.root, "installed") };
    expect(await host.run("fine.py", { skill })).toMatchObject({ ok: true, stdout: "fine\n" });
  });

  it.each([
    ["17 a file outside", "leak.txt", "../outside/secret.txt"],
    ["18 a folder outside", "leak", "../outside"],
    ["20 a file inside", "same.py", "scripts/ran.py"],
    ["22 itself", "loop", "loop"],
    ["23 nothing", "dangling", "../outside/later"],
    ["26 the environment", "environ", "/proc/self/environ"],
  ])("X-02 case %s, by a link anywhere in the skill: nothing runs", async (_, name, target) => {
    const host = newHost();
    symlinkSync(target, join(host.skill, name));
    expect(await refusalOf(host)).toBe("skill-unreadable");
  });

  it("X-02 case 19 SKILL.md is a link: nothing runs", async () => {
    const host = newHost();
    rmSync(join(host.skill, "SKILL.md"));
    symlinkSync("../outside/secret.txt", join(host.skill, "SKILL.md"));
    expect(await refusalOf(host)).toBe("skill-unreadable");
  });

  it("X-02 case 25 a hard link is a file like any: a script gets its copy and cannot change it", async () => {
    const host = newHost();
    linkSync(join(host.root, "outside/secret.txt"), join(host.skill, "scripts/hard.txt"));
    const receipt = await host.python(
      `import os, sys
path = os.path.join(os.path.dirname(__file__), "hard.txt")
for mode in ("a", "w"):
    try: open(path, mode).write("evil"); print("written")
    except OSError as error: print("refused")
print(os.stat(path).st_nlink)`,
    );
    expect(receipt.stdout).toBe("refused\nrefused\n1\n");
    const { stdout } = spawnSync("cat", [join(host.root, "outside/secret.txt")]);
    expect(stdout.toString()).toBe(SECRET);
  });

  it("X-02 case 26 pipes, sockets and devices: nothing runs, and nobody waits", async () => {
    const pipe = newHost();
    spawnSync("mkfifo", [join(pipe.skill, "pipe")]);
    expect(await refusalOf(pipe)).toBe("skill-unreadable");
    const socket = newHost();
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(join(socket.skill, "s"), resolve));
    expect(await refusalOf(socket)).toBe("skill-unreadable");
    if (process.getuid?.() !== 0) return;
    const device = newHost();
    spawnSync("mknod", [join(device.skill, "zero"), "c", "1", "5"]);
    expect(await refusalOf(device)).toBe("skill-unreadable");
  });

  it("X-05 cases 30 and 34 10 GB of nothing, and thousands of files: nothing runs", async () => {
    const large = newHost();
    large.write({ "skill/references/large.bin": "" });
    truncateSync(join(large.skill, "references/large.bin"), 10 * 1024 ** 3);
    expect(await refusalOf(large)).toBe("skill-too-large");
    const many = newHost();
    many.write(
      Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`skill/references/${i}`, ""])),
    );
    expect(await refusalOf(many)).toBe("skill-too-large");
  });

  it("X-05 case 35 a thousand nested folders: nothing runs, and it comes back", async () => {
    const host = newHost();
    mkdirSync(join(host.skill, "d/".repeat(1000)), { recursive: true });
    host.own();
    expect(await refusalOf(host)).toBe("skill-too-large");
  });

  it("X-03 case 88 an argument of 200 KB is refused with a reason, not by the kernel", async () => {
    const host = newHost();
    const receipt = await host.run("ran.py", { args: ["x".repeat(200_000)], writable: ["."] });
    expect(receipt).toMatchObject({ ok: false, command: [] });
    expect(receipt.failure).toMatchObject({ code: "arguments-invalid" });
    expect(readdirSync(host.work).sort()).toEqual([".env", "data.txt"]);
  });

  it("X-03 case 91 start files of Python and npm beside the script's data do nothing", async () => {
    const host = newHost();
    const evil = "import sys; sys.stdout.write('EVIL')";
    host.write({
      "work/evil.pth": evil,
      "work/.npmrc": "node-options=--require ./evil.js\n",
      "work/evil.js": "console.log('EVIL')",
      "work/package.json": '{"scripts":{"preinstall":"echo EVIL"},"type":"module"}',
      "work/pyvenv.cfg": "home = /tmp\n",
      "work/sitecustomize.py": evil,
      "home/.config/pip/pip.conf": "[global]\nindex-url = https://evil.test\n",
    });
    expect((await host.python("print('fine')")).stdout).toBe("fine\n");
    host.write({ "skill/scripts/fine.cjs": "console.log('fine')" });
    expect((await host.run("fine.cjs")).stdout).toBe("fine\n");
  });
});
