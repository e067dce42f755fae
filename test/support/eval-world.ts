import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCli } from "./run-cli.ts";
import { skillText } from "./skill-tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const PDF = "Fills PDF forms. Use when a PDF form has to be filled.";
export const CSV = "Profiles CSV tables. Use when a table has to be profiled.";

export const CASES = `cases:
  - id: form
    input: Fill the PDF form
    expected: { skills: [pdf], sequence: [select pdf before answer] }
  - id: table
    input: Profile the table
    expected: { skills: [csv] }
  - id: poem
    input: Write a poem about roses
    expected: { skills: [] }
`;

/** A project with two skills and cases, of a user who has nothing else. */
export function evalWorld(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const all = {
    ".agent/skills/pdf/SKILL.md": skillText("pdf", PDF),
    ".agent/skills/csv/SKILL.md": skillText("csv", CSV),
    ".agent/evals/cases.yaml": CASES,
    ".git/HEAD": "",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) if (text !== "-") write(path, text);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const call = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCli(args, { cwd: project, env: { ...env, ...more } });
  const evaluate = (...args: readonly string[]) => call(["eval", "--trust", ...args]);
  const json = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await evaluate(...args, "--json");
    return { exitCode, stderr, answer: JSON.parse(stdout) as Answer };
  };
  return { folder, project, write, call, evaluate, json, env };
}

/** As much of the JSON as tests look at. */
interface Answer {
  readonly schemaVersion: number;
  readonly verdict: {
    readonly status: string;
    readonly arms: readonly { readonly arm: string; readonly trials: number }[];
  };
  readonly cases: readonly {
    readonly id: string;
    readonly arms: readonly { readonly arm: string; readonly outcome: string }[];
  }[];
  readonly comparison?: { readonly status: string };
  readonly error?: { readonly code?: string; readonly message: string };
}
