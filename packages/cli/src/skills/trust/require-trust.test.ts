import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  type Console,
  createConsole,
  openSession,
  openSessionSkills,
  type SessionOptions,
} from "../../index.ts";
import type { Question } from "../../terminal/index.ts";
import { addTrustOption, requireTrust } from "../index.ts";

const PROJECT = {
  ".git/HEAD": "",
  ".agent/skills/pdf/SKILL.md": skillText("pdf"),
  ".agent/skills/csv/SKILL.md": skillText("csv"),
};

interface Run {
  readonly options?: SessionOptions;
  /** Without one there is no terminal. */
  readonly answer?: string | undefined;
  readonly canAsk?: boolean;
}

function workplace(project: Readonly<Record<string, string>> = PROJECT) {
  const cwd = temporaryFolder(project);
  const HOME = temporaryFolder({ ".agent/skills/own/SKILL.md": skillText("own") });
  const trustFile = join(HOME, ".local/state/skillwright/trust.json");
  const run = async ({ options = {}, answer, canAsk = answer !== undefined }: Run = {}) => {
    let stdout = "";
    let stderr = "";
    const asked: Question<string>[] = [];
    const surroundings = {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
      env: { HOME },
      cwd,
    };
    const console: Console = {
      ...createConsole(surroundings, options),
      canAsk,
      choose: <Value extends string>(question: Question<Value>) => {
        asked.push(question);
        return Promise.resolve(answer as Value | undefined);
      },
    };
    const session = await openSession(options, console);
    const found = await openSessionSkills(session, options, console);
    const trusted = await requireTrust(session, found, options, console);
    const names = trusted.skills.all.filter((skill) => skill.trusted).map(({ name }) => name);
    return { asked, stdout, stderr, names: names.toSorted(), ...trusted };
  };
  return { cwd, HOME, run, trustFile };
}

const ALL = ["csv", "own", "pdf"];

describe("without a terminal", () => {
  it("R-12 goes on without the project's skills and says how to trust them", async () => {
    const { cwd, run, trustFile } = workplace();
    const { names, asked, stdout, stderr } = await run();
    expect([names, asked, stdout]).toEqual([["own"], [], ""]);
    for (const part of [cwd, "csv, pdf", "skillwright trust", "--trust", "trust.roots"]) {
      expect(stderr).toContain(part);
    }
    expect(existsSync(trustFile)).toBe(false);
  });

  it("R-12 says nothing where everything is trusted, switched off or not asked for", async () => {
    const { run } = workplace({ ".git/HEAD": "" });
    expect((await run()).stderr).toBe("");
    const other = workplace();
    expect((await other.run({ options: { source: "user" } })).stderr).toBe("");
    const roots = [join(other.cwd, ".agent/skills")];
    const flagged = await other.run({ options: { root: roots } });
    expect([flagged.names, flagged.stderr]).toEqual([["csv", "pdf"], ""]);
  });
});

describe("--trust", () => {
  it("R-12 trusts in this run only, stores nothing and asks nothing", async () => {
    const { run, trustFile } = workplace();
    const { names, asked, stderr } = await run({ options: { trust: true }, answer: "no" });
    expect([names, asked, stderr]).toEqual([ALL, [], ""]);
    expect(existsSync(trustFile)).toBe(false);
    expect((await run()).names).toEqual(["own"]);
  });

  it("R-12 reads the project's configuration with it, which narrows", async () => {
    const { run } = workplace({
      ...PROJECT,
      ".agent/config.json": '{ "disabledSkills": ["csv"], "trust": { "roots": ["/"] } }',
    });
    expect((await run()).session.configuration.values.disabledSkills).toEqual([]);
    const { session, stderr } = await run({ options: { trust: true } });
    expect(session.configuration.values).toMatchObject({
      disabledSkills: ["csv"],
      trust: { roots: undefined },
    });
    expect(stderr).toContain("only the user decides what is trusted");
  });

  it("R-12 is an option of the command line", () => {
    const command = addTrustOption(new Command("read"));
    command.parse(["--trust"], { from: "user" });
    expect(command.opts()).toEqual({ trust: true });
  });
});

describe("at a terminal", () => {
  it("R-12 asks once, with the real folder and the skills, and means no by default", async () => {
    const { cwd, run } = workplace();
    const { asked, stderr } = await run({ answer: "no" });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.initial).toBe("no");
    expect(asked[0]?.choices.map(({ value }) => value)).toEqual(["folder", "once", "no"]);
    expect(stderr).toContain(`folder  ${cwd}\n`);
    expect(stderr).toContain("2 skills");
    expect(stderr).toContain("csv, pdf");
  });

  it("R-12 goes on without them after a no", async () => {
    const { run, trustFile } = workplace();
    const { names, asked } = await run({ answer: "no" });
    expect([names, asked.length]).toEqual([["own"], 1]);
    expect(existsSync(trustFile)).toBe(false);
    expect((await run({ answer: "no" })).asked).toHaveLength(1);
  });

  it("R-12 C-01 who walks away ends the command as interrupted", async () => {
    const { run, trustFile } = workplace();
    await expect(run({ canAsk: true })).rejects.toMatchObject({ exitCode: 130 });
    expect(existsSync(trustFile)).toBe(false);
  });

  it("R-12 only this time stores nothing", async () => {
    const { run, trustFile } = workplace();
    expect((await run({ answer: "once" })).names).toEqual(ALL);
    expect(existsSync(trustFile)).toBe(false);
    expect((await run()).names).toEqual(["own"]);
  });

  it("R-12 a trusted folder is remembered by its real path and not asked about again", async () => {
    const { cwd, run, trustFile } = workplace();
    expect((await run({ answer: "folder" })).names).toEqual(ALL);
    expect(JSON.parse(readFileSync(trustFile, "utf8"))).toMatchObject({
      folders: { [cwd]: "trusted" },
    });
    const again = await run({ answer: "no" });
    expect([again.names, again.asked]).toEqual([ALL, []]);
  });

  it("R-12 who has said no for good is not asked again", async () => {
    const { cwd, run } = workplace();
    const { session } = await run();
    await session.trust.setFolder(cwd, "untrusted");
    const { names, asked, stderr } = await run({ answer: "folder" });
    expect([names, asked]).toEqual([["own"], []]);
    expect(stderr).toContain("skillwright trust");
    expect((await run({ options: { trust: true } })).names).toEqual(ALL);
  });

  it("R-12 reads the project's configuration once it is trusted, and reports it once", async () => {
    const { run } = workplace({
      ...PROJECT,
      ".agent/config.json": '{ "disabledSkills": ["csv"], "model": { "provider": "theirs" } }',
    });
    const { session, skills, stderr } = await run({ answer: "once" });
    expect(session.projectTrusted).toBe(true);
    expect(skills.get("csv")?.enabled).toBe(false);
    expect(stderr.match(/model\.provider/g)).toHaveLength(1);
  });

  it("R-12 shows names as they are, bounded, and where links lead", async () => {
    const elsewhere = temporaryFolder(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`s${i}/SKILL.md`, skillText(`s${i}`)]),
      ),
    );
    const { run } = workplace({
      ".git/HEAD": "",
      "skills/a/SKILL.md": skillText('"a\\u001b[2J\\u202eb"'),
      "skills/b/SKILL.md": skillText("b".repeat(500)),
    });
    const linked = workplace({ ".git/HEAD": "", ".agent/x": "" });
    symlinkSync(elsewhere, join(linked.cwd, ".agent/skills"));
    const { stderr } = await run({ answer: "no" });
    expect(stderr).toContain("\\u{1b}[2J\\u{202e}b");
    expect(stderr).not.toMatch(/\p{Cc}(?<!\n)|\u202E|b{100}/u);
    const many = await linked.run({ answer: "no" });
    expect(many.stderr).toContain("and 18 more");
    expect(many.stderr).toContain(`from    ${elsewhere}`);
    expect(many.names).toEqual(["own"]);
  });

  it("R-12 what cannot be stored holds for this run, and that is said", async () => {
    const { HOME, run } = workplace();
    writeTree(HOME, { ".local/state": "a file where a folder should be" });
    const { names, stderr } = await run({ answer: "folder" });
    expect(names).toEqual(ALL);
    expect(stderr).toContain("this run only");
  });
});

describe("who can be asked", () => {
  const surroundings = (isTTY: boolean, env: Record<string, string> = {}, stdinTTY = isTTY) => ({
    stdout: { write: () => true },
    stderr: { write: () => true, isTTY },
    stdin: () => Object.assign(new PassThrough(), { isTTY: stdinTTY }),
    env,
    cwd: "/",
  });

  it("R-12 C-01 only a person at a terminal, outside of CI, --json and --quiet", () => {
    expect(createConsole(surroundings(true), {}).canAsk).toBe(true);
    expect(createConsole(surroundings(false), {}).canAsk).toBe(false);
    expect(createConsole(surroundings(true, {}, false), {}).canAsk).toBe(false);
    expect(createConsole(surroundings(true, { CI: "1" }), {}).canAsk).toBe(false);
    expect(createConsole(surroundings(true, { TERM: "dumb" }), {}).canAsk).toBe(false);
    expect(createConsole(surroundings(true), { json: true }).canAsk).toBe(false);
    expect(createConsole(surroundings(true), { quiet: true }).canAsk).toBe(false);
  });
});
