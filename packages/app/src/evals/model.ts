import { createOfflineModel, type Model, recorded, withRateLimit } from "@skillwright/agent";
import type { Sampling } from "@skillwright/agent/internal";
import type { Skills } from "@skillwright/core";
import { readRegularFile } from "@skillwright/core/internal";
import type { TrialPlace } from "@skillwright/evals";
import { createRedactor } from "@skillwright/runtime";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { openRunModel, paramsUnused } from "../runs/agent-session.ts";
import type { Session } from "../session/session.ts";
import type { EvalSettings } from "./settings.ts";

/** Folders of this machine and what a model sees in their place. */
type Places = readonly (readonly [here: string, there: string])[];

export const TRIAL = "/eval/trial";
const SKILLS = "/eval/skills";
/** It stands for files that no model sees as well; the cassette knows what matters. */
const DIGEST = /\bdigest="(?:sha256|stamp):[0-9a-f]{64}"/g;
/** Cases in the list of a skill's files, which are no part of what it is. */
const EVALS = /^evals?\/.* \(\d+ bytes\)\n/gm;
const NO_DIGEST = `digest="sha256:${"0".repeat(64)}"`;

/**
 * The same requests for the same trial, in whatever folder and on whatever machine: only then can an answer be
 * found again. Folders in an answer are those of this machine again.
 */
export function placedModel(model: Model, directory: string, skills: Skills): Model {
  const places = placesOf(directory, skills);
  const away = (text: string) =>
    places
      .reduce((changed, [here, there]) => changed.replaceAll(here, there), text)
      .replaceAll(DIGEST, NO_DIGEST)
      .replaceAll(EVALS, "");
  const back = (text: string) =>
    places.reduceRight((changed, [here, there]) => changed.replaceAll(there, here), text);
  return {
    ...model,
    async decide(request, context) {
      const response = await model.decide(mapStrings(request, away), context);
      return mapStrings(response, back);
    },
  };
}

/** The longest first: one folder may lie in another. */
function placesOf(directory: string, skills: Skills): Places {
  return [[directory, TRIAL] as const, ...skillPlaces(skills)]
    .filter(([here]) => here.startsWith("/"))
    .sort(([a], [b]) => b.length - a.length);
}

export function skillPlaces({ all }: Skills): Places {
  return all.map(({ path, name }) => [path, `${SKILLS}/${name}`] as const);
}

export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapUnknown(value, change) as Value;
}

function mapUnknown(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapUnknown(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapUnknown(item, change)]),
  );
}

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

interface EvalModelContext {
  readonly session: Session;
  readonly host: AppHost;
  readonly requestsPerMinute?: number | undefined;
}

/**
 * The offline model unless somebody names another one: a key that happens to be there is not spent by
 * a test. A sequence is opened anew for each trial; what has no memory is opened once.
 */
export async function openEvalModel(
  options: Pick<EvalSettings, "model" | "modelParam" | "record" | "replay">,
  context: EvalModelContext,
): Promise<EvalModel> {
  const { record, replay, model: name = "offline", modelParam = [] } = options;
  const { cwd } = context.host;
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
  { record, replay }: Pick<EvalSettings, "record" | "replay">,
  context: EvalModelContext,
): Promise<Model> {
  const { cwd } = context.host;
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
  const { session, host, requestsPerMinute } = context;
  const limit = (model: Model): Model => {
    if (requestsPerMinute === undefined) return model;
    const known = LIMITED.get(host.env) ?? new Map<string, Model>();
    LIMITED.set(host.env, known);
    const key = JSON.stringify([requestsPerMinute, model.id, model.sampling]);
    const limited = known.get(key) ?? withRateLimit(model, { requestsPerMinute });
    known.set(key, limited);
    return limited;
  };
  return openRunModel({ model: name, modelParam, limit }, session, quiet(host));
}

function redaction({ host }: EvalModelContext): (text: string) => string {
  const redactor = createRedactor({ env: host.env });
  return (text) => redactor.redactText(text);
}

function quiet(host: AppHost): AppHost {
  return { ...host, quiet: true };
}

const FILE = "model.json";

/** Whose answers the cassettes of a folder are, so that they can be replayed without its key. */
async function writeRecordedModel(folder: string, model: Model): Promise<void> {
  // What is a program needs no recording: whatever is recorded may answer differently the next time.
  const isDeterministic = false;
  const { id, protocol, contextTokens, maxOutputTokens, acceptsImages, sampling } = model;
  const described = {
    id,
    protocol,
    contextTokens,
    maxOutputTokens,
    acceptsImages,
    sampling,
    isDeterministic,
  };
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ schemaVersion: 1, ...described }, null, 2);
  await writeFile(join(folder, FILE), `${text}\n`);
}

/** Of all recorded answers: two replays with the same digest differ by nothing that a model decided. */
function recordingDigest(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".json")).toSorted()) {
    hash.update(JSON.stringify(file)).update(readRegularFile(join(folder, file), { follow: true }));
  }
  return `sha256:${hash.digest("hex")}`;
}

/** That model, which only answers from cassettes. */
function readRecordedModel(
  folder: string,
  name: string | undefined,
): { readonly model: Model; readonly isDeterministic: boolean } {
  const { isDeterministic, ...described } = readFields(folder);
  const { id } = described;
  if (name !== undefined && name !== id) {
    throw new AppFailure("usage", `${folder} holds answers of ${id}, not of ${name}`, {
      hint: "leave --model out, or record that model",
    });
  }
  const model: Model = {
    ...described,
    async decide() {
      throw new TypeError("a replay asks no model");
    },
  };
  return { model, isDeterministic };
}

function readFields(folder: string): Omit<Model, "decide"> & { readonly isDeterministic: boolean } {
  const file = join(folder, FILE);
  const hint = "record them first: skillwright eval --model <provider:name> --record <folder>";
  let fields: Partial<Record<string, unknown>>;
  try {
    fields = (JSON.parse(readFileSync(file, "utf8")) ?? {}) as typeof fields;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const message = isMissing ? `there are no recorded answers in ${folder}` : `${file} is damaged`;
    throw new AppFailure(isMissing ? "missing" : "usage", message, { hint });
  }
  const { id, protocol, contextTokens, maxOutputTokens, acceptsImages, sampling } = fields;
  const isKnown = protocol === "tools" || protocol === "json";
  if (typeof id === "string" && isKnown && typeof contextTokens === "number") {
    return {
      id,
      protocol,
      contextTokens,
      isDeterministic: fields["isDeterministic"] === true,
      ...(typeof maxOutputTokens === "number" && { maxOutputTokens }),
      ...(typeof acceptsImages === "boolean" && { acceptsImages }),
      ...(typeof sampling === "object" && sampling !== null && { sampling }),
    };
  }
  throw new AppFailure("usage", `${file} is damaged`, { hint });
}
