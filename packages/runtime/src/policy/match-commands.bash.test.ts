import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lineCommand } from "./index.ts";

const piece = fc.oneof(
  fc.constantFrom(..."ab1 \t\n;#(){}&|~!=><[]*?$`'\"\\-.,:@%+/^"),
  fc.constantFrom(
    "git",
    "--x=y",
    "'a b'",
    '"a b"',
    "\\ ",
    '"\\$"',
    "$'a'",
    "é",
    "~/x",
    "a=~",
    "%1",
  ),
);
const line = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));

/** Bash is asked which words a line has. It has no program that it could start. */
it.skipIf(process.platform !== "linux")(
  "P-01 a line of plain words has the same words in bash",
  () => {
    const lines = fc
      .sample(line, 2000)
      .map((text) => `mark ${text}`)
      .filter((text) => lineCommand(text).words !== undefined);
    expect(lines.length).toBeGreaterThan(50);
    const folder = mkdtempSync(join(tmpdir(), "policy-bash-"));
    try {
      lines.forEach((text, i) => writeFileSync(join(folder, `case-${i}`), text));
      const script = `
        cd "$1"; PATH=/nonexistent
        for ((N = 0; N < $2; N++)); do
          ( mark() { printf '%s\\0' "$#" mark "$@" > "out-$N"; }; eval "$(<"case-$N")" ) </dev/null
        done`;
      const parameters = ["--norc", "--noprofile", "-c", script, "bash", folder, `${lines.length}`];
      const stdio = ["ignore", "ignore", "ignore"] as const;
      expect(spawnSync("/bin/bash", parameters, { stdio: [...stdio] }).error).toBeUndefined();
      const different = lines.filter((text, i) => {
        const words = readFileSync(join(folder, `out-${i}`), "utf8")
          .split("\0")
          .slice(1, -1);
        return JSON.stringify(words) !== JSON.stringify(lineCommand(text).words);
      });
      expect(different).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
