import * as z from "zod";

const words = z.string().min(1).max(10_000);
const name = z.string().min(1).max(200);
const common = {
  not: z.boolean().optional().describe("Negates the check."),
  label: z.string().max(1000).optional().describe("The sentence shown for the check."),
};

const path = words.describe("In the working directory; a glob such as `out/*.pdf`.");

export const checkSchema = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("contains"),
      value: words,
      ignoreCase: z.boolean().optional(),
      ...common,
    }),
    z.strictObject({ type: z.literal("equals"), value: z.string().max(100_000), ...common }),
    z.strictObject({
      type: z.literal("regex"),
      pattern: z.string().min(1).max(4000),
      flags: z.string().max(8).optional(),
      ...common,
    }),
    z.strictObject({
      type: z.literal("json-schema"),
      schema: z.unknown(),
      file: words.optional().describe("A file instead of the answer."),
      ...common,
    }),
    z.strictObject({
      type: z.literal("json-path"),
      path: words.describe("Such as $.rows[0].total"),
      equals: z.unknown().optional(),
      file: words.optional(),
      ...common,
    }),
    z.strictObject({ type: z.literal("file-exists"), path, ...common }),
    z.strictObject({ type: z.literal("file-contains"), path, value: words, ...common }),
    z.strictObject({
      type: z.literal("file-equals"),
      path,
      value: z.string().max(1_000_000),
      ...common,
    }),
    z.strictObject({
      type: z.literal("file-hash"),
      path,
      sha256: z.string().regex(/^[0-9a-fA-F]{64}$/),
      ...common,
    }),
    z.strictObject({
      type: z.literal("number"),
      value: z.number(),
      tolerance: z.number().min(0).default(0),
      pattern: z.string().max(4000).optional().describe("Captures the number."),
      ...common,
    }),
    z.strictObject({
      type: z.literal("script"),
      file: words.describe("A program in the folder of the case; it runs in the sandbox."),
      args: z.array(z.string().max(10_000)).max(100).optional(),
      ...common,
    }),
  ])
  .describe("A check that needs no model.");

const skillsSchema = z
  .union([
    name.describe("The skill that is used, or `none`."),
    z.array(name).max(100),
    z.strictObject({
      used: z.array(name).max(100).optional().describe("Each of these is selected."),
      unused: z.array(name).max(100).optional().describe("None of these is."),
      only: z.boolean().optional().describe("No skill beside `used`."),
    }),
  ])
  .describe("Which skills are selected: none, some, or { used, unused, only }.");

const expectedSchema = z.strictObject({
  skills: skillsSchema.optional(),
  sequence: z
    .union([words, z.array(words).max(200)])
    .optional()
    .describe("Lines of the sequence language, such as `select pdf before run pdf/*`."),
  output: z
    .union([words, z.array(z.union([words, checkSchema])).max(200), checkSchema])
    .optional()
    .describe("What the answer contains, or checks."),
  statements: z
    .union([words, z.array(words).max(200)])
    .optional()
    .describe("In words, for a person or a judge."),
  unjudged: z
    .union([words, z.array(words).max(200)])
    .optional()
    .describe(
      "Expectations that cannot be checked here, such as those an import left over. The case never passes.",
    ),
});

const count = z.int().min(0).max(1e9);

const constraintsSchema = z.strictObject({
  maxTurns: count.optional(),
  maxToolCalls: count.optional(),
  maxScripts: count.optional(),
  maxTokens: count.optional(),
  maxTime: z.union([z.number().positive(), z.string()]).optional().describe("Seconds, or `500ms`."),
  maxCost: z.number().min(0).optional().describe("US dollars."),
  forbiddenTools: z.array(name).max(200).optional(),
  requiredTools: z.array(name).max(200).optional(),
});

const shared = {
  constraints: constraintsSchema.optional(),
  trials: z.int().min(1).max(1000).optional(),
  timeout: z
    .union([z.number().positive(), z.string()])
    .optional()
    .describe("Seconds, or a text such as `500ms` or `2m`."),
  tags: z.array(name).max(100).optional(),
};

/** One case of our own format. */
export const caseSchema = z.strictObject({
  id: z.union([name, z.int()]).optional(),
  title: z.string().max(1000).optional(),
  input: z.string().min(1).max(100_000).describe("The request, as a person would type it."),
  files: z
    .array(
      z.union([
        words,
        z.strictObject({
          path: words.optional().describe("In the working directory."),
          from: words.optional().describe("Where it is copied from, beside the case file."),
          content: z.string().max(1_000_000).optional(),
        }),
      ]),
    )
    .max(100)
    .optional(),
  expected: expectedSchema.optional(),
  mock: z
    .strictObject({
      actions: z
        .array(
          z.union([
            z.string().max(100_000).describe("Raw model output, which may be invalid."),
            z.looseObject({ action: name }),
          ]),
        )
        .min(1)
        .max(1000),
    })
    .optional()
    .describe("Decisions that replace the model's."),
  ...shared,
});

export type CaseInput = z.infer<typeof caseSchema>;
export type CheckInput = z.infer<typeof checkSchema>;

/** A file of cases. Each case is read on its own, so that an invalid one does not affect the others. */
export const suiteSchema = z.strictObject({
  $schema: z.string().optional(),
  skill: name.optional().describe("The skill that the cases are about."),
  importedFrom: words
    .optional()
    .describe("The file that `eval import` made this one from, relative to it."),
  defaults: z.strictObject(shared).optional().describe("Apply to cases that do not set them."),
  cases: z.array(z.unknown()).max(100_000),
});

/** The JSON schema of a file of cases, for editors. */
export function casesJsonSchema(): Record<string, unknown> {
  const suite = suiteSchema.extend({ cases: z.array(caseSchema) });
  const file = z.union([suite, z.array(caseSchema), caseSchema]);
  const schema = z.toJSONSchema(file, { target: "draft-2020-12", io: "input", reused: "ref" });
  const title = "Skillwright eval cases";
  const description = "Cases in .agent/evals, or in the evals folder of a skill.";
  return { ...schema, title, description };
}

/** The text of `schema/eval-cases.schema.json`. */
export function casesSchemaText(): string {
  return `${JSON.stringify(casesJsonSchema(), null, 2)}\n`;
}
