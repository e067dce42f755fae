import { spawnSync, type StdioOptions } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { parseCommand } from "../../index.ts";
import { reachableCommands } from "../index.ts";

const CASES = numRuns(1500);

/** Ways to write a command that nobody has; `mark` becomes a name of its own for each. */
const MARKS = ["mark", `m"ark"`, "m\\ark", "$'\\x6dark'", "'mark'", "m\\\nark"];
const SIGNS = [..."a;# (){}&|\n*~!=><[]1", "<<A", "mark", "\\\\", "case", "esac"];

const junk = fc.array(fc.constantFrom(...SIGNS), { maxLength: 5 }).map((signs) => signs.join(""));
const mark = fc.constantFrom(...MARKS);

/** Command lines that bash understands, with as much in them as possible that misleads a reader. */
const { command } = fc.letrec<Record<"command" | "simple" | "word" | "piece" | "inner", string>>(
  (tie) => ({
    inner: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant("z"),
      tie("command").map((command) => `$(${command}\n)`),
      tie("command").map((command) => `\`${command.replace(/[`\\]/g, "")}\``),
      tie("command").map((command) => `<(${command}\n)`),
      tie("command").map((command) => `\${x:-$(${command}\n)}`),
    ),
    piece: fc.oneof(
      fc.constantFrom("a", "1", "--x", "x=y", "{a,b}", "~", "[", "#", "a#b", "!", "=", "$x", "$#"),
      fc.constantFrom(
        "${#x}",
        "$((1 + 2))",
        "$((1<<2))",
        "${x#\\}}",
        '${x:-"}"}',
        "${x:-'}",
        "\\\n",
      ),
      fc.constantFrom("\\;", "\\'", '\\"', "\\$", "\\`", "\\(", "\\#", "\\\\", "$'\\''", '$"a"'),
      junk.map((junk) => `'${junk}"\`$('`),
      fc.tuple(junk, tie("inner")).map(([junk, inner]) => `"${junk}'\\"\\\`${inner}"`),
      tie("inner"),
    ),
    word: fc.array(tie("piece"), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("")),
    simple: fc
      .tuple(
        fc.constantFrom(
          "",
          "",
          "",
          "x=1 ",
          "eval ",
          "command ",
          "exec ",
          "! ",
          "time ",
          ">o ",
          ": ",
        ),
        mark,
        fc.array(tie("word"), { maxLength: 2 }),
        fc.oneof(
          { weight: 6, arbitrary: fc.constant("") },
          fc.constantFrom(" >o", " 2>&1", " &>o", " <<<a", " # ; 'a\n", " a[1<<A]=2"),
          fc
            .tuple(fc.constantFrom("A", "'A'", "\\A", "-A"), junk, tie("inner"))
            .map(([delimiter, junk, inner]) => ` <<${delimiter}\n${junk}${inner}\nA\n`),
        ),
      )
      .map(([before, mark, words, after]) => before + [mark, ...words].join(" ") + after),
    command: fc.oneof(
      { depthSize: "small" },
      tie("simple"),
      fc
        .tuple(tie("simple"), fc.constantFrom(";", "&&", "||", "|", "&", "\n", "|&"), tie("simple"))
        .map((parts) => parts.join("")),
      tie("command").map((command) => `(${command}\n)`),
      tie("command").map((command) => `{ ${command}\n}`),
      tie("command").map((command) => `if ${command}\nthen ${command}\nfi`),
      tie("command").map((command) => `for i in a 'b'; do ${command}\ndone`),
      tie("command").map((command) => `case a in a) ${command}\n;; esac`),
      tie("command").map((command) => `f() { ${command}\n}; f`),
      tie("command").map((command) => `((1<<A))\n${command}\nA`),
    ),
  }),
);

/** What comes out when the inner one of two functions is lost in a quotation. */
const ENDLESS = "f() { mark $(f)\n}; f";

/**
 * The shell itself is asked. It runs in an empty folder without any program, and notes each command
 * that it does not find.
 */
it.skipIf(process.platform !== "linux")(
  "P-01 sees every command that bash starts, or says that it may not",
  () => {
    const commands = [ENDLESS, ...fc.sample(command, CASES)].map((command, i) =>
      command.replaceAll("ark", `ark${i}_`),
    );
    const directory = mkdtempSync(join(tmpdir(), "policy-bash-"));
    try {
      const missed = startedByBash(directory, commands).filter(([i, name]) => {
        const text = commands[i] ?? "";
        const parsed = parseCommand(text);
        const { commands: found } = reachableCommands(text, parsed);
        if (parsed.unclear.length > 0) return false;
        return !found.some(({ starts }) => starts.some(({ program }) => program === name));
      });
      expect(missed.map(([i, name]) => [name, commands[i]])).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
  600_000,
);

function startedByBash(directory: string, commands: readonly string[]): [number, string][] {
  const log = join(directory, "log");
  writeFileSync(log, "");
  commands.forEach((command, i) => writeFileSync(join(directory, `case-${i}`), command));
  const script = `
    cd "$1"; PATH=/nonexistent; FUNCNEST=5
    command_not_found_handle() { case $1 in mark*) printf '%s %s\\0' "$N" "$1" >> "$L";; esac; }
    for ((N = 0; N < $2; N++)); do ( eval "$(<"case-$N")" ) </dev/null >/dev/null 2>&1; done
    wait`;
  // What bash left in the background holds the pipe open, and thus is waited for.
  const stdio: StdioOptions = ["ignore", "ignore", "ignore", "pipe"];
  const options = { env: { L: log }, stdio, timeout: 500_000 };
  const parameters = [
    "--norc",
    "--noprofile",
    "-c",
    script,
    "bash",
    directory,
    `${commands.length}`,
  ];
  expect(spawnSync("/bin/bash", parameters, options).error).toBeUndefined();
  // A name may have blanks and line breaks in it.
  const started = readFileSync(log, "utf8").split("\0").slice(0, -1);
  expect(started.length).toBeGreaterThan(CASES / 3);
  return started.map((text) => {
    const blank = text.indexOf(" ");
    return [Number(text.slice(0, blank)), text.slice(blank + 1)];
  });
}
