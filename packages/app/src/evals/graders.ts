import { MAX_TEXT } from "@skillwright/agent/internal";
import type { Skills } from "@skillwright/core";
import {
  createModelJudge,
  createSandboxedGrader,
  type EvalOptions,
  type Judge,
  type RunGrader,
} from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { sep } from "node:path";
import { AppFailure } from "../failure.ts";
import { openJudgeModel } from "./model.ts";
import type { EvalNumbers } from "./settings.ts";
import { realPath } from "./paths.ts";
import type { OpenedEval } from "./open-eval.ts";
import { mapStrings, skillPlaces, TRIAL } from "./placed-model.ts";

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
