import { type Failure } from "@skillwright/core";
import {
  nearNames,
  defined,
  quoteLine,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import * as z from "zod";
import { anthropic } from "./adapters/anthropic.ts";
import { gemini } from "./adapters/gemini.ts";
import { openAiCompatible } from "./adapters/openai-compatible.ts";
import type { PricedModel } from "./decorators/prices.ts";
import { readWholeBody } from "./http/body.ts";
import { checkBaseUrl } from "./http/endpoint.ts";
import { listAt, parseJson, textAt } from "./http/json.ts";
import { PROVIDERS } from "./providers.ts";

const sampling = {
  temperature: z.number().optional(),
  topP: z.number().optional(),
  seed: z.int().optional(),
  maxOutputTokens: z.int().min(1).optional(),
  reasoningEffort: z.string().min(1).optional(),
};

/** What a person may set for one run with `name=value`. */
const runParams = {
  ...sampling,
  contextTokens: z.int().min(1).optional(),
  structured: z.enum(["tools", "json_schema", "json_object", "auto"]).optional(),
  stream: z.boolean().optional(),
  acceptsImages: z.boolean().optional(),
};

/** `model.params` of the user's configuration, which alone has addresses and where keys are. */
const modelParams = z.strictObject({
  model: z.string().min(1).optional(),
  baseUrl: z.string().optional(),
  /** A program with its arguments that prints the key. No shell. */
  keyCommand: z.array(z.string()).min(1).optional(),
  /** The environment variable that holds the key. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional(),
  allowPlainHttp: z.boolean().optional(),
  ...runParams,
});

export interface ChooseModelOptions {
  /** `provider:name` or `provider`, as the person gave it. */
  readonly model?: string;
  /** `model` of the configuration. Only the user's own layer may have set it. */
  readonly configuration?: {
    readonly provider: string | undefined;
    readonly params: Readonly<Record<string, unknown>>;
  };
  /** `name=value`, as the person gave them; they override those of the configuration. */
  readonly params?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
  /** Runs `keyCommand` of the configuration. */
  readonly keychain?: Keychain;
}

/** Runs a program without a shell and returns what it printed; undefined when it failed. */
export type Keychain = (command: readonly string[]) => Promise<string | undefined>;

export type ChosenModel =
  | { readonly ok: true; readonly offline: false; readonly model: PricedModel }
  /** The embedded model. `isAsked`: by name; otherwise there is no other, and the person should know. */
  | { readonly ok: true; readonly offline: true; readonly isAsked: boolean }
  | Refusal;

type Refusal = Failure<ChooseModelFailureCode>;

export type ChooseModelFailureCode =
  | "unknown-provider"
  | "model-name-missing"
  | "model-key-missing"
  | "invalid-model-params"
  | "invalid-base-url";

interface Wanted {
  readonly provider: string;
  readonly name?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** These are models without a service. */
const EMBEDDED: ReadonlySet<string> = new Set(["offline", "mock"]);

const OPTIONS: OptionKinds<ChooseModelOptions> = {
  model: "string",
  configuration: "object",
  params: "strings",
  env: "object",
  fetch: "function",
  keychain: "function",
};

export async function chooseModel(options: ChooseModelOptions): Promise<ChosenModel> {
  checkOptions("chooseModel", options, OPTIONS, ["env"]);
  const params: Record<string, unknown> = {};
  for (const text of options.params ?? []) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
    const problem = givenProblem(text, name, value);
    if (problem !== undefined) return problem;
    params[name] = name === "reasoningEffort" ? value : valueIn(value);
  }
  const wanted = namedModel(options) ?? (await foundModel(options));
  if (wanted !== undefined && !EMBEDDED.has(wanted.provider)) {
    return openModel({ ...wanted, params: { ...wanted.params, ...params } }, options);
  }
  if (Object.keys(params).length === 0) {
    return { ok: true, offline: true, isAsked: wanted !== undefined };
  }
  const message = "the offline model takes no parameters";
  return failure("invalid-model-params", message, "Give the model as provider:name.");
}

function failure(code: ChooseModelFailureCode, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint };
}

/** What is wrong with a `name=value` text. */
function givenProblem(text: string, name: string, value: string) {
  const names = Object.keys(runParams);
  if (name === "" || value === "") {
    const message = `"${quoteLine(text, 100)}" is not name=value`;
    return failure("invalid-model-params", message, "Example: temperature=0.2");
  }
  if (names.includes(name)) return undefined;
  const [near] = nearNames(name, names);
  const hint = near === undefined ? `Known: ${names.join(", ")}.` : `Did you mean ${near}?`;
  return failure("invalid-model-params", `unknown model parameter "${quoteLine(name, 100)}"`, hint);
}

function valueIn(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

function namedModel({ model, configuration }: ChooseModelOptions): Wanted | undefined {
  if (model === undefined) {
    const { provider, params } = configuration ?? {};
    return provider === undefined ? undefined : { provider, params };
  }
  // Names have colons too: `ollama:qwen3:8b`.
  const [, provider = "", name] = /^([^:]*)(?::(.*))?$/s.exec(model) ?? [];
  const params = configuration?.provider === provider ? configuration.params : undefined;
  return { provider, name, params };
}

async function foundModel({ env, fetch }: ChooseModelOptions): Promise<Wanted | undefined> {
  const provider = ["anthropic", "openai", "gemini"].find(
    (one) => valueOf(env, PROVIDERS[one]?.keyVariable) !== undefined,
  );
  if (provider !== undefined) return { provider };
  const name = await findOllama(fetch ?? globalThis.fetch);
  return name === undefined ? undefined : { provider: "ollama", name };
}

const TAGS = "http://127.0.0.1:11434/api/tags";
const TIMEOUT_MS = 300;
const MAX_BYTES = 1024 * 1024;

/** The latest model of a local Ollama. Does not throw. */
async function findOllama(fetch: typeof globalThis.fetch): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(TAGS, { redirect: "manual", signal });
    if (!response.ok) return undefined;
    return listAt(parseJson(await readWholeBody(response.body, MAX_BYTES)), "models")
      .map((model) => textAt(model, "name"))
      .find((name) => /^[\w./:-]{1,200}$/.test(name) && !/embed/i.test(name));
  } catch {
    return undefined;
  }
}

async function openModel(
  { provider: id, name, params: given }: Wanted,
  { env, fetch, keychain }: ChooseModelOptions,
): Promise<ChosenModel> {
  const provider = Object.hasOwn(PROVIDERS, id) ? PROVIDERS[id] : undefined;
  if (provider === undefined) return unknownProvider(id);
  const { success, data: params, error } = modelParams.safeParse(given);
  if (!success) return invalidParams(error);
  const model = name || params.model || provider.model;
  if (model === undefined) {
    const hint = `Give it as ${id}:name, or as model.params.model.`;
    return failure("model-name-missing", `no model named for ${id}`, hint);
  }
  const fromVariable = valueOf(env, provider.baseUrlVariable);
  const baseUrl = params.baseUrl ?? fromVariable ?? provider.baseUrl ?? "";
  const { keyCommand, allowPlainHttp = false, structured = "auto", stream = true } = params;
  const checked = checkBaseUrl(baseUrl, { allowPlainHttp });
  if (!checked.ok) return checked;
  const isOwn = baseUrl === provider.baseUrl;
  // A provider's key goes to another address only if the user names the variable.
  const ownVariables =
    isOwn || baseUrl === fromVariable ? [provider.keyVariable, provider.otherKeyVariable] : [];
  // The other variable counts only if it alone is set.
  const ownVariable = ownVariables.find((one) => valueOf(env, one)) ?? ownVariables[0];
  const keyVariable = params.keyVariable ?? ownVariable;
  const apiKey =
    keyCommand === undefined
      ? valueOf(env, keyVariable)
      : (await keychain?.(keyCommand).catch(() => undefined))?.trim() || undefined;
  if (apiKey === undefined && keyCommand !== undefined) {
    const message = `the key command ${keyCommand[0] ?? ""} printed no key`;
    return failure("model-key-missing", message, "Run it by hand to see why.");
  }
  if (apiKey === undefined && keyVariable !== undefined) {
    const hint = `Set ${keyVariable}, or give a key command.`;
    return failure("model-key-missing", `${keyVariable} is not set`, hint);
  }
  try {
    const shared = {
      model,
      baseUrl,
      provider: id,
      contextTokens: params.contextTokens ?? provider.contextTokens,
      sampling: defined(z.object(sampling).parse(params)),
      acceptsImages: params.acceptsImages ?? provider.acceptsImages ?? true,
      allowPlainHttp,
      stream,
      ...defined({ apiKey, keyVariable, unreachableHint: provider.unreachableHint, fetch }),
    };
    const opened =
      provider.dialect === "openai-compatible"
        ? openAiCompatible({ ...shared, structured })
        : OTHERS[provider.dialect](shared);
    // Elsewhere the same name may be another model at another price.
    const isElsewhere = !isOwn && provider.keyVariable !== undefined;
    const priced = isElsewhere ? { ...opened, isElsewhere } : opened;
    return { ok: true, offline: false, model: priced };
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return { ok: false, code: "invalid-model-params", message: thrown.message };
  }
}

const OTHERS = { anthropic, gemini };

function unknownProvider(provider: string): Refusal {
  const known = [...Object.keys(PROVIDERS), ...EMBEDDED];
  const near = nearNames(provider, known);
  const message = `there is no provider "${quoteLine(provider, 100)}"`;
  const hint = `Give the model as provider:name, with one of ${known.join(", ")}.`;
  const candidates = near.length > 0 ? near : known;
  return { ...failure("unknown-provider", message, hint), candidates };
}

/** The message shows no value: one of them may be a key in the wrong place. */
function invalidParams({ issues: [issue] }: z.ZodError): Refusal {
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const isKey = unknown.some((name) => /key|token|secret|password/i.test(name));
  return failure(
    "invalid-model-params",
    unknown.length > 0
      ? `unknown model.params: ${unknown.join(", ")}`
      : `model.params.${issue?.path.join(".") ?? ""} has the wrong type or value`,
    isKey
      ? "The configuration never holds keys: use keyVariable or keyCommand (an array)."
      : `Known: ${Object.keys(modelParams.shape).join(", ")}.`,
  );
}

/** Undefined for a variable that is not set, empty or blank. */
function valueOf(env: ChooseModelOptions["env"], variable = ""): string | undefined {
  return env[variable]?.trim() || undefined;
}
