import type { InputSchema } from "../../tools/skill-tool.ts";

/** A tool's schema as an object of its own, which a framework may change. */
export type PlainSchema = {
  type: "object";
  properties: Record<string, unknown>;
  required?: string[];
  additionalProperties?: boolean;
};

export function plainSchema(schema: InputSchema): PlainSchema {
  return structuredClone(schema) as PlainSchema;
}
