import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isBelow, writablePlaces } from "./control-files.ts";

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
    placeholders: [".agent", ".agents", ".claude"].map((name) => join(cwd, name)),
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

it("X-06 a folder with the same beginning is not below", () => {
  expect(isBelow("/a/b", "/a/b")).toBe(true);
  expect(isBelow("/a/b", "/a/b/..c")).toBe(true);
  expect(isBelow("/a/b", "/a/b-evil")).toBe(false);
  expect(isBelow("/a/b", "/a")).toBe(false);
});
