import { visibleLine } from "@skillwright/core/internal";
import { shellWord } from "../packs/shell-word.ts";
import type { Console } from "../console.ts";
import type { PlannedFile } from "./plan-project.ts";
import { TARBALL, WORKFLOW_FILE, workflowText } from "./workflow.ts";

interface InitResult {
  readonly project: string;
  readonly plan: readonly PlannedFile[];
  readonly dryRun: boolean;
  /** Nobody has said whether a workflow is wanted. */
  readonly isWorkflowOpen: boolean;
}

export function printPlan(plan: readonly PlannedFile[], project: string, console: Console): void {
  console.note(visibleLine(`In ${project}:`));
  for (const file of plan) console.note(`  ${stepText(file, PLANNED)}`);
}

export function printResult(
  { project, plan, dryRun, isWorkflowOpen }: InitResult,
  console: Console,
): void {
  const next = nextCommands(project, console);
  if (console.json) {
    const created = plan.filter(({ step }) => step !== "keep").map(({ path }) => path);
    const kept = plan.filter(({ step }) => step === "keep").map(({ path }) => path);
    const commands = next.map(([command]) => command);
    console.printJson({ created, kept, next: commands, ...(dryRun && { dryRun }) });
    return;
  }
  for (const file of plan) {
    if (console.quiet && file.step === "keep") continue;
    console.print(stepText(file, dryRun ? PLANNED : DONE));
  }
  if (console.quiet) return;
  if (dryRun) console.print("\nNothing was written.");
  if (isWorkflowOpen && !plan.some(({ path }) => path === WORKFLOW_FILE)) {
    console.print(
      `\nTo check skills in CI: skillwright init --ci github writes ${WORKFLOW_FILE}:\n`,
    );
    console.print(
      workflowText()
        .replace(/^(?=.)/gm, "  ")
        .trimEnd(),
    );
  }
  if (dryRun) return;
  if (plan.some(({ path, step }) => path === WORKFLOW_FILE && step === "create")) {
    console.print(
      `\nThe workflow installs ${TARBALL}. Make it in a checkout of Skillwright: npm pack -w skillwright`,
    );
  }
  console.print("\nNext:");
  const width = Math.max(...next.map(([command]) => command.length));
  for (const [command, what] of next) console.print(`  ${command.padEnd(width)}  ${what}`);
}

const DONE = { create: "Created", append: "Added to", keep: "Kept" } as const;
const PLANNED = { create: "Create", append: "Add to", keep: "Keep" } as const;

function stepText({ path, step, reason }: PlannedFile, words: Record<PlannedFile["step"], string>) {
  const why = reason ?? "it is there already";
  return `${words[step].padEnd(8)} ${path}${step === "keep" ? ` (${why})` : ""}`;
}

/** As they are typed where the person is. */
function nextCommands(project: string, { cwd }: Console): [command: string, what: string][] {
  const place = project === cwd ? "" : ` --cwd ${shellWord(visibleLine(project))}`;
  return [
    [`skillwright lint${place}`, "check the skills"],
    [`skillwright trust${place}`, "offer them to models, after a look"],
    [`skillwright new my-skill${place}`, "start one of your own"],
  ];
}
