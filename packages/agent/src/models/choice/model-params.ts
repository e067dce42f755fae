import type { Failure } from "@skillwright/core";
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
  maxOutputTokens: tokens.optional(),
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
  return {
    ok: false,
    code: "invalid-model-params",
    message:
      unknown.length > 0
        ? `model.params does not know ${unknown.join(", ")}`
        : `model.params.${path} is not of the form it must have`,
    hint: isKey
      ? "Keys are not kept in the configuration: use keyVariable or keyCommand (an array)."
      : `It knows ${Object.keys(schema.shape).join(", ")}.`,
  };
}
