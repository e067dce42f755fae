import * as z from "zod";

const evidenceSchema = z
  .string()
  .describe("What it rests on, with the words quoted, in a few sentences.")
  .refine((text) => text.trim() !== "");

export const statementSchema = z.strictObject({
  evidence: evidenceSchema,
  passed: z.boolean().describe("Whether the statement holds."),
});

export const preferenceSchema = z.strictObject({
  evidence: evidenceSchema,
  winner: z.enum(["first", "second", "tie"]).describe("The better answer."),
});

/** The same as JSON schema, without the address of its dialect. */
export function jsonSchemaOf(schema: z.ZodType) {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema);
  return jsonSchema;
}
