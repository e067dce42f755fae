import { estimateTokens, type Failure, knownTokens } from "@skillwright/core";
import { plural } from "@skillwright/core/internal";
import { createContext, Script } from "node:vm";
import type { Model, ModelError, ModelRequest, ModelUsage, ModelView } from "./model.ts";
import { CANCELED, NO_USAGE } from "./usage.ts";
import type { Rule, RuleStep } from "./mock-file.ts";

/** A decision as plain data, or text that is passed on as it is. */
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
    decide: async (request, { signal, onText } = {}) => {
      const started = performance.now();
      const result: JsonAnswer =
        signal?.aborted === true ? { ok: false, error: CANCELED } : await answer(request);
      const given = result.ok ? result.answer : "";
      const text = typeof given === "string" ? given : JSON.stringify(given);
      if (result.ok) onText?.(text);
      const outcome = result.ok
        ? ({ ok: true, message: { text, calls: [] }, finish: "stop" } as const)
        : result;
      const latencyMs = performance.now() - started;
      return { ...outcome, usage: usageOf(request, text), latencyMs };
    },
  };
}

function usageOf({ system, messages }: ModelRequest, answer: string): ModelUsage {
  const counts = messages.map(({ content }) => estimateTokens(content));
  const inputTokens = counts.reduce((sum, count) => sum + count, knownTokens(system));
  return { ...NO_USAGE, inputTokens, outputTokens: estimateTokens(answer), calls: 1 };
}

export type RulesModelResult =
  | { readonly ok: true; readonly model: Model }
  | Failure<"rule-invalid">;

type Find = (text: string) => RegExpExecArray | null;

interface ReadyRule {
  readonly find: Find;
  readonly steps: readonly (Pick<RuleStep, "action"> & { readonly after: Find | undefined })[];
}

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(rules: readonly Rule[]): RulesModelResult {
  const ready: ReadyRule[] = [];
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    let place = `rule ${i + 1}`;
    try {
      const find = finder(pattern, flags);
      const readySteps = steps.map(({ action, after }, number) => {
        place = `rule ${i + 1}, step ${number + 1}`;
        return { action, after: after === undefined ? undefined : finder(after, flags) };
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
function decide(rules: readonly ReadyRule[], { request, steps: done }: ModelView): JsonAnswer {
  for (const { find, steps } of rules) {
    const match = find(request);
    if (match === null) continue;
    const observations = done.map(({ observation }) => observation);
    const action = actionAfter(steps, observations);
    if (action === undefined) return noAnswer("the rule for this request has no further step");
    return { ok: true, answer: fillCaptures(action, match.groups) };
  }
  return noAnswer("no rule matches this request");
}

/** Repeats the choices of earlier turns, and returns the action of the next one. */
function actionAfter(
  steps: ReadyRule["steps"],
  observations: readonly string[],
): RuleStep["action"] | undefined {
  let next = 0;
  for (let turn = 0; ; turn++) {
    const last = observations[turn - 1] ?? "";
    while (steps[next]?.after?.(last) === null) next++;
    const found = steps[next++];
    if (found === undefined || turn === observations.length) return found?.action;
  }
}

function noAnswer(message: string, hint?: string): JsonAnswer {
  const error = { code: "no-more-answers", message, retryable: false } as const;
  return { ok: false, error: hint === undefined ? error : { ...error, hint } };
}

const MATCH_MS = 500;

/**
 * Matches a pattern, and throws when that takes too long. Nothing foreign is evaluated: `vm` is Node's
 * only way to interrupt running JavaScript. Throws a `SyntaxError` for an invalid pattern.
 */
function finder(source: string, flags = "iu"): Find {
  const pattern = new RegExp(source, flags);
  // Without these the match is quick, and quicker than making a context.
  if (!/[*+{]/.test(source)) return (text) => pattern.exec(text);
  return (text) => {
    const script = new Script("pattern.exec(text)");
    const context = createContext({ pattern, text });
    return script.runInContext(context, { timeout: MATCH_MS }) as RegExpExecArray | null;
  };
}

/**
 * Replaces `${name}` by captures in every text of an action. A capture is data: it is not scanned again
 * and cannot become a key. Unknown names stay as they are.
 */
function fillCaptures(action: RuleStep["action"], groups: Readonly<Record<string, string>> = {}) {
  return JSON.parse(JSON.stringify(action), (_, item: unknown) =>
    typeof item !== "string"
      ? item
      : item.replace(/\$\{(\w{1,64})\}/g, (whole, name: string) =>
          Object.hasOwn(groups, name) ? (groups[name] ?? "") : whole,
        ),
  ) as unknown;
}

/** An action as plain data, or text as a model might write it, bad output included. */
export type SequenceEntry = string | Readonly<Record<string, unknown>>;

/** Returns the decisions one after the other; after the last it fails with `no-more-answers`. */
export function createSequenceModel(actions: readonly SequenceEntry[]): Model {
  let next = 0;
  return jsonModel("mock:sequence", () => {
    const answer = actions[next++];
    if (answer !== undefined) return { ok: true, answer };
    const message = `the sequence has ${plural(actions.length, "answer")}, and all were given`;
    return noAnswer(message, "End the sequence with a final_answer.");
  });
}

/** The embedded default: a program, not a language model. Deterministic, and needs no network. */
export function createOfflineModel(): Model {
  return jsonModel("offline:skillwright", async ({ view }) => {
    const { decide: decideOffline } = await import("./offline/decide.ts");
    return { ok: true, answer: decideOffline(view) };
  });
}
