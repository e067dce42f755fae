import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Works on ${name}. Use when asked.\n${more}---\n\n# ${name}\n`;

/** A project and a home of their own, and a way to call the command line in them. */
function workplace(
  files: Readonly<Record<string, string>>,
  home: Readonly<Record<string, string>> = {},
) {
  const cwd = temporaryFolder({ ".git/HEAD": "", ...files });
  const HOME = temporaryFolder(home);
  const run = (...args: string[]) => runCli(args, { cwd, env: { HOME, PATH: "/usr/bin:/bin" } });
  const json = async (...args: string[]) => {
    const { stdout } = await run(...args, "--json");
    return JSON.parse(stdout) as Record<string, never>;
  };
  return { cwd, HOME, run, json };
}

describe("skillwright list", () => {
  it("R-04 C-01 lists project before user, and shadowed ones with --all", async () => {
    const { json, run } = workplace(
      {
        ".agent/skills/pdf/SKILL.md": skill("pdf", 'version: "1.0"\n'),
        ".claude/skills/csv/SKILL.md": skill("csv"),
      },
      { ".agent/skills/pdf/SKILL.md": skill("pdf"), ".agent/skills/own/SKILL.md": skill("own") },
    );
    await run("trust");
    const listed = (await json("list"))["skills"] as unknown as Record<string, unknown>[];
    expect(listed.map(({ name, source }) => `${String(name)}@${String(source)}`)).toEqual([
      "pdf@project",
      "csv@project",
      "own@user",
    ]);
    expect(listed[0]).toMatchObject({ version: "1.0", userInvocable: true, modelInvocable: true });
    expect((await json("list", "--all"))["skills"]).toHaveLength(4);
    expect((await json("list", "--source", "user"))["skills"]).toHaveLength(2);
    expect((await run("list")).stdout).toMatch(/^NAME\s+SOURCE\s+STATUS\s+DESCRIPTION\n/);
    expect((await run("list", "--quiet")).stdout).toBe("pdf\ncsv\nown\n");
  });

  it("R-05 a broken skill is reported and hides no other", async () => {
    const { json } = workplace({
      ".agent/skills/good/SKILL.md": skill("good"),
      ".agent/skills/bad/SKILL.md": "---\nname: [\n---\n",
      ".agent/skills/odd/skill.md": skill("odd"),
    });
    const document = await json("list");
    expect(document["skills"]).toHaveLength(1);
    const codes = (document["diagnostics"] as unknown as { code: string }[]).map(
      ({ code }) => code,
    );
    expect(codes.sort()).toEqual(["skill-file-missing", "yaml-invalid"]);
  });

  it("C-01 an empty list is done, and says where it looked", async () => {
    const { run } = workplace({});
    const { exitCode, stdout, stderr } = await run("list");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain(".agent/skills");
  });

  it("R-12 lists untrusted skills, and says that they are", async () => {
    const { run, cwd } = workplace({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    expect((await run("list")).stdout).toContain("untrusted");
    expect((await run("trust")).stdout).toContain(cwd);
    expect((await run("list")).stdout).toContain("ready");
    await run("untrust");
    expect((await run("list")).stdout).toContain("untrusted");
    expect((await run("list", "--root", ".agent/skills")).stdout).toContain("ready");
  });
});

describe("skillwright trust", () => {
  it("R-12 trust in one skill dies with its content, and lives in the user's state only", async () => {
    const { run, cwd, HOME } = workplace({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    await run("trust", "pdf");
    expect((await run("list")).stdout).toContain("ready");
    const file = join(HOME, ".local/state/skillwright/trust.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(join(cwd, ".agent/skills/pdf/SKILL.md"), skill("pdf", "license: MIT\n"));
    expect((await run("list")).stdout).toContain("untrusted");
    expect((await run("trust", "--list")).stdout).toContain("sha256:");
    expect((await run("untrust", "pdf")).stdout).toContain("not trusted any more");
  });

  it("R-12 a repository inside a trusted folder is not trusted with it", async () => {
    const { run, cwd, HOME } = workplace({
      "vendor/.git/HEAD": "",
      "vendor/.agent/skills/pdf/SKILL.md": skill("pdf"),
    });
    await run("trust");
    const inner = await runCli(["list"], { cwd: join(cwd, "vendor"), env: { HOME } });
    expect(inner.stdout).toContain("untrusted");
  });

  it("R-12 a damaged trust file ends the command instead of meaning anything", async () => {
    const { run, HOME } = workplace({});
    mkdirSync(join(HOME, ".local/state/skillwright"), { recursive: true });
    writeFileSync(join(HOME, ".local/state/skillwright/trust.json"), "{");
    expect((await run("list")).exitCode).toBe(2);
  });
});

describe("skillwright explain and inspect", () => {
  it("R-06 explains every place and why one won", async () => {
    const { json, run } = workplace(
      {
        ".agent/skills/pdf/SKILL.md": skill("pdf"),
        ".agent/skills/bad/SKILL.md": "no frontmatter",
      },
      { ".agent/skills/pdf/SKILL.md": skill("pdf", "license: MIT\n") },
    );
    expect((await json("explain", "pdf@project"))["visibleToModel"]).toBe(false);
    expect((await run("explain", "pdf@project")).stdout).toContain("not trusted");
    await run("trust");
    const { places, visibleToModel } = await json("explain", "PDF");
    expect(places).toMatchObject([{ outcome: "chosen" }, { outcome: "shadowed" }]);
    expect(visibleToModel).toBe(true);
    const bad = await run("explain", "bad");
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toContain("does not start with frontmatter");
    const missing = await run("explain", "pfd");
    expect(missing.stdout).toContain("did you mean: pdf");
  });

  it("R-08 inspects metadata, files, tokens, tools and digest", async () => {
    const { json, run } = workplace({
      ".agent/skills/pdf/SKILL.md": skill(
        "pdf",
        "allowed-tools: Read, Bash(git:*)\nlicense: MIT\n",
      ),
      ".agent/skills/pdf/references/FORMS.md": "# Forms\n",
    });
    const details = await json("inspect", "pdf");
    expect(details).toMatchObject({
      schemaVersion: 1,
      name: "pdf",
      license: "MIT",
      allowedTools: "Read Bash(git:*)",
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown,
      files: [{ path: "SKILL.md" }, { path: "references/FORMS.md", size: 8 }],
    });
    expect((await run("inspect", "pdf")).stdout).toContain("references/FORMS.md");
    const missing = await run("inspect", "pfd");
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain("did you mean pdf?");
  });
});

describe("skillwright enable, doctor and config", () => {
  it("R-09 a disabled skill stays away until it is enabled", async () => {
    const { run } = workplace({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    expect((await run("disable", "pdf")).stdout).toContain("is now disabled everywhere");
    expect((await run("list", "--quiet")).stdout).toBe("");
    expect((await run("list", "--all")).stdout).toContain("disabled");
    expect((await run("enable", "pdf")).stdout).toContain("is now enabled");
    expect((await run("list", "--quiet")).stdout).toBe("pdf\n");
    await run("disable", "pdf", "--project");
    expect((await run("list", "--quiet")).stdout).toBe("");
  });

  it("C-01 doctor says what is there and what to do", async () => {
    const { json, run } = workplace({ ".agent/skills/pdf/SKILL.md": skill("pdf") });
    const { checks } = await json("doctor");
    const names = (checks as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["Node", "Python", "bubblewrap", "configuration", "cache", "root"]),
    );
    expect((await run("doctor")).stdout).toContain("1 skills");
  });

  it("C-02 config shows where each value came from, sets and starts files", async () => {
    const { json, run, cwd } = workplace({});
    await run("trust");
    await run("config", "init");
    expect(existsSync(join(cwd, ".agent/config.schema.json"))).toBe(true);
    expect((await run("config", "init")).exitCode).toBe(2);
    await run("config", "set", "skillTools.cacheSkills", "false");
    expect(readFileSync(join(cwd, ".agent/config.json"), "utf8")).toContain("//");
    const { values } = await json("config");
    expect(values).toContainEqual(
      expect.objectContaining({ path: "skillTools.cacheSkills", value: false, layer: "project" }),
    );
    expect((await run("config", "set", "skillTools.cachSkills", "false")).stderr).toContain(
      "cacheSkills",
    );
    expect((await run("config", "set", "skillTools.cacheSkills", "maybe")).exitCode).toBe(2);
  });

  it("C-02 an invalid value is reported with its path and the value used", async () => {
    const { run } = workplace(
      {},
      { ".agent/config.json": '{ "skillTools": { "cacheSkills": "often" } }' },
    );
    const { exitCode, stderr } = await run("list");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("skillTools.cacheSkills");
  });

  it("C-02 a file that is no JSON is exit 2", async () => {
    const { run } = workplace({}, { ".agent/config.json": "{" });
    expect((await run("list")).exitCode).toBe(2);
  });
});
