import { listRuns, namedTools, openRuns, summaryOf, textOf } from "@skillwright/app/internal";
import { defined } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { continueCommand } from "./continue-command.ts";
import { offerMoreBudget } from "./go-on.ts";
import { reportRun } from "./report-run.ts";
import { type AgentOptions, budgetOf, routeOf, type RunCommandOptions } from "./run-options.ts";
import { openProject, workOnRun } from "./work-on-run.ts";

/** What the agent takes as a request. */
const MAX_LENGTH = 60_000;
const MAX_BYTES = MAX_LENGTH * 4;
/** A pipe that a machine left open says nothing for ever. */
const FIRST_BYTE_MS = 10_000;

/**
 * The words of the command line; from stdin for `-`, or where there are none and something is piped
 * in. Beside words stdin is never touched: nobody can know whether anything will ever come.
 */
async function readRequest(words: readonly string[], console: Console): Promise<string> {
  const isDash = words.length === 1 && words[0] === "-";
  const isPiped = isDash || (words.length === 0 && console.hasInput);
  if (words.length === 0 && !isPiped) throw usage("what is to be done is not said");
  const request = isPiped ? await pipedRequest(isDash, console) : words.join(" ");
  if (request.trim() === "") throw usage("the request is empty");
  if (request.length > MAX_LENGTH) {
    const message = `the request has ${request.length} characters, at most ${MAX_LENGTH} are taken`;
    throw new CommandFailure(EXIT.usage, message, {
      hint: 'give the long part as a file: skillwright run "summarize it" --file <path>',
    });
  }
  return request;
}

async function pipedRequest(isDash: boolean, console: Console): Promise<string> {
  if (!console.hasInput) console.note("Type the request; Ctrl-D ends it.");
  const input = await console.readInput({
    maxBytes: MAX_BYTES,
    ...(!isDash && { firstByteMs: FIRST_BYTE_MS }),
  });
  if (!input.ok && input.code === "too-large") {
    throw new CommandFailure(EXIT.usage, "what is piped in is too long for a request", {
      hint: 'give it as data: skillwright run "summarize it" --file -',
    });
  }
  if (!input.ok) {
    throw usage(`nothing came from stdin within ${FIRST_BYTE_MS / 1000} seconds`, [
      "or give - to wait for stdin as long as it takes: skillwright run -",
    ]);
  }
  const text = textOf(input.bytes);
  if (text === undefined) throw usage("stdin is not text");
  return text.trim();
}

function usage(message: string, more: readonly string[] = []): CommandFailure {
  const hint = ['say it in your own words: skillwright run "profile sales.csv"', ...more];
  return new CommandFailure(EXIT.usage, message, { hint: hint.join("\n") });
}

/** An approval is for a run that waits for it, not for a new one: the command that gives it. */
async function refuseApproval(
  approve: string,
  options: AgentOptions,
  console: Console,
): Promise<never> {
  const runId = await waitingRun(approve, console);
  const words = continueCommand({ runId: runId ?? "<run>", approve }, options);
  const command = words.join(" ").replace("'<run>'", "<run>");
  const hint =
    runId === undefined
      ? `no run here waits for it; skillwright runs list names those there are, then: ${command}`
      : command;
  throw new CommandFailure(EXIT.usage, "--approve goes on with a run that waits; run begins one", {
    hint,
  });
}

async function waitingRun(approve: string, console: Console): Promise<string | undefined> {
  const store = await openRuns(console);
  for (const runId of await listRuns(store)) {
    const summary = await summaryOf(store, runId);
    if (summary?.approval === approve && summary.parent === undefined) return runId;
  }
  return undefined;
}

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
