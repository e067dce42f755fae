import type { JsonSchema } from "@skillwright/core";
import { encodeJson, isRecord, listOf, parseJson } from "../http/json.ts";
import type { ActionDefinition, ModelCall, ModelRequest } from "../model.ts";

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

/**
 * Tells a model that calls no tools how to decide. Also where the answer is held to a schema: many
 * services only cut the answer to its form and do not show it to the model.
 */
export function systemForText({ system, actions }: ModelRequest): string {
  if (actions.length === 0) return system;
  const instructions = [
    "Answer with exactly one JSON object and nothing else: the property `action` names what to do,",
    "the others are its input. It must match this JSON schema:",
    encodeJson(decisionSchema(actions)),
  ].join("\n");
  return system.trim() === "" ? instructions : `${system}\n\n${instructions}`;
}

type WrittenDecision = Pick<ModelCall, "name" | "input">;

/**
 * The decision that a text is, or that stands in it, in a fence or bare. With prose around, only the
 * last one that names an action counts: an answer may quote JSON.
 */
export function writtenDecision(
  text: string,
  names: readonly string[],
): WrittenDecision | undefined {
  const said = withoutThoughts(text).trim();
  const fences = [...said.matchAll(FENCE)];
  const whole = fences.length === 1 && fences[0]?.[0] === said ? (fences[0][1] ?? "") : said;
  const found = fences.map(([, content = ""]) => decisionIn(content));
  const bare = decisionIn(said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1));
  return (
    decisionIn(whole) ??
    [bare, ...found].findLast((one) => one !== undefined && names.includes(one.name))
  );
}

const FENCE = /^```[a-z]*\n([^]*?)(?:^```|```$(?![^]))/gm;

function decisionIn(text: string): WrittenDecision | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { action, ...input } = value;
  return typeof action === "string" ? { name: action, input } : undefined;
}

function withoutThoughts(text: string): string {
  const end = text.trimStart().startsWith("<think>") ? text.indexOf("</think>") : -1;
  return end === -1 ? text : text.slice(end + "</think>".length);
}
