import { MAX_TEXT } from "@skillwright/agent/internal";
import type { Skills } from "@skillwright/core";
import {
  createModelJudge,
  createSandboxedGrader,
  type EvalOptions,
  type Judge,
  type RunGrader,
  type TrialError,
  type TrialPlace,
  type TrialPolicy,
} from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { type ApprovalStore, createFileApprovals } from "@skillwright/runtime/internal";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { createSessionPolicy } from "../runs/session-policy.ts";
import type { RuntimeContext } from "../runtime/compose-runtime.ts";
import { mapStrings, openJudgeModel, skillPlaces, TRIAL } from "./model.ts";
import type { OpenedEval } from "./open-eval.ts";
import { type EvalNumbers, realPath } from "./settings.ts";

/** What `mkdtemp` adds. */
const MADE_UP = /(?<=-)[A-Za-z0-9]{6}$/;

/**
 * The same questions for the same trials, in whatever folder and on whatever machine, so that a verdict can be
 * found again. All trials work below one folder.
 */
export function placedJudge(judge: Judge, folder: string, skills: Skills): Judge {
  const places = skillPlaces(skills)
    .filter(([here]) => here.startsWith("/"))
    .toSorted(([a], [b]) => b.length - a.length);
  const trials = trialFolders(folder);
  const away = (text: string) =>
    places.reduce(
      (changed, [here, there]) => changed.replaceAll(here, there),
      text.replaceAll(trials, TRIAL),
    );
  return {
    id: judge.id,
    judge: ({ signal, pause, ...question }) =>
      judge.judge({
        ...mapStrings(question, away),
        ...(signal && { signal }),
        ...(pause && { pause }),
      }),
    prefer: ({ signal, pause, ...question }) =>
      judge.prefer({
        ...mapStrings(question, away),
        ...(signal && { signal }),
        ...(pause && { pause }),
      }),
  };
}

/**
 * Names that are made up for each trial. Also in folders of the same kind beside: an answer may be from before an
 * interruption, when that folder had another name.
 */
function trialFolders(folder: string): RegExp {
  const kind = folder.replace(MADE_UP, "");
  const rest = kind === folder ? "" : "[A-Za-z0-9]{6}";
  const separator = sep === "/" ? "/" : "\\\\";
  const plain = kind.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`${plain}${rest}${separator}trial-[A-Za-z0-9]*`, "g");
}

/** Programs and a judge, for what no comparison can tell. */
export async function evalGraders(
  world: OpenedEval,
  { requestsPerMinute }: EvalNumbers,
): Promise<NonNullable<EvalOptions["graders"]>> {
  const { session, host, options } = world;
  const runGrader = trustedGrader(world);
  if (options.judge === undefined) return { runGrader };
  if (/^(?:offline$|mock:)/.test(options.judge)) {
    throw new AppFailure("usage", `${options.judge} has no opinion of words`, {
      hint: "name a language model: --judge <provider:name>",
    });
  }
  const context = { session, host, requestsPerMinute };
  const model = await openJudgeModel(options.judge, options, context);
  const redactor = createRedactor({ env: host.env, maxStringLength: MAX_TEXT });
  const judge = createModelJudge(model, { redactor });
  return { runGrader, judge: placedJudge(judge, world.folder, world.skills) };
}

/** A grader is a program of whoever wrote the cases: of a project that is not trusted, none is started. */
function trustedGrader({ session, skills, executor }: OpenedEval): RunGrader {
  const run = createSandboxedGrader(executor.executor);
  const folders = skills.all.filter(({ trusted }) => trusted).map(({ path }) => realPath(path));
  return async (request) => {
    const file = realPath(request.file);
    const isTrusted =
      session.projectTrusted || folders.some((folder) => file.startsWith(`${folder}${sep}`));
    if (isTrusted) return run(request);
    const message = `the grader ${request.file} lies in a project that is not trusted`;
    return { ok: false, code: "grader-untrusted", message, hint: "skillwright trust, or --trust" };
  };
}

/**
 * The policy of this command line for trials: each in its own directory, and nobody is asked, since several run at
 * once. What needs an approval is named with `--yes`, or was approved before.
 */
export function trialPolicies(
  context: Omit<RuntimeContext, "skills">,
): Required<EvalOptions>["openPolicy"] {
  const silent = silentHost(context.host);
  const options = {
    ...context.options,
    // What a trial changes is thrown away with its directory.
    writable: ["."],
    approvals: sharedApprovals(context.session.stateDirectory),
  };
  return ({ directory, skills }: TrialPlace): TrialPolicy => {
    const controller = new AbortController();
    const problems: TrialError[] = [];
    const session = { ...context.session, project: directory };
    const host = { ...silent, cwd: directory };
    const policy = createSessionPolicy(
      { ...context, options, session, host, skills },
      {
        stop(problem) {
          problems.push(asTrialError(problem));
          controller.abort();
        },
        onWalkAway: () => controller.abort(),
      },
    );
    return {
      policy,
      signal: controller.signal,
      problem: () => problems[0],
      close: async (runId) => {
        const folder = join(session.stateDirectory, "runs", runId);
        if (existsSync(folder)) await rm(folder, { recursive: true, force: true });
      },
    };
  };
}

/** What has to be said about the configuration is said once, before the first trial. */
function silentHost(host: AppHost): AppHost {
  // A copy, because listing the variables of the process takes long.
  return { ...host, env: { ...host.env }, person: () => undefined, note: () => undefined };
}

/** Reads the key once for all trials. */
function sharedApprovals(stateDirectory: string): ApprovalStore {
  const store = createFileApprovals(stateDirectory);
  let key: ReturnType<ApprovalStore["key"]> | undefined;
  return { ...store, key: () => (key ??= store.key()) };
}

function asTrialError({ code, message, hint }: AppFailure): TrialError {
  const text = hint === undefined ? message : `${message} (${hint})`;
  return { code: code ?? "missing", message: text };
}
