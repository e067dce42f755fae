import type { JsonSchema } from "@skillwright/core";
import { isRecord, listOf } from "../http/json.ts";
import type { ActionDefinition } from "../model.ts";

/** One schema for a decision written as JSON: `{ "action": name, …input }`, for any of the actions. */
export function decisionSchema(actions: readonly ActionDefinition[]): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const alternatives = actions.map(({ name, description, inputSchema }) => {
    const { $schema: _, $defs, ...schema } = inputSchema;
    for (const [key, value] of Object.entries(isRecord($defs) ? $defs : {})) {
      definitions[`${name}.${key}`] = moveReferences(value, name);
    }
    const moved = moveReferences(schema, name) as Record<string, unknown>;
    const properties = isRecord(moved["properties"]) ? moved["properties"] : {};
    return {
      ...moved,
      description,
      type: "object",
      properties: { action: { type: "string", const: name }, ...properties },
      required: ["action", ...listOf(moved["required"])],
    };
  });
  return {
    type: "object",
    anyOf: alternatives,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

/** The definitions of an action move to the root, under its name. */
function moveReferences(value: unknown, action: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => moveReferences(item, action));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && typeof item === "string"
        ? item.replace(/^#\/\$defs\//, `#/$defs/${action}.`)
        : moveReferences(item, action),
    ]),
  );
}
