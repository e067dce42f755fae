import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { canInterpret } from "../internal/index.ts";
import { findInterpreter } from "./index.ts";

const INLINE =
  '# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "requests<3",\n#   "rich",\n# ]\n# ///\nprint(1)\n';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function program(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

describe("findInterpreter", () => {
  it("X-03 goes by the ending", () => {
    expect(findInterpreter("scripts/a.py", "")).toMatchObject({
      program: "/usr/bin/python3",
      args: ["-s", "-B", "-u"],
      binds: [],
    });
    expect(findInterpreter("scripts/a.sh", "")).toMatchObject({
      name: "bash",
      args: ["--norc", "--noprofile"],
    });
    expect(findInterpreter("scripts/a.PY", "")).toMatchObject({ name: "python3" });
    for (const ending of ["js", "mjs", "cjs", "ts"]) {
      expect(findInterpreter(`scripts/a.${ending}`, "")).toMatchObject({ name: "node" });
    }
  });

  it.each([
    ["a.sh", "#!/bin/sh -e\n", "sh", ["-e"]],
    ["a.sh", "#!/usr/bin/env bash\n", "bash", ["--norc", "--noprofile"]],
    ["a", "#!/usr/bin/env -S python3 -u\n", "python3", ["-s", "-B", "-u", "-u"]],
    ["a", "#! /opt/evil/python3.12\r\n", "python3", ["-s", "-B", "-u"]],
    ["a.py", "#!/bin/bash -c evil\n", "python3", ["-s", "-B", "-u"]],
  ])("X-03 of %j with %j it is %s", (path, source, name, args) => {
    expect(findInterpreter(path, source)).toMatchObject({ ok: true, name, args });
  });

  it.each([
    ["a", ""],
    ["a.exe", "MZ"],
    ["a", "#!/usr/bin/curl\n"],
    ["a", "#!"],
    ["a", "#!/usr/bin/env\n"],
    ["a.sh", "#!/bin/bash -c evil\n"],
    ["a", "#!/usr/bin/python3 -m evil\n"],
    ["toString", "#!constructor\n"],
  ])("X-03 %j with %j has none", (path, source) => {
    expect(findInterpreter(path, source)).toMatchObject({ ok: false, code: "interpreter-unknown" });
  });

  it("X-03 binds the folder that Python was installed into, never a home folder", () => {
    const root = folder();
    const environment = (name: string, python: string) => {
      const path = join(root, name);
      mkdirSync(join(path, "bin"), { recursive: true });
      writeFileSync(join(path, "pyvenv.cfg"), "");
      symlinkSync(python, join(path, "bin/python3"));
      return path;
    };
    mkdirSync(join(root, "pyenv/3.12/lib"), { recursive: true });
    const managed = environment("a", program(join(root, "pyenv/3.12/bin"), "python3"));
    const prefix = join(root, "pyenv/3.12");
    expect(findInterpreter("a.py", "", managed)).toMatchObject({ binds: [managed, prefix] });
    const bare = program(join(root, "bin"), "python3");
    const own = environment("b", bare);
    expect(findInterpreter("a.py", "", own)).toMatchObject({ binds: [own, bare] });
  });

  it("X-03 uses a virtual environment as it is, and says when it is none", () => {
    const root = folder();
    mkdirSync(join(root, "bin"));
    symlinkSync("/usr/bin/python3", join(root, "bin/python3"));
    const refused = findInterpreter("a.py", "", root);
    expect(refused).toMatchObject({ ok: false, code: "interpreter-missing" });
    writeFileSync(join(root, "pyvenv.cfg"), "home = /usr/bin\n");
    const found = findInterpreter("a.py", INLINE, root);
    expect(found).toMatchObject({ program: join(root, "bin/python3"), binds: [root] });
    const relative = findInterpreter("a.py", "", ".venv");
    expect(relative).toMatchObject({ ok: false });
  });
});

it("X-03 tells by the name what could be run", () => {
  expect(["a.py", "scripts/a", "a.TS", "a.mts", "a.bash"].every(canInterpret)).toBe(true);
  expect(["a.md", "a.exe", "a.json", ".gitignore", "a.py.txt"].some(canInterpret)).toBe(false);
});
