import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWorkspace, writablePath } from "../workspace/index.ts";
import { refuseNewControlFiles, writablePlaces } from "./index.ts";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-test-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it("X-06 keeps control files that exist, and covers those that do not", () => {
  const cwd = folder();
  mkdirSync(join(cwd, ".git"));
  writeFileSync(join(cwd, "AGENTS.md"), "");
  symlinkSync("AGENTS.md", join(cwd, "CLAUDE.md"));
  const places = writablePlaces(cwd, ["."]);
  expect(places).toMatchObject({
    ok: true,
    writable: [cwd],
    protectedPaths: [join(cwd, ".git"), join(cwd, "AGENTS.md")],
    placeholders: [".agent", ".agents", ".claude", ".botsharp"].map((name) => join(cwd, name)),
    links: [{ path: join(cwd, "CLAUDE.md"), target: "AGENTS.md" }],
  });
  expect(places).toHaveProperty("absent", expect.arrayContaining([join(cwd, ".mcp.json")]));
});

it("X-06 refuses a folder whose control folder is a link", () => {
  const cwd = folder();
  symlinkSync("elsewhere", join(cwd, ".claude"));
  expect(writablePlaces(cwd, ["."])).toMatchObject({ ok: false, code: "writable-refused" });
});

it("X-06 nothing is writable unless named", () => {
  expect(writablePlaces(folder())).toMatchObject({ ok: true, writable: [], placeholders: [] });
});

it.each([".git", ".git/hooks", ".agent", ".GIT", ".botsharp/skills/a", "sub/.vscode"])(
  "X-06 nothing is writable when the working directory lies in a control folder: %s",
  (path) => {
    const cwd = join(folder(), path);
    mkdirSync(cwd, { recursive: true });
    expect(writablePlaces(cwd, ["."])).toMatchObject({ ok: false, code: "writable-refused" });
    expect(writablePlaces(cwd)).toMatchObject({ ok: true, writable: [] });
  },
);

it("X-06 nothing is writable in a bare repository", () => {
  const cwd = folder();
  for (const name of ["objects", "refs"]) mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, "HEAD"), "");
  expect(writablePlaces(cwd, ["."])).toMatchObject({ ok: false, code: "writable-refused" });
});

it("X-06 keeps control folders further down, and says when it did not see all", () => {
  const cwd = folder();
  mkdirSync(join(cwd, "sub/.git/hooks"), { recursive: true });
  mkdirSync(join(cwd, "bare/objects"), { recursive: true });
  mkdirSync(join(cwd, "bare/refs"));
  writeFileSync(join(cwd, "bare/HEAD"), "");
  mkdirSync(join(cwd, "tree"));
  writeFileSync(join(cwd, "tree/.git"), "gitdir: elsewhere");
  mkdirSync(join(cwd, "node_modules/a/b/c/d/e/f"), { recursive: true });
  expect(writablePlaces(cwd, ["."])).toMatchObject({
    protectedPaths: expect.arrayContaining(
      ["sub/.git", "bare", "tree/.git"].map((path) => join(cwd, path)),
    ) as unknown,
    unenforced: [],
  });
  mkdirSync(join(cwd, "1/2/3/4/5"), { recursive: true });
  expect(writablePlaces(cwd, ["."])).toMatchObject({ unenforced: ["controlFiles"] });
});

it("X-06 what takes the place of a control folder further down is moved aside", () => {
  const cwd = folder();
  mkdirSync(join(cwd, "sub/.git"), { recursive: true });
  const places = writablePlaces(cwd, ["."]);
  if (!places.ok) throw new Error(places.message);
  expect(refuseNewControlFiles(places, "1")).toBeUndefined();
  renameSync(join(cwd, "sub"), join(cwd, "old"));
  mkdirSync(join(cwd, "sub/.git"), { recursive: true });
  expect(refuseNewControlFiles(places, "1")).toMatchObject({ code: "control-file-written" });
  expect(existsSync(join(cwd, "sub/.git"))).toBe(false);
  expect(existsSync(join(cwd, "old/.git"))).toBe(true);
});

it("X-06 moves nothing that lies behind a link that a script made", () => {
  const cwd = folder();
  const other = folder();
  mkdirSync(join(other, ".git"));
  mkdirSync(join(other, "implant"));
  writeFileSync(join(other, "implant/SKILL.md"), "");
  mkdirSync(join(cwd, "sub/.git"), { recursive: true });
  const places = writablePlaces(cwd, ["."]);
  if (!places.ok) throw new Error(places.message);
  renameSync(join(cwd, "sub"), join(cwd, "old"));
  symlinkSync(other, join(cwd, "sub"));
  symlinkSync(other, join(cwd, "skills"));
  expect(refuseNewControlFiles(places, "1")).toMatchObject({ code: "control-file-written" });
  expect(readdirSync(other).toSorted()).toEqual([".git", "implant"]);
  expect(existsSync(join(other, "implant/SKILL.md"))).toBe(true);
  expect(existsSync(join(cwd, "skills"))).toBe(false);
});

it("X-06 keeps the skills of a project, also where they are a link", () => {
  const cwd = folder();
  mkdirSync(join(cwd, "real/pdf"), { recursive: true });
  writeFileSync(join(cwd, "real/pdf/SKILL.md"), "");
  symlinkSync("real", join(cwd, "skills"));
  expect(writablePlaces(cwd, ["."])).toMatchObject({
    protectedPaths: [join(cwd, "real")],
    links: [{ path: join(cwd, "skills"), target: "real" }],
  });
  const plain = folder();
  mkdirSync(join(plain, "skills/pdf"), { recursive: true });
  writeFileSync(join(plain, "skills/pdf/SKILL.md"), "");
  expect(writablePlaces(plain, ["skills/pdf"])).toMatchObject({ code: "writable-refused" });
});

it("X-06 one list protects against scripts and against the tools that write", () => {
  const cwd = folder();
  const places = writablePlaces(cwd, ["."]);
  if (!places.ok) throw new Error(places.message);
  const names = [...places.absent, ...places.placeholders].map((path) => basename(path));
  expect(
    names.filter((name) => writablePath(name, openWorkspace({ root: cwd, trash: cwd })).ok),
  ).toEqual([]);
});
