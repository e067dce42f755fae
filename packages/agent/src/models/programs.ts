import { type Failure } from "@skillwright/core";
import { estimateTokens, knownTokens, defined, plural } from "@skillwright/core/internal";
import { createContext, Script } from "node:vm";
import type { Model, ModelError, ModelRequest, ModelView } from "./model.ts";
import { CANCELED, NO_USAGE } from "./usage.ts";

/** A decision as plain data, or text that is passed on as it is. */
type Answer = { readonly answer: unknown } | { readonly error: ModelError };

const CONTEXT_TOKENS = 1_000_000;

/** A model that is a function: it answers in the `json` protocol and counts what a service would. */
function jsonModel(id: string, answer: (request: ModelRequest) => Answer | Promise<Answer>): Model {
  return {
    id,
    protocol: "json",
    contextTokens: CONTEXT_TOKENS,
    decide: async (request, { signal, onText } = {}) => {
      const started = performance.now();
      const given = signal?.aborted === true ? { error: CANCELED } : await answer(request);
      const decision = "error" in given ? "" : given.answer;
      const text = typeof decision === "string" ? decision : JSON.stringify(decision);
      const sent = request.messages.map(({ content }) => estimateTokens(content));
      const inputTokens = sent.reduce((sum, count) => sum + count, knownTokens(request.system));
      const usage = { ...NO_USAGE, inputTokens, outputTokens: estimateTokens(text), calls: 1 };
      const latencyMs = performance.now() - started;
      if ("error" in given) return { ok: false, error: given.error, usage, latencyMs };
      onText?.(text);
      return { ok: true, message: { text, calls: [] }, finish: "stop", usage, latencyMs };
    },
  };
}

interface RuleStep {
  /** A decision as plain data, or text as a model might write it. */
  readonly action: string | Readonly<Record<string, unknown>>;
  /** Passed over unless the last observation matches it. */
  readonly after?: string | undefined;
}

/** What to do for requests that `pattern` matches: the steps in turn. */
interface Rule {
  readonly pattern: string;
  /** Of regular expressions: `i`, `s`, `m`, `u`. Default: `iu`. */
  readonly flags?: string | undefined;
  readonly steps: readonly RuleStep[];
}

export type RulesModelResult =
  | { readonly ok: true; readonly model: Model }
  | Failure<"rule-invalid">;

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(rules: readonly Rule[]): RulesModelResult {
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    for (const [number, source] of [pattern, ...steps.map(({ after }) => after)].entries()) {
      try {
        patternOf(source ?? "", flags);
      } catch (error) {
        const place = `rule ${i + 1}${number === 0 ? "" : `, step ${number}`}`;
        const problem = error instanceof Error ? error.message : "unreadable pattern";
        return { ok: false, code: "rule-invalid", message: `${place}: ${problem}` };
      }
    }
  }
  const answer = ({ view }: ModelRequest) => {
    try {
      return decide(rules, view);
    } catch {
      return noAnswer(`a pattern of the rules took longer than ${MATCH_MS} ms`);
    }
  };
  return { ok: true, model: jsonModel("mock:rules", answer) };
}

/** Works from the view alone, so that a resumed or replayed run gets the same answers. */
function decide(rules: readonly Rule[], { request, steps: done }: ModelView): Answer {
  for (const rule of rules) {
    const match = find(rule.pattern, rule.flags, request);
    if (match === null) continue;
    const observations = done.map(({ observation }) => observation);
    const action = actionAfter(rule, observations);
    if (action === undefined) return noAnswer("the rule for this request has no further step");
    return { answer: fillCaptures(action, match.groups) };
  }
  return noAnswer("no rule matches this request");
}

/** Repeats the choices of earlier turns, and returns the action of the next one. */
function actionAfter({ steps, flags }: Rule, observations: readonly string[]) {
  let next = 0;
  for (let turn = 0; ; turn++) {
    const last = observations[turn - 1] ?? "";
    const isNext = ({ after }: RuleStep, at: number) =>
      at >= next && (after === undefined || find(after, flags, last) !== null);
    next = steps.findIndex(isNext) + 1;
    const found = steps[next - 1];
    if (found === undefined || turn === observations.length) return found?.action;
  }
}

function noAnswer(message: string, hint?: string): Answer {
  return { error: { code: "no-more-answers", message, retryable: false, ...defined({ hint }) } };
}

function patternOf(source: string, flags = "iu"): RegExp {
  return new RegExp(source, flags);
}

const MATCH_MS = 500;

/**
 * Matches a pattern, and throws when that takes too long. Nothing foreign is evaluated: `vm` is Node's
 * only way to interrupt running JavaScript.
 */
function find(source: string, flags: string | undefined, text: string): RegExpExecArray | null {
  const pattern = patternOf(source, flags);
  // Without these the match is quick, and quicker than making a context.
  if (!/[*+{]/.test(source)) return pattern.exec(text);
  const context = createContext({ pattern, text });
  const script = new Script("pattern.exec(text)");
  return script.runInContext(context, { timeout: MATCH_MS }) as RegExpExecArray | null;
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
    if (answer !== undefined) return { answer };
    const message = `the sequence has ${plural(actions.length, "answer")}, and all were given`;
    return noAnswer(message, "End the sequence with a final_answer.");
  });
}

/** The embedded default: a program, not a language model. Deterministic, and needs no network. */
export function createOfflineModel(): Model {
  return jsonModel("offline:skillwright", async ({ view }) => {
    const { decide: decideOffline } = await import("./offline/decide.ts");
    return { answer: decideOffline(view) };
  });
}
