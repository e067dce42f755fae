import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../index.ts";
import { type ReadFileResult, resolveScriptName } from "../internal/index.ts";

const FILES = [
  "FORMS.md",
  "assets/logo.svg",
  "assets/template.html",
  "references/api/errors.md",
  "references/guide.md",
  "references/style.md",
  "scripts/analyze.py",
  "scripts/office/pack.py",
  "scripts/Run.sh",
  "style.css",
  "x/notes.md",
  "y/notes.md",
];

async function reader(files: readonly string[] = FILES) {
  const root = temporaryFolder({
    "pdf/SKILL.md": skillText("pdf"),
    ...Object.fromEntries(files.map((path) => [`pdf/${path}`, `text of ${path}\n`])),
    "secret.md": "SECRET",
    "other/SKILL.md": skillText("other"),
    "other/references/hidden.md": "SECRET",
  });
  const skills = await openSkills({ roots: [root] });
  const view = skills.conversation({ listsFile: (path) => !path.endsWith(".env") });
  return { root, skills, view, read: (path: string) => view.readFile("pdf", path) };
}

function outcome(read: ReadFileResult | { readonly ok: false; readonly code: string }) {
  return read.ok ? read.path : read.code;
}

describe("names of files that are not quite right", () => {
  it.each([
    ["forms.md", "FORMS.md"],
    ["references/FORMS.md", "FORMS.md"],
    ["forms", "FORMS.md"],
    ["guide.md", "references/guide.md"],
    ["GUIDE", "references/guide.md"],
    ["reference/Guide.md", "references/guide.md"],
    ["references/errors.md", "references/api/errors.md"],
    ["api/errors", "references/api/errors.md"],
    ["scripts/analyze", "scripts/analyze.py"],
    ["analyze.py", "scripts/analyze.py"],
    ["template", "assets/template.html"],
    ["skill.md", "SKILL.md"],
    ["style.md", "references/style.md"],
  ])("D-06 %s means %s, and the result says so", async (asked, path) => {
    const { view, read } = await reader();
    const found = await read(asked);
    expect(found).toMatchObject({ ok: true, path, resolvedFrom: asked });
    expect(outcome(await view.readFile("pdf", path))).toBe(path);
  });

  it("D-06 an exact name is read as it is, without a note", async () => {
    const { read } = await reader();
    expect(await read("FORMS.md")).not.toHaveProperty("resolvedFrom");
    expect(await read("./reference/guide.md")).not.toHaveProperty("resolvedFrom");
  });

  it("T-08 several files that fit are candidates", async () => {
    const { read } = await reader();
    expect(await read("notes.md")).toMatchObject({
      code: "file-not-found",
      candidates: ["x/notes.md", "y/notes.md"],
    });
    expect(await read("style")).toMatchObject({ ok: true, path: "style.css" });
    const { read: two } = await reader(["a/Forms.md", "a/FORMS.md"]);
    expect(await two("a/forms.md")).toMatchObject({ candidates: ["a/FORMS.md", "a/Forms.md"] });
  });

  it.each([
    ["../secret.md", "path-outside"],
    ["../other/references/hidden.md", "path-outside"],
    ["/etc/passwd", "path-outside"],
    ["..%2fsecret.md", "file-not-found"],
    ["secret", "file-not-found"],
    ["hidden.md", "file-not-found"],
    ["other/references/guide.md", "file-not-found"],
    ["guide.md/", "file-not-found"],
    ["link", "file-not-found"],
    ["env", "file-not-found"],
    [".ENV", "file-not-found"],
    ["", "path-invalid"],
    ["__proto__", "file-not-found"],
  ])("D-10 %s gives %s", async (asked, code) => {
    const { root, read } = await reader([...FILES, ".env", "config/.env"]);
    symlinkSync("../secret.md", join(root, "pdf/link.md"));
    expect(outcome(await read(asked))).toBe(code);
  });

  it("D-10 whatever is asked for, only files of the skill are read, and each gives its own text", async () => {
    const { root, read } = await reader();
    const inside = new Set([...FILES, "SKILL.md"]);
    const piece = fc.constantFrom(..."/ .. . references reference scripts assets x api".split(" "));
    const name = fc.constantFrom(...FILES.map((path) => path.slice(path.lastIndexOf("/") + 1)));
    const asked = fc
      .tuple(fc.array(piece, { maxLength: 3 }), fc.oneof(name, fc.string()), fc.boolean())
      .map(([folders, file, upper]) => {
        const path = [...folders, file].join("/");
        return upper ? path.toUpperCase() : path;
      });
    await fc.assert(
      fc.asyncProperty(asked, async (path) => {
        const found = await read(path);
        if (!found.ok || found.kind !== "text") return;
        expect(inside.has(found.path)).toBe(true);
        expect(path).not.toMatch(/\.\.[/\\]|^\//);
        expect(found.text).toBe(readFileSync(join(root, "pdf", found.path), "utf8"));
      }),
      { numRuns: 100 },
    );
  });

  it("D-06 tools tell which file it was, behind its text", async () => {
    const { view } = await reader();
    const text = "text of references/guide.md\n[Read references/guide.md (asked for Guide).]";
    const input = { skill_name: "pdf", file_path: "Guide" };
    for (const preset of ["standard", "lookup"] as const) {
      const tool = view.tools({ preset }).find(({ name }) => name === "read_skill_file");
      expect(tool?.toText(await tool.execute(input))).toBe(text);
    }
    const read = view.tools().find(({ name }) => name === "read_skill_file");
    expect(await read?.execute(input)).toMatchObject({ ok: true, resolvedFrom: "Guide" });
    const asset = view.tools({ preset: "sop" }).find(({ name }) => name === "load_skill_asset");
    const load = (relative_path: string) => asset?.execute({ skill_name: "pdf", relative_path });
    expect(await load("Guide")).toBe(text);
    expect(await load("references/skill.md")).toMatch(/^Error: .*may not be read/);
    expect(await load("forms.md")).toMatch(/^Error: .*is not under references/);
  });
});

describe("names of scripts that are not quite right", () => {
  it.each([
    ["analyze.py", "scripts/analyze.py"],
    ["scripts/analyze.py", "scripts/analyze.py"],
    ["analyze", "scripts/analyze.py"],
    ["Analyze.PY", "scripts/analyze.py"],
    ["script/analyze.py", "scripts/analyze.py"],
    ["./scripts/run", "scripts/Run.sh"],
    ["pack.py", "scripts/office/pack.py"],
    ["office/pack", "scripts/office/pack.py"],
  ])("X-02 %s means %s", async (asked, path) => {
    expect(resolveScriptName(FILES, asked)).toEqual({ ok: true, path });
    const { skills } = await reader();
    const ran: string[] = [];
    const executor = {
      canRun: () => true,
      run: ({ script }: { readonly script: string }) => {
        ran.push(script);
        return Promise.resolve({ ok: true, text: "" });
      },
    };
    const tools = skills.conversation({ scripts: executor }).tools();
    const run = tools.find(({ name }) => name === "run_skill_script");
    await run?.execute({ skill_name: "pdf", script_file: asked });
    expect(ran).toEqual([path]);
  });

  it.each([
    "../analyze.py",
    "/scripts/analyze.py",
    "scripts/../scripts/analyze.py",
    "references/guide.md",
    "references/analyze.py",
    "FORMS.md",
    "guide",
    "analyse.py",
    "",
    ".",
    "scripts",
    "scripts/",
  ])("X-02 %j means no script", (asked) => {
    expect(resolveScriptName(FILES, asked)).toEqual({ ok: false, candidates: [] });
  });

  it("X-02 several scripts that fit are candidates", () => {
    const files = ["scripts/run.py", "scripts/run.sh", "run.js"];
    expect(resolveScriptName(files, "run")).toEqual({
      ok: false,
      candidates: ["scripts/run.py", "scripts/run.sh"],
    });
  });
});
