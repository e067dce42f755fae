import * as z from "zod";

/** One answer of a rule: the decision, and the last observation that it waits for. */
const ruleStepSchema = z.object({
  action: z.union([z.string(), z.record(z.string(), z.unknown())]),
  after: z.string().max(1000).optional(),
});

/**
 * What to do for requests that `pattern` matches. The steps are taken in turn; one with `after` is
 * only taken when the last observation matches that, and is passed over otherwise.
 */
export const ruleSchema = z.object({
  pattern: z.string().min(1).max(1000),
  /** Of regular expressions: `i`, `s`, `m`, `u`. Default: `iu`. */
  flags: z
    .string()
    .regex(/^[ismu]{0,4}$/)
    .optional(),
  steps: z.array(ruleStepSchema).min(1).max(1000),
});

export type Rule = z.infer<typeof ruleSchema>;
export type RuleStep = z.infer<typeof ruleStepSchema>;
