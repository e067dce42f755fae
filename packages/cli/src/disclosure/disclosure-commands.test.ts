import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const TREE = {
  ".agent/skills/pdf/SKILL.md": `${skillText("pdf", "Merges PDF files. Use to join them.")}Join.\n`,
  ".agent/skills/pdf/references/forms.md": "# Forms\nFill.\n\n# Other\nMore.\n",
  ".agent/skills/pdf/assets/logo.png": "\u0089PNG\0\0",
  ".agent/skills/manual/SKILL.md": skillText(
    "manual",
    "By hand.",
    "disable-model-invocation: true\n",
  ),
};

function world(tree: Record<string, string> = TREE) {
  const cwd = temporaryFolder(tree);
  const env = {
    HOME: `${cwd}/home`,
    XDG_CACHE_HOME: `${cwd}/cache`,
    XDG_STATE_HOME: `${cwd}/state`,
  };
  return (...args: string[]) => runCli(args, { cwd, env });
}

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe("skillwright prompt", () => {
  it("C-01 D-01 prints the catalog of trusted skills, and how to trust the others", async () => {
    const run = world();
    const untrusted = await run("prompt");
    expect(untrusted).toMatchObject({ exitCode: 0, stdout: "" });
    expect(untrusted.stderr).toContain("--trust");
    const { stdout } = await run("prompt", "--trust");
    expect(stdout).toBe(
      '<available_skills>\n<skill name="pdf" source="project">Merges PDF files. Use to join them.</skill>\n</available_skills>\n',
    );
    expect((await run("prompt")).stdout).toBe("");
  });

  it("C-01 D-01 as JSON, within a budget, in other formats", async () => {
    const run = world();
    const { stdout } = await run("prompt", "--trust", "--json", "--format", "markdown");
    expect(json(stdout)).toMatchObject({
      schemaVersion: 1,
      text: "- **pdf**: Merges PDF files. Use to join them.",
      shown: ["pdf"],
      shortened: [],
      nameOnly: [],
      omitted: [],
    });
    const small = await run("prompt", "--trust", "--json", "--budget", "20");
    expect(json(small.stdout)["tokens"]).toBeLessThanOrEqual(20);
    expect((await run("prompt", "--budget", "much")).exitCode).toBe(2);
    expect((await run("prompt", "--format", "yaml")).exitCode).toBe(2);
  });
});

describe("skillwright search", () => {
  it("C-01 D-08 finds skills, best first", async () => {
    const run = world();
    const { stdout, exitCode } = await run("search", "merge", "pdf", "--json");
    expect(exitCode).toBe(0);
    expect(json(stdout)).toMatchObject({
      schemaVersion: 1,
      results: [expect.objectContaining({ name: "pdf", source: "project" })],
    });
    expect((await run("search", "merge pdf")).stdout).toMatch(
      /^pdf {2}\d+ % {2}project\n {2}\.agent\/skills\/pdf\n {2}Merges PDF files\./,
    );
    expect((await run("search", "merge pdf", "--why")).stdout).toMatch(
      /matches: (?:merge, pdf|pdf, merge)/,
    );
    expect((await run("search", "zzzqqq")).stderr).toContain("Nothing fits.");
  });

  it("C-01 D-08 shows identical skills once and leaves out what hardly fits", async () => {
    const run = world({
      ".agent/skills/pdf/SKILL.md": skillText("pdf", "Merges PDF files. Use to join them."),
      ".agent/skills/pdf-2/SKILL.md": skillText("pdf", "Merges PDF files. Use to join them."),
      ".agent/skills/notes/SKILL.md": skillText("notes", "Takes notes. Use to write minutes."),
    });
    const { stdout } = await run("search", "merge two pdf files");
    expect(stdout).toContain("and 1 identical copy");
    expect(stdout.match(/Merges PDF/g)).toHaveLength(1);
    const { stdout: none, stderr } = await run("search", "how high is a mountain, and two pages");
    expect(none).toBe("");
    expect(stderr).toContain("Nothing fits.");
    const weak = await run("search", "merge blue mountain lakes");
    expect([weak.stdout, weak.stderr]).toEqual([
      expect.stringContaining("pdf"),
      expect.stringContaining("No close match."),
    ]);
    expect((await run("search", "merge pdf", "--quiet")).stdout).toBe("pdf\n");
  });
});

describe("skillwright read", () => {
  it("C-01 D-06 prints a file, some lines of it, or a section", async () => {
    const run = world();
    expect((await run("read", "pdf")).stdout).toContain("description: Merges");
    expect((await run("read", "pdf", "references/forms.md", "--lines", "2")).stdout).toBe(
      "Fill.\n",
    );
    const section = await run("read", "pdf", "references/forms.md", "--section", "other");
    expect(section.stdout).toContain("More.");
    expect(section.stdout).not.toContain("Fill.");
    expect((await run("read", "manual")).exitCode).toBe(0);
  });

  it("T-08 says what is wrong and what may have been meant", async () => {
    const run = world();
    expect(await run("read", "pdf", "references/form.md")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("references/forms.md"),
    });
    expect(await run("read", "pdf", "../manual/SKILL.md")).toMatchObject({
      exitCode: 1,
      stdout: "",
    });
    expect((await run("read", "pdf", "assets/logo.png")).stderr).toContain("is not text");
    expect((await run("read", "pdff")).stderr).toContain("did you mean pdf?");
    expect((await run("read", "pdf", "--lines", "x")).exitCode).toBe(2);
    expect(json((await run("read", "pdf", "nothing.md", "--json")).stdout)).toMatchObject({
      ok: false,
      code: "file-not-found",
    });
  });
});

describe("skillwright read, asked in the wrong way", () => {
  it("C-01 T-08 read --json gives code and candidates, whatever was not found", async () => {
    const run = world();
    const missing = await run("read", "pdff", "--json");
    expect(missing.exitCode).toBe(1);
    expect(json(missing.stdout)).toMatchObject({
      schemaVersion: 1,
      ok: false,
      code: "skill-not-found",
      candidates: ["pdf"],
    });
    expect(json((await run("read", "pdf", "references/form.md", "--json")).stdout)).toMatchObject({
      ok: false,
      code: "file-not-found",
      candidates: ["references/forms.md"],
    });
  });

  it.each([["20-10"], ["0"], ["0-3"], ["-3"], ["1-2", "--section", "Forms"]])(
    "C-01 read --lines %s is wrong usage",
    async (...lines) => {
      const run = world();
      const { exitCode, stdout } = await run(
        "read",
        "pdf",
        "references/forms.md",
        "--lines",
        ...lines,
      );
      expect([exitCode, stdout]).toEqual([2, ""]);
    },
  );
});

describe("skillwright tools", () => {
  it("C-01 T-01 lists definitions and runs one as a model would", async () => {
    const run = world();
    const { stdout } = await run("tools", "--trust", "--json", "--preset", "lookup");
    const { tools } = json(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      "read_skill",
      "read_skill_file",
      "list_skill_directory",
    ]);
    const input = '{"SKILL_NAME":"pdf"}';
    const read = await run(
      "tools",
      "call",
      "read_skill",
      "--preset",
      "lookup",
      "--trust",
      "--input",
      input,
    );
    expect(read).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("description: Merges"),
    });
    const hidden = await run(
      "tools",
      "call",
      "load_skill",
      "--trust",
      "--input",
      '{"skill_name":"manual"}',
    );
    expect(hidden.exitCode).toBe(1);
    expect(hidden.stdout).not.toContain("By hand");
    expect((await run("tools", "call", "nope", "--trust")).exitCode).toBe(2);
    expect((await run("tools", "--preset", "nope")).exitCode).toBe(2);
  });

  it("T-04 T-08 a failure of a preset that answers in texts is a failure here too", async () => {
    const run = world();
    const input = JSON.stringify({ skill_name: "nope" });
    const call = ["tools", "call", "load_skill", "--preset", "sop", "--input", input, "--trust"];
    expect((await run(...call)).exitCode).toBe(1);
    expect(JSON.parse((await run(...call, "--json")).stdout)).toMatchObject({ ok: false });
  });

  it("T-06 a catalog that does not hold all skills comes with a search tool", async () => {
    const run = world();
    const all = await run("tools", "--trust", "--json");
    const some = await run("tools", "--trust", "--json", "--budget", "30");
    const names = ({ stdout }: typeof all) =>
      (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names(all)).not.toContain("search_skills");
    expect(names(some)).toContain("search_skills");
  });
});

describe("skillwright explain", () => {
  it("C-01 R-10 says whether a skill fits the catalog's budget", async () => {
    const run = world();
    await run("trust");
    expect((await run("explain", "pdf")).stdout).toContain("with its whole description");
    expect(json((await run("explain", "pdf", "--json", "--budget", "22")).stdout)).toMatchObject({
      catalog: "name",
    });
  });
});
