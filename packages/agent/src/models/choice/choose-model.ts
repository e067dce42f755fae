import { type Failure, nearNames } from "@skillwright/core";
import { quoteLine } from "@skillwright/core/internal";
import * as z from "zod";
import { anthropic } from "../adapters/anthropic.ts";
import type { PricedModel } from "../decorators/prices.ts";
import { gemini } from "../adapters/gemini.ts";
import { checkBaseUrl } from "../http/endpoint.ts";
import { readWholeBody } from "../http/body.ts";
import { listAt, parseJson, textAt } from "../http/json.ts";
import type { Model } from "../model.ts";
import { openAiCompatible } from "../adapters/openai-compatible.ts";
import { type Provider, PROVIDERS } from "../providers.ts";

const tokens = z.int().min(1);

/** `model.params` of the user's configuration, for the providers over HTTP. */
const schema = z.strictObject({
  model: z.string().min(1).optional(),
  baseUrl: z.string().optional(),
  /** A program with its arguments that prints the key. No shell. */
  keyCommand: z.array(z.string()).min(1).optional(),
  /** The environment variable that holds the key. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional(),
  structured: z.enum(["tools", "json_schema", "json_object", "auto"]).optional(),
  contextTokens: tokens.optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  seed: z.int().optional(),
  maxOutputTokens: tokens.optional(),
  reasoningEffort: z.string().min(1).optional(),
  acceptsImages: z.boolean().optional(),
  stream: z.boolean().optional(),
  allowPlainHttp: z.boolean().optional(),
});

type ModelParams = z.infer<typeof schema>;

type ModelParamsResult =
  | { readonly ok: true; readonly params: ModelParams }
  | Failure<"invalid-model-params">;

/** No message shows a value: one of them may be a key in the wrong place. */
function readModelParams(value: Readonly<Record<string, unknown>>): ModelParamsResult {
  const { success, data, error } = schema.safeParse(value);
  if (success) return { ok: true, params: data };
  const [issue] = error.issues;
  const path = issue?.path.join(".") ?? "";
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const isKey = unknown.some((name) => /key|token|secret|password/i.test(name));
  return invalid(
    unknown.length > 0
      ? `unknown model.params: ${unknown.join(", ")}`
      : `model.params.${path} has the wrong type or value`,
    isKey
      ? "The configuration never holds keys: use keyVariable or keyCommand (an array)."
      : `Known: ${Object.keys(schema.shape).join(", ")}.`,
  );
}

/** What a person may set for one run. Addresses and keys belong in the configuration. */
const GIVEN = [
  "temperature",
  "topP",
  "seed",
  "maxOutputTokens",
  "reasoningEffort",
  "contextTokens",
  "structured",
  "stream",
  "acceptsImages",
] as const satisfies readonly (keyof ModelParams)[];

type GivenParamsResult =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | Failure<"invalid-model-params">;

/** Reads `name=value` texts; the last one of a name counts. */
function readGivenParams(texts: readonly string[]): GivenParamsResult {
  const params: Record<string, unknown> = {};
  for (const text of texts) {
    const [, name = "", value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
    if (name === "" || value === "") {
      return invalid(`"${quoteLine(text, 100)}" is not name=value`, "Example: temperature=0.2");
    }
    if (!GIVEN.some((known) => known === name)) {
      const [near] = nearNames(name, GIVEN);
      const hint = near === undefined ? `Known: ${GIVEN.join(", ")}.` : `Did you mean ${near}?`;
      return invalid(`unknown model parameter "${quoteLine(name, 100)}"`, hint);
    }
    params[name] = name === "reasoningEffort" ? value : valueOf(value);
  }
  return { ok: true, params };
}

function valueOf(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

function invalid(message: string, hint: string): Failure<"invalid-model-params"> {
  return { ok: false, code: "invalid-model-params", message, hint };
}

export interface ChooseModelOptions {
  /** `provider:name` or `provider`, as the person gave it. */
  readonly model?: string;
  /** `model` of the configuration. Only the user's own layer may have set it. */
  readonly configuration?: {
    readonly provider: string | undefined;
    readonly params: Readonly<Record<string, unknown>>;
  };
  /** `name=value`, as the person gave them; they go before those of the configuration. */
  readonly params?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
  /** Runs `keyCommand` of the configuration. */
  readonly keychain?: Keychain;
}

export type ChosenModel =
  | {
      readonly ok: true;
      readonly offline: false;
      readonly model: PricedModel;
      readonly origin: "flag" | "configuration" | "environment" | "local";
    }
  /** The embedded model. `isAsked`: by name; else because there is no other, which should be said. */
  | { readonly ok: true; readonly offline: true; readonly isAsked: boolean }
  | Failure<ChooseModelFailureCode>;

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
  readonly origin: "flag" | "configuration" | "environment" | "local";
}

/** These are models without a service. */
const EMBEDDED: ReadonlySet<string> = new Set(["offline", "mock"]);

export async function chooseModel(options: ChooseModelOptions): Promise<ChosenModel> {
  const given = readGivenParams(options.params ?? []);
  if (!given.ok) return given;
  const wanted = givenModel(options) ?? (await foundModel(options));
  if (wanted === undefined || EMBEDDED.has(wanted.provider)) {
    if (Object.keys(given.params).length > 0) return paramsUnused();
    return { ok: true, offline: true, isAsked: wanted !== undefined };
  }
  const { provider, origin } = wanted;
  if (!Object.hasOwn(PROVIDERS, provider)) return unknownProvider(provider);
  const opened = await openModel({
    ...options,
    ...wanted,
    params: { ...wanted.params, ...given.params },
  });
  return opened.ok ? { ok: true, offline: false, model: opened.model, origin } : opened;
}

function givenModel({ model, configuration }: ChooseModelOptions): Wanted | undefined {
  if (model === undefined) {
    const provider = configuration?.provider;
    if (provider === undefined) return undefined;
    return { provider, params: configuration?.params, origin: "configuration" };
  }
  // Names have colons too: `ollama:qwen3:8b`.
  const colon = model.indexOf(":");
  const provider = colon === -1 ? model : model.slice(0, colon);
  const params = configuration?.provider === provider ? configuration.params : undefined;
  const name = colon === -1 ? undefined : model.slice(colon + 1);
  return { provider, name, params, origin: "flag" };
}

async function foundModel({ env, fetch }: ChooseModelOptions): Promise<Wanted | undefined> {
  for (const provider of ["anthropic", "openai", "gemini"]) {
    const variable = PROVIDERS[provider]?.keyVariable ?? "";
    if ((env[variable] ?? "").trim() !== "") return { provider, origin: "environment" };
  }
  const [name] = await findOllama(fetch ?? globalThis.fetch);
  return name === undefined ? undefined : { provider: "ollama", name, origin: "local" };
}

function paramsUnused(): Failure<"invalid-model-params"> {
  return {
    ok: false,
    code: "invalid-model-params",
    message: "the offline model takes no parameters",
    hint: "Give the model as provider:name.",
  };
}

function unknownProvider(provider: string): Failure<"unknown-provider"> {
  const known = [...Object.keys(PROVIDERS), ...EMBEDDED];
  const near = nearNames(provider, known);
  return {
    ok: false,
    code: "unknown-provider",
    message: `there is no provider "${quoteLine(provider, 100)}"`,
    hint: `Give the model as provider:name, with one of ${known.join(", ")}.`,
    candidates: near.length > 0 ? near : known,
  };
}

interface OpenModelOptions {
  /** One of `PROVIDERS`. */
  readonly provider: string;
  readonly name?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
  readonly keychain?: Keychain;
}

type OpenModelResult =
  | { readonly ok: true; readonly model: PricedModel }
  | Failure<
      "model-name-missing" | "model-key-missing" | "invalid-model-params" | "invalid-base-url"
    >;

async function openModel(options: OpenModelOptions): Promise<OpenModelResult> {
  const { provider: id, env, fetch, keychain } = options;
  const provider = PROVIDERS[id] as Provider;
  const read = readModelParams(options.params ?? {});
  if (!read.ok) return read;
  const { params } = read;
  const model = options.name || params.model || provider.model;
  if (model === undefined) return nameMissing(id);
  const fromVariable = provider.baseUrlVariable && env[provider.baseUrlVariable]?.trim();
  const baseUrl = params.baseUrl ?? (fromVariable || provider.baseUrl) ?? "";
  const checked = checkBaseUrl(baseUrl, { allowPlainHttp: params.allowPlainHttp ?? false });
  if (!checked.ok) return checked;
  const isOwn = provider.baseUrl !== undefined && baseUrl === provider.baseUrl;
  const variable = keyVariable(provider, { params, env, isOwn: isOwn || baseUrl === fromVariable });
  const found = await findKey({ env, keychain, command: params.keyCommand, variable });
  if (!found.ok) return found;
  const { temperature, topP, seed, maxOutputTokens, reasoningEffort, ...others } = params;
  const common = {
    model,
    baseUrl,
    provider: id,
    contextTokens: others.contextTokens ?? provider.contextTokens,
    sampling: setOnly({ temperature, topP, seed, maxOutputTokens, reasoningEffort }),
    acceptsImages: others.acceptsImages ?? provider.acceptsImages ?? true,
    allowPlainHttp: others.allowPlainHttp ?? false,
    stream: others.stream ?? true,
    ...setOnly({
      apiKey: found.key,
      keyVariable: variable,
      unreachableHint: provider.unreachableHint,
      fetch,
    }),
  };
  let opened: Model;
  try {
    if (provider.dialect === "anthropic") opened = anthropic(common);
    else if (provider.dialect === "gemini") opened = gemini(common);
    else opened = openAiCompatible({ ...common, structured: params.structured ?? "auto" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, code: "invalid-model-params", message: error.message };
  }
  // Elsewhere the same name may be another model at another price.
  const isElsewhere = !isOwn && provider.keyVariable !== undefined;
  return { ok: true, model: isElsewhere ? { ...opened, isElsewhere } : opened };
}

type SetFields<Value> = { readonly [Name in keyof Value]?: Exclude<Value[Name], undefined> };

function setOnly<Value extends object>(value: Value): SetFields<Value> {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries) as SetFields<Value>;
}

interface KeyContext {
  readonly params: { readonly keyVariable?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address is the provider's. */
  readonly isOwn: boolean;
}

/** A provider's key is not sent to an address of someone else unless the user names the variable. */
function keyVariable(
  { keyVariable: first, otherKeyVariable: other }: Provider,
  { params, env, isOwn }: KeyContext,
): string | undefined {
  if (params.keyVariable !== undefined || !isOwn) return params.keyVariable;
  const isSet = (name: string | undefined) => name !== undefined && (env[name] ?? "").trim() !== "";
  return !isSet(first) && isSet(other) ? other : first;
}

function nameMissing(provider: string): Failure<"model-name-missing"> {
  return {
    ok: false,
    code: "model-name-missing",
    message: `no model named for ${provider}`,
    hint: `Give it as ${provider}:name, or as model.params.model.`,
  };
}

/** Runs a program, without a shell, and gives what it printed; undefined when it failed. */
export type Keychain = (command: readonly string[]) => Promise<string | undefined>;

interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keychain?: Keychain | undefined;
  /** Only of the user's own configuration. */
  readonly command?: readonly string[] | undefined;
  readonly variable?: string | undefined;
}

type KeyResult =
  | { readonly ok: true; readonly key: string | undefined }
  | Failure<"model-key-missing">;

/** From the command when there is one, else from the environment. */
async function findKey(sources: KeySources): Promise<KeyResult> {
  const { env, keychain, command, variable } = sources;
  if (command !== undefined) {
    const key = await printedKey(command, keychain);
    return key === undefined
      ? missing(`the key command ${command[0] ?? ""} printed no key`, "Run it by hand to see why.")
      : { ok: true, key };
  }
  const key = variable === undefined ? "" : (env[variable] ?? "").trim();
  if (key !== "") return { ok: true, key };
  if (variable === undefined) return { ok: true, key: undefined };
  return missing(`${variable} is not set`, `Set ${variable}, or give a key command.`);
}

async function printedKey(
  command: readonly string[],
  keychain: Keychain | undefined,
): Promise<string | undefined> {
  try {
    return (await keychain?.(command))?.trim() || undefined;
  } catch {
    return undefined;
  }
}

function missing(message: string, hint: string): Failure<"model-key-missing"> {
  return { ok: false, code: "model-key-missing", message, hint };
}

const TAGS = "http://127.0.0.1:11434/api/tags";
const TIMEOUT_MS = 300;
const MAX_BYTES = 1024 * 1024;

/** The models of a local Ollama, the latest first; none when there is no Ollama. Does not throw. */
async function findOllama(fetch: typeof globalThis.fetch): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(TAGS, { redirect: "manual", signal });
    if (!response.ok) return [];
    const body = parseJson(await readWholeBody(response.body, MAX_BYTES));
    return listAt(body, "models")
      .map((model) => textAt(model, "name"))
      .filter((name) => /^[\w./:-]{1,200}$/.test(name) && !/embed/i.test(name));
  } catch {
    return [];
  }
}
