import { namedTools } from "@skillwright/app/internal";
import { defined } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { readRequest } from "./input/read-request.ts";
import { offerMoreBudget } from "./go-on.ts";
import { refuseApproval } from "./refuse-approval.ts";
import { reportRun } from "./report-run.ts";
import { budgetOf, routeOf, type RunCommandOptions } from "./run-options.ts";
import { openProject, workOnRun } from "./work-on-run.ts";

export interface StartRunOptions extends RunCommandOptions {
  /** Files to give with the request, `-` for what is piped in. */
  readonly file?: readonly string[];
  /** Skills to use. */
  readonly skill?: readonly string[];
  /** Belongs to `runs resume`. */
  readonly approve?: string;
}

/** Works on a request with the skills there are. */
export async function runCommand(
  words: readonly string[],
  options: StartRunOptions,
  console: Console,
): Promise<ExitCode> {
  const { file: files = [], skill: use = [], approve } = options;
  requireSense(words, options);
  const budget = budgetOf(options);
  const route = routeOf(options);
  if (approve !== undefined) return refuseApproval(approve, options, console);
  // Reports a value that `--yes` took from the request.
  namedTools(options);
  const request = await readRequest(words, console);
  requireCallable(request, options);
  const { model, modelParam: modelParams } = options;
  const app = await openProject(options, console);
  try {
    const run = {
      request,
      skills: use,
      attachments: files,
      budget,
      ...route,
      ...defined({ model, modelParams }),
    };
    const ended = await workOnRun(console, (watch) => app.startRun({ ...run, ...watch }));
    const result = await offerMoreBudget(ended, console, ({ runId, usage }, more) =>
      workOnRun(
        console,
        (watch) =>
          app.resumeRun(runId, { ...defined({ model, modelParams }), budget: more, ...watch }),
        usage,
      ),
    );
    return await reportRun(result, { app, options, console });
  } finally {
    await app.close();
  }
}

/** What contradicts itself is said before anything is read. */
function requireSense(words: readonly string[], options: StartRunOptions): void {
  const { file = [], skill = [], skills, events, json } = options;
  const wrong = (message: string, hint: string) =>
    new CommandFailure(EXIT.usage, message, { hint });
  if (events === true && json === true) {
    throw wrong("--events and --json exclude each other", "--events ends with the same answer");
  }
  if (skill.length > 0 && skills === false) {
    throw wrong("--skill and --no-skills exclude each other", "leave one of them out");
  }
  const readings = file.filter((path) => path === "-").length;
  if (readings + (words.length === 0 || isDash(words) ? 1 : 0) > 1) {
    const hint = 'name the request: skillwright run "…" --file -';
    throw wrong("stdin cannot be both the request and a file, nor two files", hint);
  }
}

function isDash(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === "-";
}

/** A skill that is called by name is not used where there are to be none. */
function requireCallable(request: string, { skills }: StartRunOptions): void {
  const [, name] = /^\s*\/([\w-]+(?:@[\w:-]*)?)(?:\s|$)/.exec(request) ?? [];
  if (skills !== false || name === undefined) return;
  const hint = "leave --no-skills out, or the name";
  throw new CommandFailure(EXIT.usage, `/${name} calls a skill, and --no-skills switches all off`, {
    hint,
  });
}
