import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspaceTools } from "../../packages/runtime/src/internal/index.ts";
import { numRuns } from "../support/suite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "TOP-SECRET";
const isRoot = process.getuid?.() === 0;

/** A working directory among things that must neither be read nor change. */
class Workspace {
  readonly parent = temporaryFolder({
    "app/src/main.ts": "inside\n",
    "app/README.md": "inside\n",
    "app-evil/main.ts": SECRET,
    "outside/main.ts": SECRET,
    "outside/deep/secret.md": SECRET,
    "secret.md": SECRET,
  });
  readonly root = join(this.parent, "app");
  readonly options = {
    root: this.root,
    trash: join(this.parent, "trash"),
    enableDeleteFile: true,
  } as const;
  readonly #tools = createWorkspaceTools(this.options).tools();
  readonly #before = this.outside();

  file(path: string): string {
    return join(this.root, path);
  }

  /** The code of the refusal, or `ok`; throws when the secret shows. */
  async call(name: string, input: object): Promise<string> {
    const tool = this.#tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no ${name}`);
    const result = (await tool.execute(input)) as { ok: boolean; code?: string };
    if ((JSON.stringify(result) + tool.toText(result)).includes(SECRET)) {
      throw new Error(`${name} ${JSON.stringify(input)} gave the secret away`);
    }
    return result.ok ? "ok" : (result.code ?? "");
  }

  /** Every tool, each of which must refuse. */
  async refusals(path: string): Promise<readonly string[]> {
    const codes: string[] = [];
    for (const name of [
      "read_file",
      "list_directory",
      "search_files",
      "write_file",
      "delete_file",
    ]) {
      codes.push(await this.call(name, { path, pattern: ".", content: "changed" }));
    }
    return codes;
  }

  /** What is there now and was not before, or the other way round. */
  changesOutside(): readonly string[] {
    const now = this.outside();
    const isMissing = (lines: readonly string[]) => (line: string) => !lines.includes(line);
    return [...now.filter(isMissing(this.#before)), ...this.#before.filter(isMissing(now))];
  }

  outside(): readonly string[] {
    return ["app-evil", "outside", "secret.md"].flatMap((name) =>
      snapshot(join(this.parent, name)),
    );
  }

  inside(): readonly string[] {
    return snapshot(this.root);
  }
}

/** Everything that a change would show in. */
function snapshot(path: string): readonly string[] {
  const { ino, mode, mtimeMs, ctimeMs, nlink } = lstatSync(path);
  const line = (content: string) => [path, ino, mode, mtimeMs, ctimeMs, nlink, content].join(" ");
  if (lstatSync(path).isSymbolicLink()) return [line(readlinkSync(path))];
  if (lstatSync(path).isFile()) return [line(readFileSync(path, "latin1"))];
  if (!lstatSync(path).isDirectory()) return [line("")];
  const names = readdirSync(path).sort();
  return [line(names.join()), ...names.flatMap((name) => snapshot(join(path, name)))];
}

describe("paths", () => {
  it.each([
    "../secret.md",
    "src/../../secret.md",
    "..",
    "src/../..",
    "./../secret.md",
    "/etc/passwd",
    "~/secret",
    "~",
    "file:///etc/passwd",
    "//etc/passwd",
    "src//main.ts",
    "..\\secret.md",
    "src\\..\\..\\secret.md",
    "\\\\host\\s",
    "\\\\?\\C:\\x",
    "\\??\\x",
    "C:x",
    "C:/x",
    "src\0/main.ts",
    "src/main.ts\0.md",
    "src\nx",
    "a\u001b[2J",
    "a\u202eb",
    "a/".repeat(3000),
    `src/${"x".repeat(256)}`,
  ])("X-10 every tool refuses %j", async (path) => {
    const workspace = new Workspace();
    const before = workspace.inside();
    for (const code of await workspace.refusals(path)) {
      expect(code).toMatch(/^(?:path-outside|path-invalid|not-a-file)$/);
    }
    expect(workspace.inside()).toEqual(before);
    expect(workspace.changesOutside()).toEqual([]);
  });

  it("X-10 refuses the sibling whose name begins alike, and paths that only look encoded", async () => {
    const workspace = new Workspace();
    const { parent } = workspace;
    expect(await workspace.refusals(`${parent}/app-evil/main.ts`)).toEqual(
      Array(5).fill("path-outside"),
    );
    for (const path of [
      "%2e%2e%2fsecret.md",
      "%252e%252e/secret.md",
      "．．／secret.md",
      "..∕secret.md",
    ]) {
      expect(await workspace.call("read_file", { path })).toBe("file-not-found");
      expect(await workspace.call("delete_file", { path })).toBe("file-not-found");
    }
    expect(workspace.changesOutside()).toEqual([]);
  });

  it.each(["CON", "nul.md", "aux", "COM1.txt", "a.", "a ", "x::$DATA", "src/aux.c"])(
    "X-10 writes no %j, which means something else on Windows",
    async (path) => {
      const workspace = new Workspace();
      const before = workspace.inside();
      expect(["path-invalid", "path-outside"]).toContain(
        await workspace.call("write_file", { path, content: "x" }),
      );
      expect(workspace.inside()).toEqual(before);
    },
  );
});

describe("links and special files", () => {
  it.each([
    ["a file outside", "leak", "../secret.md", "leak"],
    ["a file outside, absolute", "leak", "/etc/passwd", "leak"],
    ["a folder outside", "out", "../outside", "out/main.ts"],
    ["a folder outside, for a new file", "out", "../outside", "out/new.md"],
    ["a folder outside, for a new folder", "out", "../outside", "out/new/new.md"],
    ["a folder outside, deeper", "src/out", "../../outside", "src/out/deep/secret.md"],
    ["something that goes out and comes back", "back", "../app/../outside", "back/main.ts"],
    ["itself", "loop", "loop", "loop"],
    ["itself, as a folder", "loop", "loop", "loop/x"],
    ["nothing outside", "dangling", "../outside/new.md", "dangling"],
    ["the environment", "environ", "/proc/self/environ", "environ"],
    ["the root by a descriptor", "fd", "/proc/self/root", "fd/etc/passwd"],
    ["a device", "zero", "/dev/zero", "zero"],
  ])("X-10 a link to %s is neither read nor written through", async (_, name, target, path) => {
    const workspace = new Workspace();
    symlinkSync(target, workspace.file(name));
    const before = workspace.inside();
    expect(await workspace.call("read_file", { path })).toBe("link-refused");
    expect(await workspace.call("list_directory", { path })).toBe("link-refused");
    expect(await workspace.call("search_files", { path, pattern: "." })).toBe("link-refused");
    expect(await workspace.call("search_files", { pattern: "SECRET" })).toBe("ok");
    expect(await workspace.call("write_file", { path, content: "changed" })).toBe("link-refused");
    const behind = path === name ? "link-refused" : await workspace.call("delete_file", { path });
    expect(behind).toBe("link-refused");
    expect(workspace.inside()).toEqual(before);
    // The link itself may go; what it stands for stays.
    expect(await workspace.call("delete_file", { path: name })).toBe("ok");
    expect(workspace.changesOutside()).toEqual([]);
  });

  it("X-10 a link inside is read, and never written through", async () => {
    const workspace = new Workspace();
    symlinkSync("src", workspace.file("same"));
    symlinkSync("README.md", workspace.file("alias"));
    expect(await workspace.call("read_file", { path: "same/main.ts" })).toBe("ok");
    expect(await workspace.call("read_file", { path: "alias" })).toBe("ok");
    const before = workspace.inside();
    for (const path of ["same/main.ts", "same/new.ts", "alias"]) {
      expect(await workspace.call("write_file", { path, content: "x" })).toBe("link-refused");
    }
    expect(await workspace.call("delete_file", { path: "same/main.ts" })).toBe("link-refused");
    expect(workspace.inside()).toEqual(before);
  });

  it("X-10 a link inside is no way around what is protected", async () => {
    const workspace = new Workspace();
    mkdirSync(workspace.file(".git/hooks"), { recursive: true });
    symlinkSync(".git", workspace.file("harmless"));
    const before = workspace.inside();
    const path = "harmless/hooks/pre-commit";
    expect(await workspace.call("write_file", { path, content: "x" })).toBe("link-refused");
    expect(workspace.inside()).toEqual(before);
  });

  it("X-10 refuses a hard link to a secret, also in a diff and in a search", async () => {
    const workspace = new Workspace();
    linkSync(join(workspace.parent, "secret.md"), workspace.file("hard.md"));
    expect(await workspace.call("read_file", { path: "hard.md" })).toBe("link-refused");
    expect(await workspace.call("write_file", { path: "hard.md", content: "x" })).toBe(
      "link-refused",
    );
    expect(await workspace.call("search_files", { path: "hard.md", pattern: "." })).toBe("ok");
    expect(await workspace.call("search_files", { pattern: "SECRET" })).toBe("ok");
    expect(readFileSync(join(workspace.parent, "secret.md"), "utf8")).toBe(SECRET);
  });

  it("X-10 waits for no pipe, socket or device", async () => {
    const workspace = new Workspace();
    execFileSync("mkfifo", [workspace.file("pipe")]);
    const server = createServer().listen(workspace.file("socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    if (isRoot) execFileSync("mknod", [workspace.file("zero"), "c", "1", "5"]);
    for (const path of ["pipe", "socket", ...(isRoot ? ["zero"] : [])]) {
      expect(await workspace.call("read_file", { path })).toBe("not-a-file");
      expect(await workspace.call("write_file", { path, content: "x" })).toBe("not-a-file");
      expect(await workspace.call("search_files", { path, pattern: "." })).toBe("ok");
    }
    expect(await workspace.call("search_files", { pattern: "." })).toBe("ok");
  });

  it("X-10 refuses a huge sparse file and survives a deep tree", async () => {
    const workspace = new Workspace();
    writeFileSync(workspace.file("huge"), "");
    truncateSync(workspace.file("huge"), 10 * 1024 ** 3);
    const deep = Array(400).fill("d").join("/");
    mkdirSync(workspace.file(deep), { recursive: true });
    expect(await workspace.call("read_file", { path: "huge" })).toBe("file-too-large");
    expect(await workspace.call("search_files", { pattern: "inside" })).toBe("ok");
    expect(await workspace.call("write_file", { path: `${deep}/x`, content: "x" })).toBe("ok");
  });

  it("X-10 does nothing when the working directory was swapped for a link", async () => {
    const workspace = new Workspace();
    rmSync(workspace.root, { recursive: true });
    symlinkSync("outside", workspace.root);
    for (const code of await workspace.refusals("main.ts")) expect(code).not.toBe("ok");
    for (const code of await workspace.refusals("new/new.ts")) expect(code).not.toBe("ok");
    expect(workspace.changesOutside()).toEqual([]);
  });
});

describe("sensitive files", () => {
  it.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".git",
    "sub/.git/config",
    ".g\u00adit/config",
    ".agent/config.json",
    ".agents/skills/x/SKILL.md",
    ".claude/settings.json",
    "GIT~1/config",

    ".bashrc",
    "home/.zshrc",
    ".profile",
    ".env",
    ".env.local",
    ".ENV",
    ".npmrc",
    ".ssh/config",
    ".vscode/tasks.json",
    ".husky/pre-push",
    "skills-lock.json",
    ".gitmodules",
    ".mcp.json",
    "AGENTS.md",
    "sub/CLAUDE.md",
    "GEMINI.md",
    ".gitattributes",
    ".envrc",
    ".bash_login",
    ".exrc",
    ".tool-versions",
    ".claude.json",
    "appsettings.json",
    "sitecustomize.py",
    "bare/HEAD",
    "bare.git/hooks/post-update",
    ".botsharp/skills/implant/SKILL.md",
    "skills/implant/SKILL.md",
    "Skills/implant/skill.md",
  ])("X-10 neither writes nor deletes %s", async (path) => {
    const workspace = new Workspace();
    const before = workspace.inside();
    expect(await workspace.call("write_file", { path, content: "x" })).toBe("file-protected");
    expect(workspace.inside()).toEqual(before);
    mkdirSync(join(workspace.file(path), ".."), { recursive: true });
    writeFileSync(workspace.file(path), "theirs");
    expect(await workspace.call("write_file", { path, content: "x" })).toBe("file-protected");
    expect(await workspace.call("delete_file", { path })).toBe("file-protected");
    expect(readFileSync(workspace.file(path), "utf8")).toBe("theirs");
  });

  it.each([".git", ".git/hooks", ".agent", ".claude/skills", "sub/.VSCODE"])(
    "X-10 changes nothing when the working directory is %s",
    async (path) => {
      const root = join(temporaryFolder({ [`${path}/config.json`]: "theirs" }), path);
      const trash = temporaryFolder({});
      const before = snapshot(root);
      const tools = createWorkspaceTools({ root, trash, enableDeleteFile: true }).tools();
      for (const name of ["write_file", "delete_file"]) {
        for (const file of ["config.json", "new", "hooks/pre-commit"]) {
          const tool = tools.find((one) => one.name === name);
          const result = await tool?.execute({ path: file, content: "x" });
          expect(result).toMatchObject({ ok: false, code: "file-protected" });
        }
      }
      expect(snapshot(root)).toEqual(before);
    },
  );

  it("X-10 changes nothing of the skills that a project has", async () => {
    const workspace = new Workspace();
    const script = "skills/pdf/scripts/join.py";
    expect(await workspace.call("write_file", { path: script, content: "x" })).toBe("ok");
    writeFileSync(workspace.file("skills/pdf/SKILL.md"), "");
    const before = workspace.inside();
    for (const path of [script, "skills/pdf/new.md", "skills/new"]) {
      expect(await workspace.call("write_file", { path, content: "y" })).toBe("file-protected");
      expect(await workspace.call("delete_file", { path })).toBe("file-protected");
    }
    expect(workspace.inside()).toEqual(before);
  });
});

/** A tool may make the folder that is away for a moment, and take it back; both are put in order. */
const SWAP_FOLDER = `
  try {
    renameSync("app/src", "aside");
  } catch {
    mkdirSync("app/src", { recursive: true });
    continue;
  }
  try {
    symlinkSync("../outside", "app/src");
    unlinkSync("app/src");
  } catch {}
  for (let isAway = true; isAway; ) {
    try {
      rmSync("app/src", { recursive: true, force: true });
      renameSync("aside", "app/src");
      isAway = false;
    } catch {}
  }`;

const SWAP_FILE = `
  symlinkSync("../../outside/main.ts", "link");
  renameSync("link", "app/src/main.ts");
  writeFileSync("plain", "inside");
  renameSync("plain", "app/src/main.ts");`;

/** Some time in order, or hardly any call would get as far as the file. */
const REST = `
  for (let i = 0; i < 20; i++) statSync("outside/main.ts");`;

const BOTH_SIDES = ["ok", "link-refused"];

/** Runs while another process swaps things for links and back, as fast as it can. */
async function whileSwapping(
  { parent }: Workspace,
  swaps: string,
  act: (assertAlive: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const script = `
    const { mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } = require("node:fs");
    process.chdir(process.argv[1]);
    process.stdout.write("ready");
    for (;;) { ${swaps} }`;
  const swapper = spawn(process.execPath, ["-e", script, parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(swapper, "exit");
  try {
    await once(swapper.stdout, "data");
    await act(async () => {
      // Many calls never leave this turn of the loop, where no end of a process is heard of.
      await setImmediate();
      if (swapper.exitCode !== null) throw new Error("the other process ended before the race");
    });
  } finally {
    swapper.kill("SIGKILL");
    await exited;
  }
}

/** Only there a folder can be held while its name changes. */
describe.runIf(process.platform === "linux")("races", () => {
  it.each([
    ["write_file", { path: "src/new.ts", content: "changed" }],
    ["write_file", { path: "src/made/new.ts", content: "changed" }],
    ["delete_file", { path: "src/main.ts" }],
    ["read_file", { path: "src/main.ts" }],
    ["list_directory", { path: "src" }],
  ])(
    "X-10 %s loses no race against a folder that is swapped for a link: %j",
    async (tool, input) => {
      const workspace = new Workspace();
      const seen = new Map<string, number>();
      await whileSwapping(workspace, SWAP_FOLDER + REST, async (assertAlive) => {
        for (let i = 0; i < 2000 || !BOTH_SIDES.every((side) => seen.has(side)); i++) {
          await assertAlive();
          const code = await workspace.call(tool, input);
          seen.set(code, (seen.get(code) ?? 0) + 1);
          if (tool !== "delete_file" || code !== "ok") continue;
          await workspace.call("write_file", { path: "src/main.ts", content: "inside\n" });
        }
      });
      expect(workspace.changesOutside()).toEqual([]);
    },
    120_000,
  );

  it("X-10 write_file replaces a link that takes the place of its file, and not the target", async () => {
    const workspace = new Workspace();
    const input = { path: "src/main.ts", content: "changed" };
    const seen = new Set<string>();
    await whileSwapping(workspace, SWAP_FILE + REST, async (assertAlive) => {
      for (let i = 0; i < 2000 || !BOTH_SIDES.every((side) => seen.has(side)); i++) {
        await assertAlive();
        seen.add(await workspace.call("write_file", input));
      }
    });
    expect(workspace.changesOutside()).toEqual([]);
    const left = readdirSync(workspace.file("src")).filter((name) => name.endsWith(".tmp"));
    expect(left).toEqual([]);
  }, 120_000);
});

it("X-10 nothing outside ever changes or shows, whatever is called", async () => {
  const part = fc.constantFrom(
    "..",
    ".",
    "src",
    "main.ts",
    "out",
    "leak",
    "same",
    "new",
    "a",
    ".git",
    "~",
    "",
    "link",
    "\\",
    "\0",
    "C:",
    "outside",
    "secret.md",
    "hard",
    "loop",
  );
  const path = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/")),
    fc.string(),
  );
  const tool = fc.constantFrom(
    "read_file",
    "write_file",
    "write_file",
    "delete_file",
    "list_directory",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(tool, path), { maxLength: 12 }), async (calls) => {
      const workspace = new Workspace();
      symlinkSync("../outside", workspace.file("out"));
      symlinkSync("../secret.md", workspace.file("leak"));
      symlinkSync("src", workspace.file("same"));
      symlinkSync(workspace.parent, workspace.file("src/link"));
      symlinkSync("loop", workspace.file("loop"));
      for (const [name, at] of calls) {
        await workspace.call(name, { path: at, content: "changed" });
        const absolute = `${workspace.root}/${at}`;
        await workspace.call(name, { path: absolute, content: "changed" });
      }
      expect(workspace.changesOutside()).toEqual([]);
      const strangers = readdirSync(workspace.parent).filter(
        (name) => !["app", "app-evil", "outside", "secret.md", "trash"].includes(name),
      );
      expect(strangers).toEqual([]);
      rmSync(workspace.parent, { recursive: true });
    }),
    { numRuns: numRuns(150) },
  );
});
