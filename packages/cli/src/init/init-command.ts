import { lstat, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { projectFolder, makeFolder, placeNew, writeAtomic } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { checkInside } from "./check-inside.ts";
import { type PlannedFile, planProject } from "./plan-project.ts";
import { printPlan, printResult } from "./print-result.ts";

export interface InitCommandOptions extends GlobalOptions {
  readonly ci?: "github" | "none";
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Prepares a project for skills. Run again, it adds what is missing and changes nothing else. */
export async function initCommand(
  dir: string | undefined,
  options: InitCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const project = await chosenProject(dir, console);
  const { ci, yes = false, dryRun = false } = options;
  const mayAsk = !yes && !dryRun && console.canAsk;
  const service = ci ?? (mayAsk ? await askForService(console) : undefined);
  if (mayAsk && service === undefined) return walkedAway(console);
  const plan = await planProject(project, { hasWorkflow: service === "github" });
  const result = { project, plan, dryRun, isWorkflowOpen: service === undefined };
  if (dryRun) {
    printResult(result, console);
    return EXIT.done;
  }
  if (mayAsk && plan.some(({ step }) => step !== "keep")) {
    printPlan(plan, project, console);
    if (!(await isConfirmed(console))) return walkedAway(console);
  }
  printResult({ ...result, plan: await writePlan(plan, project) }, console);
  return EXIT.done;
}

/** Without a folder, the project that one is in: its skills are looked for at its top. */
async function chosenProject(dir: string | undefined, { cwd, env }: Console): Promise<string> {
  if (dir === undefined) return projectFolder(cwd, env["HOME"] ?? homedir());
  const project = resolve(cwd, dir);
  const stats = await stat(project).catch(() => undefined);
  if (stats === undefined || stats.isDirectory()) return project;
  throw new CommandFailure(EXIT.usage, `${project} is not a folder`);
}

function askForService(console: Console): Promise<"github" | "none" | undefined> {
  return console.choose({
    message: "Check skills in CI?",
    choices: [
      { value: "github", label: "GitHub Actions", hint: "writes .github/workflows/skills.yml" },
      { value: "none", label: "No", hint: "skillwright init --ci github adds it later" },
    ],
    initial: "none",
  });
}

async function isConfirmed(console: Console): Promise<boolean> {
  const answer = await console.choose({
    message: "Write these files?",
    choices: [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No", hint: "nothing is written" },
    ],
    initial: "yes",
  });
  return answer === "yes";
}

function walkedAway(console: Console): ExitCode {
  console.note("Nothing was written.");
  return EXIT.interrupted;
}

/** What was done, which differs from the plan where a file appeared meanwhile. */
async function writePlan(plan: readonly PlannedFile[], project: string): Promise<PlannedFile[]> {
  makeFolder(project, 0o777);
  const done: PlannedFile[] = [];
  for (const file of plan) {
    const path = join(project, file.path);
    // Once more: since the plan was made, a person may have thought about it for long.
    await checkInside(dirname(file.path), project);
    if (file.step === "append") {
      const mode = (await lstat(path)).mode & 0o777;
      writeAtomic(path, Buffer.from(file.text, "latin1"), { mode });
    }
    const isKept = file.step === "create" && !placeNew(path, file.text, { mode: "umask" });
    done.push(isKept ? { ...file, step: "keep" } : file);
  }
  return done;
}
