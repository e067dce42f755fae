import type { JsonSchema } from "@skillwright/core";
import * as z from "zod";
import { findJson } from "../actions/read-json.ts";
import type { AnswerCheck } from "../loop/drive-run.ts";

/** Whether an answer is JSON that fits the schema of the host; fences and prose around it do not matter. */
export function checkAnswer(answer: string, schema: JsonSchema): AnswerCheck {
  const parsed = parse(answer);
  if (parsed === undefined) {
    return {
      ok: false,
      problem: `The answer has to be JSON that fits this schema: ${JSON.stringify(schema)}`,
    };
  }
  const checked = z.fromJSONSchema(schema).safeParse(parsed.value);
  if (checked.success) return { ok: true, output: checked.data };
  const issues = checked.error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, problem: `The answer does not fit the schema: ${issues.join("; ")}.` };
}

function parse(answer: string): { readonly value: unknown } | undefined {
  const bare = answer.trim().replace(/^```\w*\s*([^]*?)\s*```$/, "$1");
  try {
    return { value: JSON.parse(bare) as unknown };
  } catch {
    const { objects } = findJson(answer);
    return objects.length === 1 && objects[0] ? { value: objects[0].value } : undefined;
  }
}
