import fc from "fast-check";
import { expect, it } from "vitest";
import { splitCommand } from "../index.ts";

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
