import { readFile as readBare } from "node:fs/promises";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSkills } from "../../packages/core/src/registry/open-skills.ts";
import { generateCorpus } from "../corpus.ts";
import { median, type Times } from "../parse/measure-rounds.ts";
import { check, checkRatio } from "../scan/bars.ts";

const SKILLS = 200;
const ROUNDS = 15;
const BARS = { readFile: 1.5, activate: 2.5, p99Milliseconds: 3 };
const LONG_AGO = 1_700_000_000;

/** Single reads beside a bare read of the same file, by turns. */
export async function measureReads(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "disclose-"));
  try {
    const names = writeSkills(folder);
    const skills = await openSkills({ roots: [folder] });
    const chat = skills.conversation();
    const single: Record<string, number[]> = { readFile: [], activate: [] };
    const contenders: readonly [string, (name: string) => Promise<unknown>][] = [
      ["bare reference", (name) => readBare(join(folder, name, "references/guide.md"), "utf8")],
      ["readFile", (name) => chat.readFile(name, "references/guide.md")],
      ["bare SKILL.md", (name) => readBare(join(folder, name, "SKILL.md"), "utf8")],
      // A new conversation: the ledger must not make it a second activation.
      ["activate", (name) => skills.conversation().activate(name)],
    ];
    const rounds = contenders.map((): number[] => []);
    for (let round = -2; round < ROUNDS; round++) {
      const times = contenders.map(() => 0);
      for (const name of names) {
        for (const [i, [title, run]] of contenders.entries()) {
          const start = performance.now();
          await run(name);
          const milliseconds = performance.now() - start;
          times[i] = (times[i] ?? 0) + milliseconds;
          if (round >= 0) single[title]?.push(milliseconds);
        }
      }
      if (round >= 0) for (const [i, time] of times.entries()) rounds[i]?.push(time);
    }
    const [bareReference, readFile, bareSkill, activate] = contenders.map(([name], i): Times => {
      const own = rounds[i] ?? [];
      return { name, rounds: own, median: median(own) };
    });
    if (!bareReference || !readFile || !bareSkill || !activate) return false;
    console.log(
      `one read of ${SKILLS} skills by turns, medians of ${ROUNDS} rounds: bare ${micro(bareReference)} µs, readFile ${micro(readFile)} µs; bare ${micro(bareSkill)} µs, activate ${micro(activate)} µs\n`,
    );
    return [
      checkRatio("readFile / fs.promises.readFile", readFile, bareReference, BARS.readFile),
      checkRatio("activate / fs.promises.readFile", activate, bareSkill, BARS.activate),
      check("readFile, p99 in ms", percentile(single["readFile"]), BARS.p99Milliseconds),
      check("activate, p99 in ms", percentile(single["activate"]), BARS.p99Milliseconds),
    ].every(Boolean);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeSkills(folder: string): string[] {
  return generateCorpus({ count: SKILLS, seed: 3 }).map(({ text }, i) => {
    const name = `skill-${i}`;
    const body = text.slice(text.indexOf("\n---", 3) + 5);
    const file = `---\nname: ${name}\ndescription: Does ${i}. Use when asked for ${i}.\n---\n${body}`;
    const files = { "SKILL.md": file, "references/guide.md": body, "scripts/run.py": "print(1)\n" };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, path, ".."), { recursive: true });
      writeFileSync(join(folder, name, path), content);
      utimesSync(join(folder, name, path), LONG_AGO, LONG_AGO);
    }
    return name;
  });
}

function micro({ median: milliseconds }: Times): string {
  return ((milliseconds * 1000) / SKILLS).toFixed(0);
}

function percentile(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
