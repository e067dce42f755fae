import { type Failure, nearNames } from "@skillwright/core";
import { quoteLine } from "@skillwright/core/internal";
import * as z from "zod";

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
export function readModelParams(value: Readonly<Record<string, unknown>>): ModelParamsResult {
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
export function readGivenParams(texts: readonly string[]): GivenParamsResult {
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
