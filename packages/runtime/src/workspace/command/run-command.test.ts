import fc from "fast-check";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  type CommandOptions,
  type CommandResult,
  createWorkspaceTools,
} from "../../internal/index.ts";
import { splitCommand } from "../index.ts";

function commandsIn(result: CommandResult, maxOutputSizeBytes = 1000) {
  const root = temporaryFolder({ "src/a": "" });
  const calls: { readonly argv: readonly string[]; readonly options: CommandOptions }[] = [];
  const commandRunner = {
    runCommand: async (argv: readonly string[], options: CommandOptions) => {
      calls.push({ argv, options });
      return result;
    },
  };
  const options = { root, trash: join(root, "t"), enableRunCommand: true, maxOutputSizeBytes };
  const tool = createWorkspaceTools({ ...options, commandRunner, commandTimeoutSeconds: 60 })
    .tools()
    .find(({ name }) => name === "run_command")!;
  return { root, calls, tool };
}

it("X-10 hands an argv to the runner, as it is", async () => {
  const { root, calls, tool } = commandsIn({ ok: true, text: "out", exitCode: 0 });
  const argv = ["git", "log", "$(x)", ""];
  const result = await tool.execute({ argv, cwd: "src", timeout_seconds: 999 });
  expect(result).toMatchObject({ ok: true, text: "out", exitCode: 0 });
  expect(tool.toText(result)).toBe("out");
  expect(calls).toEqual([{ argv, options: { cwd: join(root, "src"), timeoutMs: 60_000 } }]);
});

it("X-10 splits a command line", async () => {
  const { calls, tool } = commandsIn({ ok: true, text: "" });
  expect(tool.toText(await tool.execute({ Command: "echo 'a b'" }))).toBe(
    "(no output; exit code 0)",
  );
  expect(calls[0]?.argv).toEqual(["echo", "a b"]);
});

it.each([
  ["argv as a line", { argv: "echo 'a b'" }],
  ["a line in argv", { argv: ["echo 'a b'"] }],
  ["command as a list", { command: ["echo", "a b"] }],
  ["command as the text of a list", { command: '["echo", "a b"]' }],
])("X-10 takes %s", async (_, input) => {
  const { calls, tool } = commandsIn({ ok: true, text: "" });
  await tool.execute(input);
  expect(calls[0]?.argv).toEqual(["echo", "a b"]);
});

it("X-04 a command that fails is a failure with its output", async () => {
  const { tool } = commandsIn({ ok: false, text: "exit 1: no such thing" });
  const result = await tool.execute({ command: "x" });
  expect(result).toMatchObject({ ok: false, code: "command-failed" });
  expect(tool.toText(result)).toBe("Error: exit 1: no such thing.");
});

it("X-04 output stays exact, and a hint gets its own line", async () => {
  const text = "python3 ended with exit code 1\nstdout:\n42";
  const { tool } = commandsIn({ ok: false, text });
  expect(tool.toText(await tool.execute({ command: "x" }))).toBe(`Error: ${text}`);
  const hinted = commandsIn({ ok: false, text, hint: "Try again" }).tool;
  const result = await hinted.execute({ command: "x" });
  expect(hinted.toText(result)).toBe(`Error: ${text}\nTry again.`);
});

it("X-05 keeps head and tail of long output", async () => {
  const { tool } = commandsIn({ ok: true, text: `head${"é".repeat(2000)}tail` });
  const result = (await tool.execute({ command: "x" })) as { text: string; truncated: boolean };
  expect(result.truncated).toBe(true);
  expect(result.text).toMatch(/^headé+\n\[… \d+ bytes left out …\]\né+tail$/);
  expect(Buffer.byteLength(result.text)).toBeLessThan(1100);
});

it.each([
  ["nothing", {}],
  ["both", { command: "ls", argv: ["ls"] }],
  ["an empty program", { argv: ["", "a"] }],
  ["a NUL", { argv: ["a", "b\0"] }],
  ["a pipe", { command: "a | b" }],
  ["a folder outside", { command: "a", cwd: ".." }],
  ["a folder behind a link", { command: "a", cwd: "link" }],
  ["a file as folder", { command: "a", cwd: "src/a" }],
])("X-10 runs nothing when given %s", async (_, input) => {
  const { root, calls, tool } = commandsIn({ ok: true, text: "" });
  symlinkSync("/", join(root, "link"));
  expect(await tool.execute(input)).toMatchObject({ ok: false });
  expect(calls).toEqual([]);
});

it.each([
  ["git log -n 5", ["git", "log", "-n", "5"]],
  ["  git\tstatus  ", ["git", "status"]],
  ["echo 'a b' \"c d\"", ["echo", "a b", "c d"]],
  ["echo a'b'\"c\"d", ["echo", "abcd"]],
  ["echo '' \"\"", ["echo", "", ""]],
  ["echo a\\ b \\$x", ["echo", "a b", "$x"]],
  ['echo "a\\"b\\\\c\\$d\\n"', ["echo", 'a"b\\c$d\\n']],
  ["echo '$HOME `x` | &'", ["echo", "$HOME `x` | &"]],
  ['python3 -c "\nif 1 != 2:\n  print(1)\n"', ["python3", "-c", "\nif 1 != 2:\n  print(1)\n"]],
  ['echo "a\\\nb"', ["echo", "ab"]],
  ["make -j4 CFLAGS=-O2", ["make", "-j4", "CFLAGS=-O2"]],
])("X-10 splits %s", (line, argv) => {
  expect(splitCommand(line)).toEqual({ ok: true, argv });
});

it.each([
  "a && b",
  "a; b",
  "a | b",
  "a |& b",
  "a & b",
  "a\nb",
  "a > f",
  "a < f",
  "a <(b)",
  "$(a)",
  "`a`",
  'echo "$x"',
  'echo "`a`"',
  'echo "!a"',
  "cat <<EOF\na\nEOF",
  "echo $x",
  "ls *",
  "ls ?",
  "ls [a]",
  "ls {a,b}",
  "cd ~",
  "FOO=x a",
  "a # b",
  "!a",
  "echo 'a",
  'echo "a',
  "a \\",
  "",
  "   ",
  "''",
  "a\0b",
  "a\u001bb",
  "x".repeat(10_001),
])("X-10 refuses what only a shell understands: %j", (line) => {
  const hint = expect.stringContaining('["bash", "-c", "…"]') as string;
  expect(splitCommand(line)).toMatchObject({ ok: false, code: "command-unclear", hint });
});

it("X-10 gives back every word that was quoted", () => {
  // The printable part of ASCII, which fast-check takes by default.
  const word = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const argv = ["program", ...words];
      const line = argv.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" ");
      expect(splitCommand(line)).toEqual({ ok: true, argv });
    }),
  );
});
