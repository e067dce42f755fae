import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const SKILLS = fileURLToPath(new URL("../../skills", import.meta.url));
const NAMES = [
  "format-check",
  "report-writer",
  "skill-creator",
  "tabular-data",
  "text-compare",
  "unit-convert",
];

interface Answer {
  readonly verdict: { readonly status: string; readonly sentence: string };
  readonly cases: readonly {
    readonly id: string;
    readonly arms: readonly { readonly outcome: string }[];
  }[];
}

/** The built command line, on the skills of a folder and no others. */
async function evaluate(paths: readonly string[], root: string, ...more: readonly string[]) {
  const folder = temporaryFolder();
  const args = ["eval", ...paths, "--root", root, "--yes=run_script", "--trust", "--json", ...more];
  const env = { PATH: process.env["PATH"], HOME: folder };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  const code = await new Promise((done) => child.once("close", done));
  return { code, stderr, answer: JSON.parse(stdout) as Answer };
}

/** Copies the skills, so that one can be broken. */
function copyOfSkills(): string {
  const root = join(temporaryFolder(), "skills");
  mkdirSync(root);
  cpSync(SKILLS, root, { recursive: true });
  return root;
}

const failed = ({ cases }: Answer, skill: string) =>
  cases.filter(({ id, arms }) => id.startsWith(`${skill}/`) && arms[0]?.outcome === "fail");

describe("the evals of the built-in skills", { timeout: 240_000 }, () => {
  it("E-03 all pass on the offline model, among their neighbours", async () => {
    const { code, answer, stderr } = await evaluate([SKILLS], SKILLS);
    const wrong = answer.cases.filter(({ arms }) => arms[0]?.outcome !== "pass");
    expect(wrong.map(({ id }) => id)).toEqual([]);
    const note = "4 cases need a language model and are left out on the offline model.\n";
    expect([code, stderr]).toEqual([0, note]);
    expect(answer.cases.length).toBeGreaterThan(100);
    for (const name of NAMES) {
      expect(
        answer.cases.some(({ id }) => id.startsWith(`${name}/`)),
        name,
      ).toBe(true);
    }
  });

  it.each(NAMES)("E-02 without %s its evals fail", async (name) => {
    const root = copyOfSkills();
    rmSync(join(root, name), { recursive: true });
    const { code, answer } = await evaluate([join(SKILLS, name)], root);
    expect([code, answer.verdict.status]).toEqual([1, "fail"]);
    expect(failed(answer, name).length).toBeGreaterThan(2);
  });

  it.each(NAMES)("E-02 with a spoilt description of %s its evals fail", async (name) => {
    const root = copyOfSkills();
    const file = join(root, name, "SKILL.md");
    const text = readFileSync(file, "utf8");
    const spoilt = text.replace(/^description: .*$/m, "description: Helps with things.");
    expect(spoilt).not.toBe(text);
    writeFileSync(file, spoilt);
    const { code, answer } = await evaluate([join(root, name)], root);
    expect([code, answer.verdict.status]).toEqual([1, "fail"]);
    expect(failed(answer, name).length).toBeGreaterThan(2);
  });
});
