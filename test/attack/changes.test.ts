import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeView } from "../../packages/runtime/src/changes/index.ts";
import { bundleViews, keptIn, refusedIn, ViewHost } from "../support/view-host.ts";
import { RUNNERS } from "./execution-host.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleViews();
  // Without a view nothing below proves anything: it fails, it is not skipped.
  const probe = await probeView();
  if (!probe.ok) throw new Error(probe.reason);
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

describe.each(RUNNERS)("changes of scripts as $user", (runner) => {
  const host = (files: Readonly<Record<string, string>> = {}) =>
    new ViewHost(bundle, runner, files);
  const text = (world: ViewHost, path: string) => readFileSync(join(world.work, path), "utf8");

  it("X-11 nothing real changes until changes are applied, then exactly they do", async () => {
    const world = host({ "a.txt": "a", "b/c.txt": "c", "b/d/e.txt": "e", "f/g.txt": "g" });
    const script = `echo new > new.txt; echo more >> a.txt; rm -r b; mkdir b; echo x > b/x
      chmod 755 f/g.txt; mkdir -p n/o; echo deep > n/o/p`;
    const before = await world.run([["script", script]]);
    expect(before.scripts[0]).toMatchObject({ status: 0, stderr: "" });
    expect(keptIn(before)).toEqual([
      "created b/x",
      "created n",
      "created n/o",
      "created n/o/p",
      "created new.txt",
      "deleted b/c.txt",
      "deleted b/d",
      "deleted b/d/e.txt",
      "mode f/g.txt",
      "modified a.txt",
    ]);
    expect(readdirSync(world.work).toSorted()).toEqual(["a.txt", "b", "f"]);
    expect(text(world, "a.txt")).toBe("a");
    const after = await world.run([["apply"]]);
    expect(after.applied).toMatchObject({ conflicts: [] });
    expect(readdirSync(world.work, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "a.txt",
      "b",
      "b/x",
      "f",
      "f/g.txt",
      "n",
      "n/o",
      "n/o/p",
      "new.txt",
    ]);
    expect(text(world, "a.txt")).toBe("amore\n");
  });

  it("X-11 F3 control files are refused at any depth and in any spelling, the rest goes on", async () => {
    const world = host({ "sub/AGENTS.md": "theirs", "sub/.vscode/tasks.json": "{}" });
    const made = [
      ".git/config",
      "sub/.git/hooks/pre-commit",
      "a/b/c/d/e/f/.GIT/config",
      "x/.g\u200cit/config",
      "x/.ＧＩＴ/config",
      "git~1/config",
      ".github/workflows/ci.yml",
      "deep/.github/Workflows/ci.yml",
      ".claude/settings.json",
      ".agent/config.json",
      ".agents/skills/a/SKILL.md",
      ".botsharp/x",
      "sub/.mcp.json",
      "sub/AGENTS.md",
      "sub/agents.override.MD",
      "CLAUDE.md",
      "CLAUDE.local.md",
      ".cursorrules",
      ".cursor/rules/x.mdc",
      "opencode.json",
      ".zed/tasks.json",
      ".idea/workspace.xml",
      "sub/.vscode/tasks.json",
      "proj.code-workspace",
      "mise.toml",
      "sub/.mise.local.toml",
      ".npmrc",
      ".yarn/releases/yarn.cjs",
      ".bashrc",
      ".cargo/config.toml",
      "skills/evil/SKILL.md",
      ".skillwright-apply-0123456789abcdef/n0",
    ];
    const words = made.map((path) => JSON.stringify(path)).join(" ");
    const result = await world.script(
      `for f in ${words}; do mkdir -p "$(dirname "$f")"; echo evil > "$f"; done; echo fine > out.txt`,
    );
    expect(result.scripts[0]).toMatchObject({ status: 0, stderr: "" });
    const refused = refusedIn(result);
    for (const path of made) expect(refused, path).toHaveProperty([path]);
    expect(text(world, "out.txt")).toBe("fine\n");
    for (const path of made) {
      const isTheirs = path === "sub/AGENTS.md" || path === "sub/.vscode/tasks.json";
      expect(existsSync(join(world.work, path)), path).toBe(isTheirs);
    }
    expect(text(world, "sub/AGENTS.md")).toBe("theirs");
    expect(text(world, "sub/.vscode/tasks.json")).toBe("{}");
  });

  it("X-11 F3 a new repository is refused in one script or in several, bare or with commondir", async () => {
    const world = host({ "half/objects/x": "", "half/refs/x": "" });
    const result = await world.run([
      ["script", "mkdir -p bare/objects bare/refs; echo x > bare/config"],
      ["script", "echo 'ref: refs/heads/main' > bare/HEAD; echo a > half/head"],
      ["script", "mkdir wt; echo ref > wt/HEAD; echo /tmp/evil > wt/commondir; echo fine > fine"],
      ["apply"],
    ]);
    const refused = refusedIn(result);
    for (const path of ["bare/HEAD", "bare/config", "half/head", "wt/HEAD", "wt/commondir"]) {
      expect(refused, path).toHaveProperty([path]);
      expect(existsSync(join(world.work, path)), path).toBe(false);
    }
    expect(text(world, "fine")).toBe("fine\n");
  });

  it("X-11 F3 links are neither made nor followed, by the collector or when changes are applied", async () => {
    const world = host({ "dir/a": "a", file: "f" });
    world.write({ "../outside/secret": "SECRET", "../outside/victim/x": "theirs" });
    const outside = join(world.folder, "outside");
    const result = await world.script(
      `ln -s ${outside} out; ln -s ${outside}/secret leak; ln -s .git inside
       rm -r dir; ln -s ${outside}/victim dir; rm file; ln -s ${outside}/secret file; echo x > ok`,
    );
    expect(keptIn(result)).toEqual(["created ok"]);
    expect(text(world, "file")).toBe("f");
    expect(text(world, "dir/a")).toBe("a");
    expect(existsSync(join(world.work, "out"))).toBe(false);
    expect(readdirSync(outside).toSorted()).toEqual(["secret", "victim"]);
    expect(JSON.stringify(result)).not.toContain("SECRET");
  });

  it("X-11 F3 a folder swapped for a link between collecting and applying is not written through", async () => {
    const world = host({ "dir/a": "a", "keep/b": "b", "gone/c": "c" });
    world.write({ "../outside/a": "theirs", "../outside/c": "theirs" });
    const result = await world.run([
      ["script", "echo evil > dir/a; echo evil > dir/new; rm gone/c; echo fine > keep/b"],
      ["host", "mv dir away; ln -s ../outside dir; mv gone away2; ln -s ../outside gone"],
      ["apply"],
    ]);
    expect(result.applied?.applied.map(({ path }) => path)).toEqual(["keep/b"]);
    expect(result.applied?.conflicts.map(({ path }) => path).toSorted()).toEqual([
      "dir/a",
      "dir/new",
      "gone/c",
    ]);
    const outside = join(world.folder, "outside");
    expect(readdirSync(outside).toSorted()).toEqual(["a", "c"]);
    expect(readFileSync(join(outside, "a"), "utf8")).toBe("theirs");
    expect(text(world, "keep/b")).toBe("fine\n");
  });

  it("X-11 a file that someone else changed, replaced, deleted or made meanwhile is a conflict of its own", async () => {
    const names = ["edited", "replaced", "deleted", "linked", "folder", "same", "touched"];
    const world = host(Object.fromEntries(names.map((name) => [name, "old"])));
    const result = await world.run([
      ["script", `for f in ${names.join(" ")} new; do echo script > $f; done; rm same`],
      [
        "host",
        `echo me > edited; echo me > tmp; mv tmp replaced; rm deleted; rm linked; ln -s same linked
         rm folder; mkdir folder; echo me > new; touch touched`,
      ],
      ["apply"],
    ]);
    const conflicts = result.applied?.conflicts.map(({ path }) => path).toSorted();
    expect(conflicts).toEqual(["deleted", "edited", "folder", "linked", "new", "replaced"]);
    expect(text(world, "edited")).toBe("me\n");
    expect(text(world, "replaced")).toBe("me\n");
    expect(text(world, "new")).toBe("me\n");
    expect(existsSync(join(world.work, "deleted"))).toBe(false);
    // Only its times changed.
    expect(text(world, "touched")).toBe("script\n");
    expect(existsSync(join(world.work, "same"))).toBe(false);
  });

  it("X-11 a file that changes while the script runs is marked, also for a process that comes later", async () => {
    const world = host({ "a.txt": "old" });
    const result = await world.run([
      ["script", "cat a.txt"],
      ["host", "sleep 0.05; echo me > a.txt"],
      ["script", "rm -f a.txt; echo script > a.txt"],
    ]);
    expect(result.changes).toMatchObject([{ path: "a.txt", conflict: true }]);
    const later = await world.run([["reopen"], ["script", "echo more >> a.txt"], ["apply"]]);
    expect(later.applied?.conflicts).toMatchObject([{ path: "a.txt" }]);
    expect(text(world, "a.txt")).toBe("me\n");
  });

  it("X-11 F5 sockets and FIFOs of the working directory do not lead to the host, and none is made there", async () => {
    const world = host({ x: "" });
    const result = await world.run([
      [
        "host",
        `python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'; mkfifo fifo
         (timeout 20 cat fifo > got || true) > /dev/null 2>&1 &`,
      ],
      [
        "script",
        `python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("sock")' 2>&1 | tail -1
         timeout 1 bash -c 'echo leaked > fifo'; mkfifo own; rm -f fifo
         python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("mine")'; echo done > done`,
      ],
      ["apply"],
    ]);
    expect(result.scripts[0]?.stdout).toContain("ConnectionRefusedError");
    expect(text(world, "got")).toBe("");
    expect(existsSync(join(world.work, "own"))).toBe(false);
    expect(existsSync(join(world.work, "mine"))).toBe(false);
    expect(existsSync(join(world.work, "fifo"))).toBe(true);
    expect(text(world, "done")).toBe("done\n");
  });

  it("X-11 F6 a hidden file stays hidden through an atomic save, and can be neither read nor replaced", async () => {
    const world = host({ ".env": "SECRET", "sub/server.key": "SECRET", "sub/x": "x" });
    const masked = [".env", "sub/server.key"];
    const result = await world.run(
      [
        ["script", "cat .env sub/server.key; ls -A . sub"],
        [
          "host",
          "echo SECRET2 > tmp; mv tmp .env; echo SECRET3 > sub/tmp; mv sub/tmp sub/server.key",
        ],
        ["script", "cat .env sub/server.key; ls -A . sub; ln .env hard; mv sub moved; cat moved/*"],
        ["script", "echo evil > .env; mkdir -p sub; echo evil > sub/server.key"],
        ["apply"],
      ],
      { masked },
    );
    expect(JSON.stringify(result.scripts)).not.toContain("SECRET");
    expect(refusedIn(result)).toHaveProperty([".env"]);
    expect(text(world, ".env")).toBe("SECRET2\n");
    expect(text(world, "sub/server.key")).toBe("SECRET3\n");
  });

  it("X-11 a folder that holds something protected is not deleted, the rest of it is", async () => {
    const world = host({
      "p/.git/config": "theirs",
      "p/a": "a",
      "p/q/b": "b",
      "p/.env": "s",
      "r/c": "c",
    });
    const result = await world.script("rm -rf p r", { masked: ["p/.env"] });
    expect(result.scripts[0]).toMatchObject({ status: 0 });
    expect(readdirSync(world.work, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "p",
      "p/.env",
      "p/.git",
      "p/.git/config",
    ]);
  });

  it("X-11 what stands in for a hidden file goes when its folder is deleted", async () => {
    const world = host({ "p/.env": "s", "p/a": "a" });
    const result = await world.run(
      [["script", "rm -rf p && mkdir p && echo new > p/b"], ["script", "ls -A p"], ["apply"]],
      { masked: ["p/.env"] },
    );
    expect(result.scripts[1]?.stdout).toBe("b\n");
    expect(readdirSync(join(world.work, "p")).toSorted()).toEqual([".env", "b"]);
    expect(text(world, "p/.env")).toBe("s");
  });

  it("X-11 a hard link never carries a change to another name of the file", async () => {
    const world = host({ a: "old", b: "old", "sub/c": "c" });
    world.write({ "../outside/secret": "SECRET" });
    const result = await world.run([
      ["host", "ln ../outside/secret linked; ln a second"],
      [
        "script",
        "echo evil > linked; echo x >> a; ln b b2; chmod 640 second; ln sub/c d; rm sub/c",
      ],
      ["apply"],
    ]);
    expect(result.applied?.conflicts).toEqual([]);
    expect(readFileSync(join(world.folder, "outside/secret"), "utf8")).toBe("SECRET");
    expect(text(world, "linked")).toBe("evil\n");
    expect(text(world, "a")).toBe("oldx\n");
    expect(text(world, "second")).toBe("old");
    expect(statSync(join(world.work, "second")).mode & 0o777).toBe(0o640);
    expect(statSync(join(world.work, "b2")).ino).not.toBe(statSync(join(world.work, "b")).ino);
    expect(text(world, "d")).toBe("c");
  });

  it("X-11 names with newlines, hidden characters or invalid bytes are refused and spoof nothing", async () => {
    const world = host({ "theirs\nline": "t" });
    const result = await world.script(
      String.raw`touch "$(printf 'a\nmodified b')" "$(printf 'c\xff')" "$(printf 'd\xe2\x80\xaetxt.exe')"
       mkdir "$(printf 'f\xfe')" && touch "$(printf 'f\xfe/inside')"; echo more >> "$(printf 'theirs\nline')"; echo x > fine`,
    );
    expect(keptIn(result)).toEqual(["created fine"]);
    expect(readdirSync(world.work).toSorted()).toEqual(["fine", "theirs\nline"]);
    expect(text(world, "theirs\nline")).toBe("t");
  });

  it("X-11 modes that forbid everything hide no change, and no file gets the rights of its owner", async () => {
    const world = host({ a: "a", "dir/b": "b", s: "s" });
    const result = await world.script(
      `echo x > a; chmod 000 a; mkdir shut; echo y > shut/.npmrc; echo z > shut/z; chmod 000 shut
       chmod 0 dir; chmod 4755 s; mkdir -m 333 blind; echo w > blind/w`,
    );
    expect(result.applied?.conflicts).toEqual([]);
    expect(refusedIn(result)).toHaveProperty(["shut/.npmrc"]);
    const mode = (path: string) => statSync(join(world.work, path)).mode & 0o7777;
    expect([mode("a"), mode("shut"), mode("dir"), mode("blind"), mode("s")]).toEqual([
      0, 0, 0, 0o333, 0o755,
    ]);
    for (const path of ["a", "shut", "dir", "blind"]) chmodSync(join(world.work, path), 0o700);
    expect(text(world, "a")).toBe("x\n");
    expect(readdirSync(join(world.work, "shut"))).toEqual(["z"]);
    expect(readdirSync(join(world.work, "blind"))).toEqual(["w"]);
  });

  it("X-11 devices and whiteouts cannot be made, and attributes of the layers do nothing", async () => {
    const world = host({ a: "a", "dir/b": "b" });
    const result = await world.script(
      `mknod w c 0 0; mknod z c 1 5; mknod b b 7 0
       python3 - <<'P'
import os
for path, name in (("dir", "user.overlay.opaque"), ("a", "user.overlay.whiteout"), ("dir", "user.overlay.redirect"), ("a", "trusted.overlay.opaque")):
    try: os.setxattr(path, name, b"y")
    except OSError: pass
P
       ls -A . dir; echo x > x`,
    );
    expect(result.scripts[0]?.stdout).toBe(".:\na\ndir\n\ndir:\nb\n");
    expect(keptIn(result)).toEqual(["created x"]);
    expect(readdirSync(world.work).toSorted()).toEqual(["a", "dir", "x"]);
  });

  it("X-11 opaque folders, folders for files and files for folders come out as they are in the view", async () => {
    const world = host({ "d/a": "1", "d/b": "2", f: "3", "g/h/i": "4", "same/x": "5" });
    const result = await world.script(
      `rm -r d; mkdir d; echo 9 > d/a; rm f; mkdir f; echo 8 > f/in; rm -r g; echo 7 > g
       rm same/x; printf 5 > same/x; mkdir tmp; rmdir tmp; touch gone; rm gone`,
    );
    expect(keptIn(result)).not.toContain("modified same/x");
    expect(readdirSync(world.work, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "d",
      "d/a",
      "f",
      "f/in",
      "g",
      "same",
      "same/x",
    ]);
    expect([text(world, "d/a"), text(world, "f/in"), text(world, "g")]).toEqual([
      "9\n",
      "8\n",
      "7\n",
    ]);
    expect((await world.run([["script", "true"]])).changes).toEqual([]);
  });

  it("X-11 files made on the host in a folder that a script replaced are not lost", async () => {
    const world = host({ "d/a": "1" });
    const result = await world.run([
      ["script", "rm -r d; mkdir d; echo 2 > d/new"],
      ["host", "sleep 0.05; echo mine > d/mine"],
      ["script", "true"],
      ["apply"],
    ]);
    expect(result.applied?.conflicts).toEqual([]);
    expect(readdirSync(join(world.work, "d")).toSorted()).toEqual(["mine", "new"]);
  });

  it("X-11 a deep tree is looked at only as deep as is applied, and nothing overflows", async () => {
    const world = host({ x: "" });
    const result = await world.script(
      `python3 -c 'import os
for i in range(3000):
    os.mkdir("d"); os.chdir("d")
open("end", "w").write("x")'; echo fine > fine`,
    );
    expect(result.scripts[0]).toMatchObject({ status: 0 });
    expect(Object.values(refusedIn(result))).toContain("it lies below 64 folders");
    expect(text(world, "fine")).toBe("fine\n");
  });

  it("X-11 more files or bytes than may be kept are refused, and the first ones go on", async () => {
    const world = host({ x: "" });
    const keep = { files: 50, bytes: 100_000 };
    const result = await world.script(
      "for i in $(seq -w 60); do echo $i > f$i; done; head -c 200000 /dev/zero > big",
      { keep },
    );
    expect(refusedIn(result)).toMatchObject({ big: "more than 100,000 bytes in all" });
    expect(readdirSync(world.work)).toHaveLength(keep.files + 1);
  });

  it("X-11 10,000 files are collected and applied", { timeout: 300_000 }, async () => {
    const world = host({ x: "" });
    const result = await world.script(
      "mkdir a b; for i in $(seq 9997); do echo $i > $(( i % 2 ? 1 : 0 ))-$i; done; mv 1-* a; mv 0-* b",
    );
    expect(result.changes).toHaveLength(9999);
    expect(result.applied?.conflicts).toEqual([]);
    expect(readdirSync(join(world.work, "a"))).toHaveLength(4999);
    expect(text(world, "b/0-9996")).toBe("9996\n");
  });

  it("X-11 more names than are looked at are refused by name, and nothing is half-collected", async () => {
    const world = host({ x: "" });
    const result = await world.run([
      ["script", 'python3 -c \'for i in range(25000): open(f"{i}", "w")\''],
    ]);
    expect(refusedIn(result)).toHaveProperty(["…"]);
    expect(keptIn(result)).toHaveLength(10_000);
  });

  it("X-11 a full view is an error of the script, with no half entry and nothing lost", async () => {
    const world = host({ a: "a" });
    const result = await world.script(
      "echo fine > fine; head -c 3000000 /dev/zero > big; echo more >> a; for i in $(seq 300); do touch f$i; done",
      { limits: { bytes: 2_000_000, entries: 100 } },
    );
    expect(result.scripts[0]?.stderr).toContain("No space left on device");
    expect(result.applied?.conflicts).toEqual([]);
    expect(text(world, "fine")).toBe("fine\n");
    expect(["a", "amore\n"]).toContain(text(world, "a"));
  });

  it("X-11 names that differ only by case are both kept or both reported, never mixed up", async () => {
    const world = host({ readme: "1" });
    await world.script("echo 2 > README; echo 3 > Readme");
    expect(readdirSync(world.work).toSorted()).toEqual(["README", "Readme", "readme"]);
    expect([text(world, "README"), text(world, "readme")]).toEqual(["2\n", "1"]);
  });

  it("X-11 later scripts see what earlier ones did, kept or not, also in a view of another process", async () => {
    const world = host({ a: "1", b: "2" });
    const first = await world.run([
      ["script", "echo x > a; rm b; mkdir -p .vscode; echo t > .vscode/tasks.json; ln -s a l"],
      ["script", "cat a .vscode/tasks.json; ls -A"],
    ]);
    const expected = "x\nt\n.vscode\na\nl\n";
    expect(first.scripts[1]?.stdout).toBe(expected);
    const second = await world.run([["script", "cat a .vscode/tasks.json; ls -A"]]);
    expect(second.scripts[0]?.stdout).toBe(expected);
    expect(keptIn(second)).toEqual(["deleted b", "modified a"]);
    await world.run([["apply", "a"]]);
    expect(text(world, "a")).toBe("x\n");
    const third = await world.run([
      ["script", "cat a; ls -A"],
      ["discard"],
      ["reopen"],
      ["script", "ls -A"],
    ]);
    expect(third.scripts[0]?.stdout).toBe("x\n.vscode\na\nl\n");
    expect(third.scripts[1]?.stdout).toBe("a\nb\n");
  });

  it("X-11 changes can be undone exactly, and only as long as nothing else happened to the files", async () => {
    const world = host({ a: "1", "b/c": "2", d: "3", e: "4" });
    const result = await world.run([
      [
        "script",
        "echo x > a; rm -r b; chmod 600 d; echo y > new; mkdir -p n/m; echo z > n/m/o; echo w > e",
      ],
      ["apply"],
      ["host", "echo mine > e"],
      ["undo"],
    ]);
    expect(result.undone?.conflicts.map(({ path }) => path)).toEqual(["e"]);
    expect(readdirSync(world.work, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "a",
      "b",
      "b/c",
      "d",
      "e",
    ]);
    expect([text(world, "a"), text(world, "b/c"), text(world, "e")]).toEqual(["1", "2", "mine\n"]);
    expect(statSync(join(world.work, "d")).mode & 0o777).toBe(0o644);
  });

  it("X-11 held contents that were tampered with are not applied", async () => {
    const world = host({ a: "1" });
    const result = await world.run([["script", "echo good > a"]]);
    const digest = result.changes[0]?.after?.digest ?? "";
    writeFileSync(join(world.held, "contents", digest), "evil\n");
    await expect(world.run([["apply"]])).rejects.toThrow("was changed");
    expect(text(world, "a")).toBe("1");
    expect(readdirSync(world.work)).toEqual(["a"]);
  });

  it("X-11 mounts of the view are seen by nobody else, and its options by nobody", async () => {
    const world = host({ a: "1" });
    const result = await world.run([
      ["script", "cat /proc/self/mountinfo; id -u; grep CapEff /proc/self/status; touch b"],
    ]);
    const out = result.scripts[0]?.stdout ?? "";
    expect(out).toContain("CapEff:\t0000000000000000");
    expect(/overlay .*lowerdir=l,/.test(out)).toBe(true);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(world.folder);
  });
});
