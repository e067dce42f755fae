import * as z from "zod";
import { type MockFileFailure, readMockFile } from "./read-mock-file.ts";
import { type Rule, ruleSchema } from "./rule.ts";

export type RulesFileResult =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | MockFileFailure;

const rulesSchema = z.object({ rules: z.array(ruleSchema).max(1000) });

export async function readRulesFile(path: string): Promise<RulesFileResult> {
  const read = await readMockFile(path, rulesSchema);
  return read.ok ? { ok: true, rules: read.content.rules } : read;
}
