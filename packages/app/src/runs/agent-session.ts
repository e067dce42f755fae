import {
  chooseModel,
  createFileStore,
  createOfflineModel,
  type Model,
  withCost,
  withRetry,
  withTimeout,
} from "@skillwright/agent";
import { type FileStore, MAX_TEXT, openMockModel, type Prices } from "@skillwright/agent/internal";
import { type Failure, openSkills, type Skills } from "@skillwright/core";
import type { Configuration } from "@skillwright/core/internal";
import { createRedactor } from "@skillwright/runtime";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { addMcpSkills } from "../mcp/mcp-session-skills.ts";
import type { RuntimeOptions } from "../runtime/compose-runtime.ts";
import { namedTools } from "../runtime/session-runtime.ts";
import {
  managedRefusal,
  openSession,
  type Session,
  type SessionOptions,
  type SessionPlace,
} from "../session/session.ts";
import { openSessionSkills, requireTrust } from "../session/skills.ts";

/** What starting and resuming a run have in common. */
export interface AgentOptions extends SessionOptions, RuntimeOptions {
  readonly model?: string;
  /** `name=value`, as the person gave them. */
  readonly modelParam?: readonly string[];
  /** False: with no skills at all. */
  readonly skills?: boolean;
}

/** What a run needs, with the question of trust settled first. */
export async function openAgentSession(
  options: AgentOptions,
  host: AppHost,
): Promise<{ readonly session: Session; readonly skills: Skills }> {
  // Wrong usage is said before anything is opened, also where nothing would be asked.
  namedTools(options);
  return openSkillsOf(await openSession(options, host), options, host);
}

/** The skills of an opened session. */
export async function openSkillsOf(
  opened: Session,
  options: AgentOptions,
  host: AppHost,
): Promise<{ readonly session: Session; readonly skills: Skills }> {
  // Without skills there is nothing to trust.
  if (options.skills === false) return { session: opened, skills: await noSkills(opened, host) };
  const found = await openSessionSkills(opened, options, host);
  // Trust in the folder is not trust in a server.
  return addMcpSkills(await requireTrust(opened, found, options, host), options, host);
}

/** The runs of this project. */
export function openRunStore({ project, stateDirectory }: SessionPlace, host: AppHost): FileStore {
  const redactor = createRedactor({ env: host.env, maxStringLength: MAX_TEXT });
  return createFileStore({ root: project, stateDirectory, redactor });
}

/** For a baseline: what the model does by itself, under the same policy. */
async function noSkills(session: Session, host: AppHost): Promise<Skills> {
  const { skillTools, security, workspace } = session.configuration.values;
  return openSkills({
    roots: [],
    configuration: { skillTools, security, workspace },
    env: host.env,
  });
}

interface ModelOptions {
  readonly model?: string;
  /** `name=value`, as the person gave them. */
  readonly modelParam?: readonly string[];
  /** Answers of a fixed sequence that were given before the run was stopped. */
  readonly answered?: number;
  /** Around every request, also when one is tried again. */
  readonly limit?: (model: Model) => Model;
}

const MOCK_FILE = /^mock:(.+)$/s;
const TURN_TIMEOUT_MS = 180_000;
const KEY_TIMEOUT_MS = 10_000;
const MAX_KEY_BYTES = 64 * 1024;

/** The model that the person named, else the configured one, else one that is there. */
export async function openRunModel(
  { model, modelParam: params = [], answered = 0, limit = (one) => one }: ModelOptions,
  session: Session,
  host: AppHost,
): Promise<Model> {
  const [, file] = MOCK_FILE.exec(model ?? "") ?? [];
  if (file !== undefined) {
    if (params.length > 0) throw paramsUnused("a mock model");
    const opened = await openMockModel(resolve(host.cwd, file), { answered });
    if (!opened.ok) throw asFailure(opened);
    return opened.model;
  }
  const configuration = session.configuration.values.model;
  const env = managedEnvironment(session, host, model, params);
  const chosen = await chooseModel({
    ...(model !== undefined && { model }),
    params,
    configuration,
    env,
    keychain: printedBy,
  });
  if (!chosen.ok) throw asFailure(chosen);
  if (!chosen.offline) {
    const priced = withCost(chosen.model, { prices: pricesOf(configuration.prices) });
    return withRetry(limit(withTimeout(priced, { timeoutMs: TURN_TIMEOUT_MS })));
  }
  if (!host.quiet) {
    host.note(
      chosen.isAsked
        ? "The offline demo model is answering."
        : "No model is configured, so the offline demo model is answering. Choose one with --model.",
    );
  }
  return createOfflineModel();
}

const BASE_URL = /^(?:ANTHROPIC|OPENAI|GEMINI)_BASE_URL$/;

/** Where the administrator chose the model: no other provider, name, parameter or address. */
function managedEnvironment(
  session: Session,
  host: AppHost,
  model: string | undefined,
  params: readonly string[],
): AppHost["env"] {
  const { origin, values } = session.configuration;
  const isManaged = (path: string) => origin(path).layer === "managed";
  const { provider = "", params: set } = values.model;
  if (isManaged("model.params") && params.length > 0) {
    const reason = "only the administrator decides what a model's provider is given";
    throw managedRefusal("--model-param", reason, session);
  }
  if (!isManaged("model.provider")) return host.env;
  const name = set["model"];
  const allowed = typeof name === "string" ? [provider, `${provider}:${name}`] : undefined;
  const isAllowed =
    model === undefined ||
    model === "offline" ||
    (allowed?.includes(model) ?? (model === provider || model.startsWith(`${provider}:`)));
  if (!isAllowed) {
    const reason = "only the administrator decides which model is asked";
    throw managedRefusal(`--model ${model}`, reason, session);
  }
  return Object.fromEntries(Object.entries(host.env).filter(([key]) => !BASE_URL.test(key)));
}

/**
 * The model that a run was recorded with, for one that goes on. Never silently another one: `--model`
 * chooses that.
 */
export async function openRecordedModel(
  recorded: string,
  session: Session,
  host: AppHost,
  modelParam: readonly string[] = [],
): Promise<Model> {
  const shown = JSON.stringify(recorded);
  if (recorded.startsWith("mock:") || recorded === "") {
    throw new AppFailure("usage", `the model of the run, ${shown}, is not in its record`, {
      hint: "name it: --model mock:<file>, or another one",
    });
  }
  const model = recorded.startsWith("offline:") ? "offline" : recorded;
  try {
    return await openRunModel({ model, modelParam }, session, host);
  } catch (error) {
    if (!(error instanceof AppFailure)) throw error;
    const { kind, message, hint } = error;
    const other = "or name another model: --model <provider:name>";
    throw new AppFailure(kind, `the model of the run, ${shown}, is missing: ${message}`, {
      hint: hint === undefined ? other : `${hint}\n${other}`,
      cause: error,
    });
  }
}

function pricesOf(prices: Configuration["model"]["prices"]): Prices {
  return Object.entries(prices).map(([pattern, { input, output, cacheRead, cacheWrite }]) => [
    pattern,
    {
      input,
      output,
      ...(cacheRead !== undefined && { cacheRead }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    },
  ]);
}

/** No shell: the words of the configuration are the words of the command. */
function printedBy([program = "", ...args]: readonly string[]): Promise<string | undefined> {
  const options = { timeout: KEY_TIMEOUT_MS, maxBuffer: MAX_KEY_BYTES, encoding: "utf8" } as const;
  return new Promise((done) => {
    execFile(program, args, options, (error, stdout) => done(error ? undefined : stdout));
  });
}

export function paramsUnused(what: string): AppFailure {
  return new AppFailure("usage", `${what} takes no parameters`, {
    hint: "leave --model-param out, or name another model: --model <provider:name>",
  });
}

function asFailure({ message, hint }: Failure): AppFailure {
  return new AppFailure("usage", message, hint === undefined ? {} : { hint });
}
