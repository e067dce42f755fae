import type { JsonSchema } from "@skillwright/core";
import { findJson } from "../../actions/read-json.ts";
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
 * The decision that a text is, or that it has in a fence. With prose around the fence, only the last
 * one that names an action counts: an answer may quote JSON. Without a fence it has to be the only one.
 */
export function writtenDecision(
  text: string,
  names: readonly string[],
): WrittenDecision | undefined {
  const said = withoutThoughts(text).trim();
  const fences = [...said.matchAll(FENCE)];
  const whole = fences.length === 1 && fences[0]?.[0] === said ? (fences[0][1] ?? "") : said;
  const found = fences.map(([, content = ""]) => decisionIn(content));
  return (
    decisionIn(whole) ??
    found.findLast((decision) => decision !== undefined && names.includes(decision.name)) ??
    onlyDecisionIn(said, names)
  );
}

function onlyDecisionIn(text: string, names: readonly string[]): WrittenDecision | undefined {
  const { objects, broken } = findJson(text);
  const [decision, ...others] = objects.flatMap(({ value }) => decisionOf(value) ?? []);
  const isClear = others.length === 0 && broken.length === 0;
  return isClear && decision !== undefined && names.includes(decision.name) ? decision : undefined;
}

/** Whether a text that is no decision was probably meant as one. */
export function resemblesDecision(text: string): boolean {
  const said = withoutThoughts(text);
  return said.includes("{") || ACTION_LINE.test(said);
}

const ACTION_LINE = /^[ \t>*]*Action:/im;

const FENCE = /^```[a-z]*\n([^]*?)(?:^```|```$(?![^]))/gm;

function decisionIn(text: string): WrittenDecision | undefined {
  return decisionOf(parseJson(text));
}

function decisionOf(value: unknown): WrittenDecision | undefined {
  if (!isRecord(value)) return undefined;
  const { action, ...input } = value;
  return typeof action === "string" ? { name: action, input } : undefined;
}

function withoutThoughts(text: string): string {
  const end = text.trimStart().startsWith("<think>") ? text.indexOf("</think>") : -1;
  return end === -1 ? text : text.slice(end + "</think>".length);
}
