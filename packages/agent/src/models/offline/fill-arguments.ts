import { Filling } from "./filling.ts";
import type { SaidNumber } from "./find-numbers.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Slot, UsagePart } from "./usage.ts";

export interface FilledArguments {
  readonly args: readonly string[];
  /** Names of what the request does not say. */
  readonly missing: readonly string[];
  /** How many values of the request are used. */
  readonly used: number;
  /** How many of them are in places that cannot be left out. */
  readonly required: number;
  /** Numbers that belong in it and cannot be read for sure; the call must not be made with a part of one. */
  readonly unclear: readonly SaidNumber[];
}

/** Fills a documented call from a request. Example values and placeholders are never passed on. */
export function fillArguments(parts: readonly UsagePart[], facts: RequestFacts): FilledArguments {
  const filling = new Filling(facts);
  const missing: string[] = [];
  const { args, required } = fillParts(parts, filling, missing);
  const unclear = [...filling.unclear.values()];
  return { args, missing, used: filling.used.size + unclear.length, required, unclear };
}

function fillParts(parts: readonly UsagePart[], filling: Filling, missing: string[]) {
  const args: string[] = [];
  let required = 0;
  for (const part of parts) {
    if (part.kind === "literal") args.push(part.text);
    else if (part.kind === "optional") args.push(...fillOptional(part.parts, filling));
    else if (part.kind === "option") {
      const values = filling.take(part.value, true);
      required += values.length;
      const [value = part.value.usual] = values;
      if (value !== undefined) args.push(...joined(part.flag, value, part.join));
      else if (needed(part.value) && !filling.isUnclear) missing.push(part.value.name);
    } else {
      const values = filling.take(part, false);
      required += values.length;
      if (values.length === 0 && !filling.isUnclear) missing.push(part.name);
      args.push(...values);
    }
  }
  return { args, required };
}

/** All of it or nothing; a mere flag only when the request has its word. */
function fillOptional(parts: readonly UsagePart[], filling: Filling): string[] {
  const args: string[] = [];
  for (const part of parts) {
    if (part.kind === "literal") {
      if (!filling.mentions(part.text)) return [];
      args.push(part.text);
    } else if (part.kind === "option") {
      const [value] = filling.take(part.value, true);
      if (value === undefined) return [];
      args.push(...joined(part.flag, value, part.join));
    } else if (part.kind === "slot") {
      const values = filling.take(part, false);
      if (values.length === 0) return [];
      args.push(...values);
    } else args.push(...fillOptional(part.parts, filling));
  }
  return args;
}

function joined(flag: string, value: string, join: " " | "="): string[] {
  return join === "=" ? [`${flag}=${value}`] : [flag, value];
}

/** An option outside of brackets that gives what is worked on. */
function needed({ type, isExample }: Slot): boolean {
  if (isExample === true) return false;
  return ["file", "text", "url", "email", "any", "from", "to", "word"].includes(type);
}
