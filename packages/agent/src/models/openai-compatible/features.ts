import type { ModelError } from "../model.ts";

/** What an endpoint takes, as far as it is known. Endpoints differ, and none says so beforehand. */
export interface Features {
  readonly decisions: "tools" | "json_schema" | "json_object" | "text";
  readonly toolChoice: boolean;
  readonly parallelToolCalls: boolean;
  readonly streamOptions: boolean;
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
}

/**
 * The features without the one that the endpoint refused; undefined when it refused something else.
 * Each step takes one away, so that there are few.
 */
export function withoutRefused(
  features: Features,
  error: ModelError,
  options: { readonly mayStepDown: boolean },
): Features | undefined {
  if (![400, 404, 422, 501].includes(error.status ?? 0)) return undefined;
  // Only what the endpoint said, not our words with its name.
  const said = error.message.slice(error.message.indexOf(": ") + 2);
  if (features.streamOptions && /stream_options|include_usage/i.test(said)) {
    return { ...features, streamOptions: false };
  }
  if (features.tokenLimit === "max_tokens" && /max_completion_tokens/i.test(said)) {
    return { ...features, tokenLimit: "max_completion_tokens" };
  }
  if (features.decisions === "tools") {
    if (features.parallelToolCalls && /parallel.?tool/i.test(said)) {
      return { ...features, parallelToolCalls: false };
    }
    if (features.toolChoice && /tool.?choice/i.test(said)) {
      return { ...features, toolChoice: false };
    }
  }
  const next = options.mayStepDown ? STEPS[features.decisions] : undefined;
  return next?.refusal.test(said) === true ? { ...features, decisions: next.decisions } : undefined;
}

interface Step {
  readonly refusal: RegExp;
  readonly decisions: Features["decisions"];
}

const STEPS: Readonly<Record<Features["decisions"], Step | undefined>> = {
  tools: { refusal: /\btool|function.?call|functions\b/i, decisions: "json_schema" },
  json_schema: {
    refusal: /response_format|json_?schema|structured|grammar|guided/i,
    decisions: "json_object",
  },
  json_object: { refusal: /response_format|json/i, decisions: "text" },
  text: undefined,
};
