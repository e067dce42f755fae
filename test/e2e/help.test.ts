import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import {
  COMMAND_GROUPS,
  createProgram,
  registerCommands,
} from "../../packages/cli/src/commands/index.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const COMMANDS = allCommands(wholeProgram().program);

describe("help", () => {
  it("C-01 there are commands to look at", () => {
    const names = COMMANDS.map(pathOf);
    for (const name of ["list", "run", "runs show", "config set", "completion"]) {
      expect(names).toContain(`skillwright ${name}`);
    }
  });

  it.each(COMMANDS.map((command) => [pathOf(command), command] as const))(
    "C-01 %s --help has all that a manual page has, in 80 columns",
    (_, command) => {
      const text = helpOf(command);
      expect(command.summary(), "summary").toMatch(/^[a-z].{8,}[^.]$/);
      expect(command.summary().length, "summary").toBeLessThan(62);
      expect(command.description().length, "description").toBeGreaterThan(30);
      expect(text, "exit codes").toMatch(/^Exit codes:/m);
      expect(text, "see also").toMatch(/^See also: \S/m);
      expect(examplesIn(text).length, "examples").toBeGreaterThan(0);
      const wide = text.split("\n").filter((line) => displayWidth(line) > 80);
      expect(wide, "lines wider than 80 columns").toEqual([]);
      for (const option of command.options) expect(option.description, option.flags).not.toBe("");
      for (const one of command.registeredArguments)
        expect(one.description, one.name()).not.toBe("");
    },
  );

  it.each(
    COMMANDS.flatMap((command) =>
      examplesIn(helpOf(command)).map((line) => [line, command] as const),
    ),
  )("C-01 the example %s is a command line of ours", async (line, command) => {
    const { program, ran } = wholeProgram();
    await program.parseAsync(shellWords(line), { from: "user" }).catch((error: unknown) => {
      const { code } = error as { readonly code?: string };
      if (code !== "commander.help") throw error;
    });
    // Those of the general help are of other commands, and one of them is help itself.
    const isGeneral = command.parent === null;
    expect(isGeneral || ran[0]?.startsWith(pathOf(command)), ran[0]).toBe(true);
  });

  it("C-01 what is started alone has the same help as among all", async () => {
    const cwd = temporaryFolder();
    for (const { names } of COMMAND_GROUPS) {
      for (const name of names) {
        const alone = await runCli([name, "--help"], { cwd });
        const among = await runCli(["--no-color", name, "--help"], { cwd });
        expect(alone.exitCode, name).toBe(0);
        expect(alone, name).toEqual(among);
      }
    }
  });

  it.each([
    [["help", "runs", "show"], "Usage: skillwright runs show "],
    [["help", "ls"], "Usage: skillwright list"],
    [["help"], "Usage: skillwright [options] [command]"],
    [["help", "tools", "call"], "Usage: skillwright tools call"],
  ])("C-01 %j is the help of that command", async (args, usage) => {
    const { exitCode, stdout, stderr } = await runCli(args, { cwd: temporaryFolder() });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(usage);
  });

  it("C-01 the help of --sandbox names all that it takes", () => {
    for (const command of COMMANDS.filter((one) => helpOf(one).includes("--sandbox <"))) {
      const text = helpOf(command).replaceAll(/\s+/g, " ");
      const [, said = ""] = /--sandbox <\w+> (.*?) --/.exec(text) ?? [];
      for (const name of ["auto", "bubblewrap", "sandbox-runtime", "none"])
        expect(said, pathOf(command)).toContain(name);
    }
  });

  it("C-01 the general help groups every command by topic", async () => {
    const { stdout } = await runCli(["--help"], { cwd: temporaryFolder() });
    const headings = Array.from(stdout.matchAll(/^([A-Z][a-z ]+):$/gm), ([, heading]) => heading);
    expect(headings).toEqual([
      "Options",
      "Skills",
      "Authoring",
      "Agent",
      "Packs",
      "Trust and settings",
      "Examples",
      "Exit codes",
    ]);
    const names = wholeProgram().program.commands.map((command) => command.name());
    const shown = names.filter((name) => new RegExp(`^  ${name}(,|  )`, "m").test(stdout));
    expect(shown).toEqual(names.filter((name) => name !== "complete"));
  });

  it.each([
    [["lnt"], "(Did you mean lint?)"],
    [["instal", "x"], "(Did you mean install?)"],
    [["list", "--al"], "(Did you mean --all?)"],
    [["lint", "--stict"], "(Did you mean --strict?)"],
    [["runs", "shwo", "x"], "(Did you mean show?)"],
    [["help", "rnu"], "error: unknown command 'rnu'\n(Did you mean run?)"],
    [["help", "runs", "shwo"], "(Did you mean show?)"],
  ])("C-01 %j is answered with what was meant", async (args, meant) => {
    const { exitCode, stdout, stderr } = await runCli(args, { cwd: temporaryFolder() });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(meant);
  });
});

/** All commands; what they would do is only noted. */
function wholeProgram(): { program: Command; ran: string[] } {
  const ran: string[] = [];
  const nowhere = { write: () => true, columns: 200 };
  const program = createProgram({ stdout: nowhere, stderr: nowhere });
  registerCommands(program, () => async (...args) => {
    ran.push(pathOf(args.at(-1) as Command));
  });
  return { program, ran };
}

function allCommands(command: Command): Command[] {
  const below = command.createHelp().visibleCommands(command);
  return [command, ...below.filter((one) => one.name() !== "help").flatMap(allCommands)];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** With what stands above and below, as a person sees it. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ ...command.configureOutput(), writeOut: (more) => (text += more) });
  command.outputHelp();
  return text;
}

/** The command lines of the section Examples, without what is said about them. */
function examplesIn(help: string): string[] {
  const [, section = ""] = /^Examples:\n((?: {2,}.*\n?|\n(?= {2}))*)/m.exec(help) ?? [];
  return section
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .flatMap((line) => /\bskillwright\b.*/.exec(line)?.[0].split(/ {2,}/)[0] ?? []);
}

/** As a shell would split it, up to a pipe or a redirection; without the program's name. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const end = words.findIndex((word) => /^(\||>>?|<|&&)$/.test(word));
  const own = words.slice(1, end === -1 ? undefined : end);
  return own.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
