import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtCli } from "./built-cli.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface SkillEval {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly expectations: readonly string[];
}

/** The cases that a skill brings along. */
export function skillEvals(skill: string): readonly SkillEval[] {
  const text = readFileSync(join(skill, "evals/evals.json"), "utf8");
  return (JSON.parse(text) as { evals: SkillEval[] }).evals;
}

/**
 * Runs a case on the offline model, in a folder with its files. Gives the expectations that are not met,
 * of those that need no judge: which skill was used, which script ran, what the answer contains.
 */
export function unmetExpectations(skill: string, { prompt, files, expectations }: SkillEval) {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  for (const file of files) cpSync(join(skill, file), join(project, file));
  const args = ["run", prompt, "--yes=run_script", "--model", "offline", "--cwd", project];
  const { stdout, stderr } = builtCli(args, folder);
  const used = new Set(Array.from(stderr.matchAll(/^skill +(\S+) /gm), ([, name]) => name));
  return expectations.filter((text) => {
    const [, name, not] = /^The skill (\S+) was (not )?used$/.exec(text) ?? [];
    if (name !== undefined) return used.has(name) === (not !== undefined);
    const [, script] = /^(\S+\.mjs) ran\b/.exec(text) ?? [];
    if (script !== undefined) return !stderr.includes(`/scripts/${script} (exit 0)`);
    const [, without, part] = /^The answer (?:does not (contain)|contains) (.+)$/.exec(text) ?? [];
    return part !== undefined && stdout.includes(part) === (without !== undefined);
  });
}
