import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { pythonLibraries } from "./index.ts";

describe("libraries of a Python", () => {
  it("A-01 are found in the folders of its version, without starting it", () => {
    const folder = temporaryFolder({
      "bin/python3.11": "exit 1",
      "lib/python3.11/site-packages/pypdf/__init__.py": "",
      "lib/python3.11/site-packages/unknown/__init__.py": "",
      "lib/python3/dist-packages/docx/__init__.py": "",
      "lib/python3.9/site-packages/pandas/__init__.py": "",
      "lib/python3.11/site-packages/numpy/notes.txt": "",
    });
    symlinkSync("python3.11", join(folder, "bin/python3"));
    expect(pythonLibraries(join(folder, "bin/python3"))).toEqual(["pypdf", "python-docx"]);
  });

  it("A-01 of a virtual environment are its own, and those of the system where it shares them", () => {
    const folder = temporaryFolder({
      "base/bin/python3.12": "exit 1",
      "base/lib/python3.12/site-packages/openpyxl/__init__.py": "",
      "alone/pyvenv.cfg": "include-system-site-packages = false\n",
      "alone/bin/a": "",
      "alone/lib/python3.12/site-packages/lxml/__init__.py": "",
      "shared/pyvenv.cfg": "include-system-site-packages = true\n",
      "shared/bin/a": "",
    });
    const of = (name: string) => {
      symlinkSync("../../base/bin/python3.12", join(folder, name, "bin/python3"));
      return pythonLibraries(join(folder, name, "bin/python3"));
    };
    expect(of("alone")).toEqual(["lxml"]);
    expect(of("shared")).toEqual(["openpyxl"]);
  });

  it("A-01 none of a Python that is not there", () => {
    expect(pythonLibraries("/nowhere/bin/python3")).toEqual([]);
  });
});
