import type { JsonSchema } from "@skillwright/core/internal";
import { findJson, withoutThoughts } from "../../actions/read-json.ts";
import { encodeJson, isRecord, listAt } from "../http/json.ts";
import type { ActionDefinition, ModelCall } from "../model.ts";

/** One schema for a decision written as JSON: `{ "action": name, …input }`, for any of the actions. */
export function decisionSchema(actions: readonly ActionDefinition[]): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const alternatives = actions.map(({ name, description, inputSchema }) => {
    const { $schema: _, $defs, ...schema } = inputSchema;
    for (const [key, value] of Object.entries(isRecord($defs) ? $defs : {})) {
      definitions[`${name}.${key}`] = moveReferences(value, name);
    }
    const moved = moveReferences(schema, name);
    const properties = isRecord(moved["properties"]) ? moved["properties"] : {};
    return {
      ...moved,
      description,
      type: "object",
      properties: { action: { type: "string", const: name }, ...properties },
      required: ["action", ...listAt(moved, "required")],
    };
  });
  return {
    type: "object",
    anyOf: alternatives,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

/** The definitions of an action move to the root, under its name. */
function moveReferences(schema: unknown, action: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema), (key, item: unknown) =>
    key === "$ref" && typeof item === "string"
      ? item.replace(/^#\/\$defs\//, `#/$defs/${action}.`)
      : item,
  ) as Record<string, unknown>;
}

/**
 * Tells a model without tools how to decide. Needed even when the answer is constrained to a schema:
 * many services do not show the schema to the model.
 */
export function instructionsFor(schema: JsonSchema): string {
  return [
    "Answer with exactly one JSON object and nothing else: the property `action` names what to do,",
    "the others are its input. It must match this JSON schema:",
    encodeJson(schema),
  ].join("\n");
}

/**
 * The only decision in a text, which may have prose around it if its action has one of these names: an
 * answer may quote JSON.
 */
export function writtenDecision(
  text: string,
  names: readonly string[],
): Pick<ModelCall, "name" | "input"> | undefined {
  const said = withoutThoughts(text).trim().replace(FENCE, "$1").trim();
  const { objects, broken } = findJson(said);
  const [decision, ...others] = objects.filter(({ value }) => typeof value["action"] === "string");
  if (decision === undefined || others.length > 0 || broken.length > 0) return undefined;
  const { action, ...input } = decision.value;
  const isWhole = decision.start === 0 && decision.end === said.length;
  const name = String(action);
  return isWhole || names.includes(name) ? { name, input } : undefined;
}

/** Around the whole text. */
const FENCE = /^```[a-z]*\n([^]*?)\n?```$/;

/** Whether a text that is not a decision was probably meant as one. */
export function resemblesDecision(text: string): boolean {
  const said = withoutThoughts(text);
  return said.includes("{") || /^[ \t>*]*Action:/im.test(said);
}
