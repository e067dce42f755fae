import { defined } from "@skillwright/core/internal";
import type { ModelProtocol, Sampling } from "../model.ts";

/** Output limits as the providers document them; the first match counts. */
const OUTPUT_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/^claude-3-(?:opus|sonnet|haiku)/, 4096],
  [/^claude-3-5/, 8192],
  [/^claude-opus-4(?:-[01])?(?:-20\d{6}|@|$)/, 32_000],
  [/^claude-(?:3-7|(?:opus|sonnet|haiku)-4-5|sonnet-4(?:-0)?(?:-20\d{6}|@|$))/, 64_000],
  [/^claude-/, 128_000],
  [/^gpt-4\.1/, 32_768],
  [/^gpt-4o|^chatgpt-4o/, 16_384],
  [/^gpt-(?:3\.5|4)/, 4096],
  [/^gpt-[5-9]/, 128_000],
  [/^o[1-9]/, 100_000],
  [/^gemini-(?:1|2\.0)/, 8192],
  [/^gemini-/, 65_536],
];

const UNKNOWN_OUTPUT_LIMIT = 16_384;

/** What a model was set up with. */
export interface Settings {
  readonly provider: string;
  readonly model: string;
  readonly protocol: ModelProtocol;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly acceptsImages: boolean;
  /** Without unset values. */
  readonly sampling: Sampling;
  readonly stream: boolean;
}

type GivenSettings = Pick<Settings, "provider" | "model" | "contextTokens"> & Partial<Settings>;

/** Throws a `TypeError` for sampling values that no model takes. */
export function settingsOf(given: GivenSettings): Settings {
  const { provider, model, contextTokens } = given;
  const { protocol = "tools", acceptsImages = true, stream = true } = given;
  const sampling = defined(given.sampling ?? {});
  for (const [name, [isGood, text]] of Object.entries(RANGES)) {
    const value = sampling[name as keyof Sampling];
    if (value !== undefined && !(typeof value === "number" && isGood(value))) {
      throw new TypeError(`${name} must be ${text}`);
    }
  }
  const maxOutputTokens = sampling.maxOutputTokens ?? outputLimit(model, contextTokens);
  const tokens = { contextTokens, maxOutputTokens };
  return { provider, model, protocol, ...tokens, acceptsImages, sampling, stream };
}

function outputLimit(model: string, contextTokens: number): number {
  // Gateways put the maker first: `anthropic/claude-sonnet-4-5`, `us.anthropic.claude-sonnet-4-5`.
  const name = model.toLowerCase().replace(/^.*(?:\/|\.(?=claude-))/, "");
  const known = OUTPUT_LIMITS.find(([pattern]) => pattern.test(name))?.[1];
  return Math.min(known ?? UNKNOWN_OUTPUT_LIMIT, Math.max(1, Math.floor(contextTokens / 2)));
}

type Range = readonly [isGood: (value: number) => boolean, text: string];

const RANGES: Readonly<Record<string, Range>> = {
  temperature: [(value) => value >= 0 && value <= 2, "a number from 0 to 2"],
  topP: [(value) => value >= 0 && value <= 1, "a number from 0 to 1"],
  seed: [Number.isSafeInteger, "an integer"],
  maxOutputTokens: [(value) => Number.isSafeInteger(value) && value >= 1, "an integer from 1"],
};

const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};

/** Claude up to 4.5 and Gemini up to 2.5 take a number of tokens for thinking, later models an effort. */
const TAKES_BUDGET =
  /^(?:claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-20\d{6}|@|$))|gemini-[12]\b)/;

/**
 * The tokens for thinking; undefined for models that take an effort. Throws a `TypeError` for an effort
 * without a number.
 */
export function thinkingBudget(model: string, effort: string): number | undefined {
  if (!TAKES_BUDGET.test(model)) return undefined;
  const budget = Object.hasOwn(BUDGETS, effort) ? BUDGETS[effort] : undefined;
  if (budget !== undefined) return budget;
  throw new TypeError(`reasoningEffort must be one of ${Object.keys(BUDGETS).join(", ")}`);
}
