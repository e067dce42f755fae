import { sep } from "node:path";
import { MAX_TEXT } from "@skillwright/agent";
import {
  createModelJudge,
  createSandboxedGrader,
  type EvalOptions,
  type RunGrader,
} from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { openJudgeModel } from "./eval-model.ts";
import type { EvalNumbers } from "./eval-options.ts";
import { realPath } from "./eval-paths.ts";
import type { EvalWorld } from "./eval-world.ts";
import { placedJudge } from "./placed-judge.ts";

/** Programs and a judge, for what no comparison can tell. */
export async function evalGraders(
  world: EvalWorld,
  { requestsPerMinute }: EvalNumbers,
): Promise<NonNullable<EvalOptions["graders"]>> {
  const { session, console, options } = world;
  const runGrader = trustedGrader(world);
  if (options.judge === undefined) return { runGrader };
  if (/^(?:offline$|mock:)/.test(options.judge)) {
    throw new CommandFailure(EXIT.usage, `${options.judge} has no opinion of words`, {
      hint: "name a language model: --judge <provider:name>",
    });
  }
  const context = { session, console, requestsPerMinute };
  const model = await openJudgeModel(options.judge, options, context);
  const redactor = createRedactor({ env: console.env, maxStringLength: MAX_TEXT });
  const judge = createModelJudge(model, { redactor });
  return { runGrader, judge: placedJudge(judge, world.folder, world.skills) };
}

/** A grader is a program of whoever wrote the cases: of a project that is not trusted, none is started. */
function trustedGrader({ session, skills, executor }: EvalWorld): RunGrader {
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
