import type { Failure } from "@skillwright/core";
import { anthropic } from "../anthropic/anthropic.ts";
import { checkBaseUrl } from "../http/base-url.ts";
import type { PricedModel } from "../decorators/is-priced.ts";
import { openAiCompatible } from "../openai-compatible/openai-compatible.ts";
import { findKey, type Keychain } from "./find-key.ts";
import { readModelParams } from "./model-params.ts";
import { type Provider, PROVIDERS } from "./providers.ts";

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

export async function openModel(options: OpenModelOptions): Promise<OpenModelResult> {
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
  const variable = keyVariable(provider, params, isOwn || baseUrl === fromVariable);
  const found = await findKey({ env, keychain, command: params.keyCommand, variable });
  if (!found.ok) return found;
  const common = {
    model,
    baseUrl,
    provider: id,
    contextTokens: params.contextTokens ?? provider.contextTokens,
    maxOutputTokens: params.maxOutputTokens ?? provider.maxOutputTokens,
    allowPlainHttp: params.allowPlainHttp ?? false,
    stream: params.stream ?? true,
    ...(found.key !== undefined && { apiKey: found.key }),
    ...(variable !== undefined && { keyVariable: variable }),
    ...(provider.unreachableHint !== undefined && { unreachableHint: provider.unreachableHint }),
    ...(fetch !== undefined && { fetch }),
  };
  const opened =
    provider.dialect === "anthropic"
      ? anthropic(common)
      : openAiCompatible({ ...common, structured: params.structured ?? "auto" });
  // Elsewhere the same name may be another model at another price.
  const isElsewhere = !isOwn && provider.keyVariable !== undefined;
  return { ok: true, model: isElsewhere ? { ...opened, isElsewhere } : opened };
}

/** A provider's key is not sent to an address of someone else unless the user names the variable. */
function keyVariable(
  provider: Provider,
  params: { readonly keyVariable?: string | undefined },
  isItsAddress: boolean,
): string | undefined {
  return params.keyVariable ?? (isItsAddress ? provider.keyVariable : undefined);
}

function nameMissing(provider: string): Failure<"model-name-missing"> {
  return {
    ok: false,
    code: "model-name-missing",
    message: `which model of ${provider} is not said`,
    hint: `Give it as ${provider}:name, or as model.params.model.`,
  };
}
