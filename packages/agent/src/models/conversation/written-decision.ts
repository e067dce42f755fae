import { encodeJson, isRecord, parseJson } from "../http/json.ts";
import type { ModelCall, ModelRequest } from "../model.ts";
import { decisionSchema } from "./decision-schema.ts";

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

/** The decision that a text is, as a call. Undefined when it is something else. */
export function writtenDecision(text: string, id: string): ModelCall | undefined {
  const value = parseJson(withoutFence(withoutThoughts(text).trim()));
  if (!isRecord(value)) return undefined;
  const { action, ...input } = value;
  return typeof action === "string" ? { id, name: action, input } : undefined;
}

function withoutThoughts(text: string): string {
  const end = text.trimStart().startsWith("<think>") ? text.indexOf("</think>") : -1;
  return end === -1 ? text : text.slice(end + "</think>".length);
}

function withoutFence(text: string): string {
  const start = text.indexOf("\n");
  const isFenced = start !== -1 && text.startsWith("```") && text.endsWith("```");
  return isFenced ? text.slice(start, -3) : text;
}
