import { type Failure, nearNames } from "@skillwright/core";
import { quoteLine } from "@skillwright/core/internal";
import type { PricedModel } from "../decorators/is-priced.ts";
import { findOllama } from "./find-ollama.ts";
import type { Keychain } from "./find-key.ts";
import { openModel } from "./open-model.ts";
import { PROVIDERS } from "./providers.ts";

export interface ChooseModelOptions {
  /** `provider:name` or `provider`, as the person gave it. */
  readonly model?: string;
  /** `model` of the configuration. Only the user's own layer may have set it. */
  readonly configuration?: {
    readonly provider: string | undefined;
    readonly params: Readonly<Record<string, unknown>>;
  };
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
  const wanted = givenModel(options) ?? (await foundModel(options));
  if (wanted === undefined) return { ok: true, offline: true, isAsked: false };
  const { provider, origin } = wanted;
  if (EMBEDDED.has(provider)) return { ok: true, offline: true, isAsked: true };
  if (!Object.hasOwn(PROVIDERS, provider)) return unknownProvider(provider);
  const opened = await openModel({ ...options, ...wanted });
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
  for (const provider of ["anthropic", "openai"]) {
    const variable = PROVIDERS[provider]?.keyVariable ?? "";
    if ((env[variable] ?? "").trim() !== "") return { provider, origin: "environment" };
  }
  const [name] = await findOllama(fetch ?? globalThis.fetch);
  return name === undefined ? undefined : { provider: "ollama", name, origin: "local" };
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
