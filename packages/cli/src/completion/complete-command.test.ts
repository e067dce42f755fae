import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../test/support/workplace.ts";
import { createProgram, registerCommands } from "../commands/index.ts";
import { visibleOptions } from "./index.ts";

const RUN = "20261116T103700-abcdef";

function project() {
  const { run, ...rest } = workplace({
    "skills/pdf-tools/SKILL.md": skillText("pdf-tools"),
    "skills/csv/SKILL.md": skillText("csv"),
    "other/notes/SKILL.md": skillText("notes"),
    [`.agent/runs/${RUN}/run.json`]: "{}",
    ".agent/runs/$(x)/run.json": "{}",
  });
  const complete = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await run("complete", "--", ...words);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
  };
  return { ...rest, run, complete };
}

describe("skillwright complete", () => {
  it("C-01 offers commands by their beginning, each with its summary", async () => {
    const { complete, run } = project();
    expect(await complete("")).toEqual(expect.arrayContaining(["list", "init", "run", "help"]));
    expect(await complete("")).not.toContain("complete");
    expect(await complete("ins")).toEqual(["inspect", "install"]);
    expect(await complete("config", "")).toEqual(["init", "set", "unset"]);
    expect(await complete("help", "unt")).toEqual(["untrust"]);
    expect((await run("complete", "--", "li")).stdout).toContain(
      "list\tlist all skills that were found\n",
    );
  });

  it("C-01 offers options of the command and of all commands", async () => {
    const { complete } = project();
    expect(await complete("list", "--a")).toEqual(["--all"]);
    expect(await complete("list", "--co")).toEqual(["--config"]);
    expect(await complete("tools", "call", "--san")).toEqual(["--sandbox"]);
    expect(await complete("list", "--", "--a")).toEqual([]);
  });

  it.each([
    [
      ["list", "--source", ""],
      ["project", "user", "builtin"],
    ],
    [["--source=u"], ["--source=user"]],
    [["lint", "--format", "s"], ["sarif"]],
    [["run", "--sandbox", "b"], ["bubblewrap"]],
    [["install", "--fail-on=hi"], ["--fail-on=high"]],
    [["completion", "z"], ["zsh"]],
    [
      ["init", "--ci", ""],
      ["github", "none"],
    ],
    [["search", "--limit", ""], []],
    [["new", ""], []],
  ])("C-01 of %j offers %j", async (words, expected) => {
    expect(await project().complete(...words)).toEqual(expected);
  });

  it.each([
    [["lint", "sk"], ":files"],
    [["--root", ""], ":folders"],
    [["new", "x", "--dir", ""], ":folders"],
    [["sign", "p.zip", "--key", ""], ":files"],
    [["run", "--file", "ord"], ":files"],
    [["run", "--file=ord"], ":files"],
    [["run", "x", "--cwd=su"], ":folders"],
    [["eval", "report", ""], ":files"],
  ])("C-01 leaves %j to the shell", async (words, expected) => {
    expect(await project().complete(...words)).toEqual([expected]);
  });

  const places = pathOptions();

  it("C-01 there are options for paths", () => {
    const flags = places.map(({ words, flag }) => [...words, flag].join(" "));
    expect(flags).toEqual(
      expect.arrayContaining(["run --file", "list --root", "chat --cwd", "eval --save"]),
    );
  });

  it.each(places)(
    "C-01 $words $flag completes files or folders",
    async ({ words, flag, place }) => {
      const { complete } = project();
      expect(await complete(...words, flag, "x")).toEqual([place]);
      expect(await complete(...words, `${flag}=x`)).toEqual([place]);
    },
  );

  it("C-01 offers skills where a skill is meant", async () => {
    const { complete } = project();
    for (const command of ["inspect", "explain", "read", "enable", "disable", "trust", "untrust"]) {
      expect(await complete(command, ""), command).toEqual(["csv", "pdf-tools"]);
    }
    expect(await complete("uninstall", "csv", "p")).toEqual(["pdf-tools"]);
    expect(await complete("run", "--skill", "c")).toEqual(["csv"]);
    expect(await complete("install", "--skill", "c")).toEqual([]);
    expect(await complete("inspect", "csv", "")).toEqual([]);
  });

  it("C-01 looks where the line says", async () => {
    const { complete } = project();
    expect(await complete("--root", "other", "inspect", "")).toEqual(["notes"]);
    expect(await complete("inspect", "--source=user", "")).toEqual([]);
    expect(await complete("inspect", "--cwd", temporaryFolder(), "")).toEqual([]);
  });

  it("C-01 offers runs by their names", async () => {
    const { complete } = project();
    expect(await complete("runs", "show", "")).toEqual([RUN]);
    expect(await complete("runs", "resume", "2027")).toEqual([]);
    expect(await workplaceWithout("runs", "show", "")).toEqual("");
  });

  it("C-01 an empty last word can be said with a flag", async () => {
    const { run } = project();
    const { stdout } = await run("complete", "--empty", "--", "list", "--source");
    expect(stdout).toBe("project\nuser\nbuiltin\n");
  });

  it("C-01 what is broken is as good as no answer", async () => {
    const { run } = workplace({}, { ".config/skillwright/config.json": "{ broken" });
    expect(await run("complete", "--", "inspect", "")).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it.each(["-rf", ":files", "a\\tb", "a\\nb", "\\u202Eevil", "\\u001B[2J"])(
    "C-01 does not offer a skill with the name %j",
    async (name) => {
      const { complete, cwd } = project();
      mkdirSync(join(cwd, "bad/x"), { recursive: true });
      const head = `name: "${name}"\ndescription: Is bad. Use never.`;
      writeFileSync(join(cwd, "bad/x/SKILL.md"), `---\n${head}\n---\nx\n`);
      for (const line of await complete("--root", "bad", "read", "")) {
        // Cleaned by the parser, or not there.
        expect(line).toMatch(/^[a-z]+$/);
      }
    },
  );

  it("C-01 any line of words is answered, and never with an error", async () => {
    const { run } = project();
    const word = fc.oneof(
      fc.constantFrom(
        "",
        "-",
        "--",
        "list",
        "runs",
        "show",
        "--root",
        "--source=",
        "--json",
        "help",
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
        const { exitCode, stderr, stdout } = await run("complete", "--", ...words);
        expect([exitCode, stderr]).toEqual([0, ""]);
        // oxlint-disable-next-line no-control-regex
        expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("skillwright completion", () => {
  it.each(["bash", "zsh", "fish", "powershell"])("C-01 prints the script of %s", async (shell) => {
    const { run } = workplace({});
    const { exitCode, stdout, stderr } = await run("completion", shell);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("skillwright complete");
    // What was typed or found is data: no script evaluates text.
    expect(stdout).not.toMatch(/\beval\b|compgen -W|Invoke-Expression|compadd.* -Q/);
  });

  it.each([
    ["/bin/bash", "skillwright completion bash >> ~/.bashrc"],
    ["/usr/bin/zsh", "skillwright completion zsh >> ~/.zshrc"],
    ["/opt/fish", "~/.config/fish/completions/skillwright.fish"],
    ["/usr/bin/pwsh", "skillwright completion powershell >> $PROFILE"],
  ])("C-01 without an argument it guesses by %s and says how to install", async (SHELL, text) => {
    const { run } = workplace({}, {}, { SHELL });
    const { exitCode, stdout } = await run("completion");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(text);
  });

  it.each([[["completion", "tcsh"]], [["completion"]]])("C-01 %j is wrong usage", async (args) => {
    const { run } = workplace({}, {}, { SHELL: "/bin/constructor" });
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/bash.*zsh.*fish.*powershell/s);
  });
});

async function workplaceWithout(...words: string[]): Promise<string> {
  const { run } = workplace({});
  return (await run("complete", "--", ...words)).stdout;
}

/** Every option of every command whose value is a place, by the word for it in the help. */
function pathOptions() {
  const nowhere = { write: () => true, columns: 200 };
  const program = createProgram({ stdout: nowhere, stderr: nowhere });
  registerCommands(program, () => async () => undefined);
  const walk = (command: Command, words: readonly string[]): PathOption[] => [
    ...visibleOptions(command).flatMap(({ long, flags }) => {
      const [, placeholder = ""] = /[<[]([\w-]+)[>\]]/.exec(flags) ?? [];
      const isFolder = /dir|folder/.test(placeholder);
      const isPlace = isFolder || /file|path|results/.test(placeholder);
      const place = isFolder ? ":folders" : ":files";
      return isPlace && long !== undefined ? [{ words, flag: long, place }] : [];
    }),
    ...command.commands.flatMap((one) => walk(one, [...words, one.name()])),
  ];
  const commands = program.commands.filter((one) => !["help", "complete"].includes(one.name()));
  return commands.flatMap((one) => walk(one, [one.name()]));
}

interface PathOption {
  readonly words: readonly string[];
  readonly flag: string;
  readonly place: string;
}
