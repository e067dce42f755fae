import {
  namedTools,
  workspaceOptions,
  findOrFail,
  openAgentSession,
  openRunStore,
  readAttachments,
  openRunModel,
  removeRuns,
  retentionOf,
} from "@skillwright/app/internal";
import { resumeAgent, runAgent } from "@skillwright/agent";
import type { Skills } from "@skillwright/core";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { readPiped } from "./input/piped-file.ts";
import { readRequest } from "./input/read-request.ts";
import { offerMoreBudget, requireResumed } from "./go-on.ts";
import { refuseApproval } from "./refuse-approval.ts";
import { reportRun } from "./report-run.ts";
import { budgetOf, routeOf, type RunCommandOptions } from "./run-options.ts";
import { workOnRun } from "./work-on-run.ts";

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
  const { session, skills } = await openAgentSession(options, console);
  requireSkills(use, skills);
  const { root, maxFileSizeBytes } = workspaceOptions(session, console, session.stateDirectory);
  const maxBytes = maxFileSizeBytes ?? Infinity;
  const attachments = await readAttachments(files, { root, maxBytes }, console.cwd, () =>
    readPiped(maxBytes, console),
  );
  const model = await openRunModel(options, session, console);
  const store = openRunStore(session, console);
  const given = {
    ...route,
    ...(use.length > 0 && { use }),
    ...(attachments.length > 0 && { attachments }),
  };
  const context = { session, skills, options, console };
  const ended = await workOnRun(context, (surroundings) =>
    runAgent({ ...surroundings, ...given, request, skills, model, budget, store }),
  );
  const result = await offerMoreBudget(ended, console, ({ runId, usage }, more) =>
    workOnRun({ ...context, used: usage }, async (surroundings) => {
      const resumed = { ...surroundings, runId, skills, model, budget: more, store };
      return requireResumed(await resumeAgent(resumed), runId);
    }),
  );
  const exitCode = await reportRun(result, { session, store, options, console });
  const retention = retentionOf(session.configuration.values);
  if (retention !== undefined) await removeRuns(store, retention);
  return exitCode;
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

/** A name that is wrong, or of a skill that cannot be used, is said before there is a run. */
function requireSkills(names: readonly string[], skills: Skills): void {
  for (const given of names) {
    const { name, source, uri, enabled, trusted } = findOrFail(skills, given);
    if (!enabled) {
      const hint = `enable it: skillwright enable ${name}`;
      throw new CommandFailure(EXIT.no, `the skill ${name} is disabled`, { hint });
    }
    if (!trusted) {
      const hint =
        uri === undefined
          ? "after a look at it: skillwright trust, or --trust for one run"
          : `after a look at it: skillwright trust ${name}@${source}`;
      throw new CommandFailure(EXIT.no, `the skill ${name} is there, but not trusted`, { hint });
    }
  }
}
