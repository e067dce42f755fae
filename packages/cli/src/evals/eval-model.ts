import { resolve } from "node:path";
import { createOfflineModel, type Model, recorded, withRateLimit } from "@skillwright/agent";
import type { Sampling } from "@skillwright/agent/internal";
import type { TrialPlace } from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { openRunModel, paramsUnused, type Session } from "@skillwright/app/internal";
import type { Console } from "../console.ts";
import type { EvalCommandOptions } from "./eval-options.ts";
import { placedModel } from "./placed-model.ts";
import { readRecordedModel, recordingDigest, writeRecordedModel } from "./recorded-model.ts";

/** Who decides in the trials. */
export interface EvalModel {
  readonly id: string;
  /** The same request gets the same answer. */
  readonly isDeterministic: boolean;
  readonly sampling?: Sampling | undefined;
  /** Digest of the recorded answers that are replayed. */
  readonly recording?: string;
  readonly open: (place: TrialPlace) => Promise<Model> | Model;
}

export interface EvalModelContext {
  readonly session: Session;
  readonly console: Console;
  readonly requestsPerMinute?: number | undefined;
}

/**
 * The offline model unless somebody names another one: a key that happens to be there is not spent by
 * a test. A sequence is opened anew for each trial; what has no memory is opened once.
 */
export async function openEvalModel(
  options: Pick<EvalCommandOptions, "model" | "modelParam" | "record" | "replay">,
  context: EvalModelContext,
): Promise<EvalModel> {
  const { record, replay, model: name = "offline", modelParam = [] } = options;
  const { cwd } = context.console;
  if (replay !== undefined) return replayed(resolve(cwd, replay), options.model, context);
  if (name === "offline") {
    if (modelParam.length > 0) throw paramsUnused("the offline model");
    const { id } = createOfflineModel();
    return { id, isDeterministic: true, open: () => createOfflineModel() };
  }
  const open = () => openLimited(name, context, modelParam);
  const model = await open();
  if (name.startsWith("mock:")) return { id: model.id, isDeterministic: true, open };
  const live = { id: model.id, isDeterministic: false, sampling: model.sampling };
  if (record === undefined) return { ...live, open: () => model };
  const folder = resolve(cwd, record);
  await writeRecordedModel(folder, model);
  const kept = cassettes(model, folder, "record", context);
  return { ...live, open: kept };
}

/** Of a judge: the same rules, in a folder of its own. */
export async function openJudgeModel(
  name: string,
  { record, replay }: Pick<EvalCommandOptions, "record" | "replay">,
  context: EvalModelContext,
): Promise<Model> {
  const { cwd } = context.console;
  const folder = resolve(cwd, replay ?? record ?? "", "judge");
  const keep = { folder, redact: redaction(context) };
  if (replay !== undefined) {
    return recorded(readRecordedModel(folder, name).model, { ...keep, mode: "replay" });
  }
  const model = await openLimited(name, context);
  if (record === undefined) return model;
  await writeRecordedModel(folder, model);
  return recorded(model, { ...keep, mode: "record" });
}

function replayed(folder: string, name: string | undefined, context: EvalModelContext): EvalModel {
  const { model, isDeterministic } = readRecordedModel(folder, name);
  const open = cassettes(model, folder, "replay", context);
  const { id, sampling } = model;
  return { id, isDeterministic, sampling, recording: recordingDigest(folder), open };
}

/** Each trial has answers of its own: the same request may be answered differently the next time. */
function cassettes(
  model: Model,
  folder: string,
  mode: "record" | "replay",
  context: EvalModelContext,
): EvalModel["open"] {
  const redact = redaction(context);
  return ({ skills, directory, job }) => {
    const kept = recorded(model, { folder, mode, redact, take: job.trial });
    return placedModel(kept, directory, skills);
  };
}

/** Models with a limit, by the environment that their keys are from. */
const LIMITED = new WeakMap<object, Map<string, Model>>();

/**
 * A limit is of the service, not of one use: agent and judge share it, and so do the runs of a watch. Another
 * attempt is another request.
 */
function openLimited(
  name: string,
  context: EvalModelContext,
  modelParam: readonly string[] = [],
): Promise<Model> {
  const { session, console, requestsPerMinute } = context;
  const limit = (model: Model): Model => {
    if (requestsPerMinute === undefined) return model;
    const known = LIMITED.get(console.env) ?? new Map<string, Model>();
    LIMITED.set(console.env, known);
    const key = JSON.stringify([requestsPerMinute, model.id, model.sampling]);
    const limited = known.get(key) ?? withRateLimit(model, { requestsPerMinute });
    known.set(key, limited);
    return limited;
  };
  return openRunModel({ model: name, modelParam, limit }, session, quiet(console));
}

function redaction({ console }: EvalModelContext): (text: string) => string {
  const redactor = createRedactor({ env: console.env });
  return (text) => redactor.redactText(text);
}

function quiet(console: Console): Console {
  return { ...console, quiet: true };
}
