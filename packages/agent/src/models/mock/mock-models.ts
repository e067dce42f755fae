import { estimateTokens, type Failure, knownTokens } from "@skillwright/core";
import { createContext, Script } from "node:vm";
import type {
  Model,
  ModelError,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  ModelView,
} from "../model.ts";
import { CANCELED } from "../usage.ts";
import type { Rule, RuleStep } from "./mock-files.ts";

/** A decision as plain data, or text that is given as it is. */
type JsonAnswer =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly error: ModelError };

const CONTEXT_TOKENS = 1_000_000;

/** A model that is a function: it answers in the `json` protocol and counts what a service would. */
export function jsonModel(
  id: string,
  answer: (request: ModelRequest) => JsonAnswer | Promise<JsonAnswer>,
): Model {
  return {
    id,
    protocol: "json",
    contextTokens: CONTEXT_TOKENS,
    decide: async (request, context = {}) => {
      const started = performance.now();
      if (context.signal?.aborted === true) return failed(CANCELED, request, started);
      const result = await answer(request);
      if (!result.ok) return failed(result.error, request, started);
      const text =
        typeof result.answer === "string" ? result.answer : JSON.stringify(result.answer);
      context.onText?.(text);
      return {
        ok: true,
        message: { text, calls: [] },
        finish: "stop",
        usage: usageOf(request, text),
        latencyMs: performance.now() - started,
      };
    },
  };
}

function failed(error: ModelError, request: ModelRequest, started: number): ModelResponse {
  return {
    ok: false,
    error,
    usage: usageOf(request, ""),
    latencyMs: performance.now() - started,
  };
}

function usageOf({ system, messages }: ModelRequest, answer: string): ModelUsage {
  let inputTokens = knownTokens(system);
  for (const { content } of messages) inputTokens += estimateTokens(content);
  return {
    inputTokens,
    outputTokens: estimateTokens(answer),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    calls: 1,
  };
}

type RulesModelResult = { readonly ok: true; readonly model: Model } | Failure<"rule-invalid">;

type Find = (text: string) => RegExpExecArray | null;

interface ReadyRule {
  readonly find: Find;
  readonly steps: readonly { readonly step: RuleStep; readonly after: Find | undefined }[];
}

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(rules: readonly Rule[]): RulesModelResult {
  const ready: ReadyRule[] = [];
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    let place = `rule ${i + 1}`;
    try {
      const find = finder(pattern, flags);
      const readySteps = steps.map((step, number) => {
        place = `rule ${i + 1}, step ${number + 1}`;
        return { step, after: step.after === undefined ? undefined : finder(step.after, flags) };
      });
      ready.push({ find, steps: readySteps });
    } catch (error) {
      const problem = error instanceof Error ? error.message : "unreadable pattern";
      return { ok: false, code: "rule-invalid", message: `${place}: ${problem}` };
    }
  }
  const answer = ({ view }: ModelRequest) => {
    try {
      return decide(ready, view);
    } catch {
      return noAnswer(`a pattern of the rules took longer than ${MATCH_MS} ms`);
    }
  };
  return { ok: true, model: jsonModel("mock:rules", answer) };
}

/** Works from the view alone, so that a resumed or replayed run gets the same answers. */
function decide(rules: readonly ReadyRule[], { request, steps: done }: ModelView) {
  for (const { find, steps } of rules) {
    const match = find(request);
    if (match === null) continue;
    const step = stepAfter(
      steps,
      done.map(({ observation }) => observation),
    );
    if (step !== undefined) {
      return { ok: true as const, answer: fillCaptures(step.action, match.groups) };
    }
    return noAnswer("the rule for this request has no further step");
  }
  return noAnswer("no rule matches this request");
}

/** Goes through what was observed as the decisions then did, and gives the step that is next. */
function stepAfter(
  steps: ReadyRule["steps"],
  observations: readonly string[],
): RuleStep | undefined {
  let next = 0;
  for (let turn = 0; ; turn++) {
    const last = observations[turn - 1] ?? "";
    while (steps[next]?.after?.(last) === null) next++;
    const found = steps[next++];
    if (found === undefined || turn === observations.length) return found?.step;
  }
}

function noAnswer(message: string) {
  return {
    ok: false as const,
    error: { code: "no-more-answers" as const, message, retryable: false },
  };
}

const MATCH_MS = 500;

/**
 * Matches a pattern, and throws when that takes too long. Nothing foreign is evaluated: `vm` is what Node
 * has to end JavaScript that is under way. Throws a `SyntaxError` for what is no pattern.
 */
function finder(source: string, flags = "iu"): Find {
  const pattern = new RegExp(source, flags);
  // Nothing else can run away, and a context takes longer than the match.
  if (!/[*+{]/.test(source)) return (text) => pattern.exec(text);
  return (text) => {
    const script = new Script("pattern.exec(text)");
    const context = createContext({ pattern, text });
    return script.runInContext(context, { timeout: MATCH_MS }) as RegExpExecArray | null;
  };
}

const CAPTURE = /\$\{(\w{1,64})\}/g;
const MAX_DEPTH = 20;

/**
 * Puts captures in the place of `${name}` in every text of an action. What is put in is data: it is
 * not looked through again and cannot become a key. Unknown names stay as they are.
 */
function fillCaptures(
  value: unknown,
  groups: Readonly<Record<string, string>> | undefined,
  depth = 0,
): unknown {
  if (typeof value === "string") {
    return value.replace(CAPTURE, (whole, name: string) =>
      groups !== undefined && Object.hasOwn(groups, name) ? (groups[name] ?? "") : whole,
    );
  }
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillCaptures(item, groups, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillCaptures(item, groups, depth + 1)]),
  );
}

/** An action as plain data, or text as a model might write it, bad output included. */
export type SequenceEntry = string | Readonly<Record<string, unknown>>;

/** Gives the decisions one after the other; after the last it fails with `no-more-answers`. */
export function createSequenceModel(actions: readonly SequenceEntry[]): Model {
  let next = 0;
  return jsonModel("mock:sequence", () => {
    const answer = actions[next];
    if (answer !== undefined) {
      next++;
      return { ok: true, answer };
    }
    const message = `the sequence has ${actions.length} answers, and all were given`;
    const hint = "End the sequence with a final_answer.";
    return { ok: false, error: { code: "no-more-answers", message, retryable: false, hint } };
  });
}
