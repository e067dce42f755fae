import type { Parameter } from "./parameter.ts";

/** A value as its parameter wants it, where it is obvious what was meant; otherwise undefined. */
export function coerceParameter(value: unknown, parameter: Parameter): unknown {
  switch (parameter.type) {
    case "string":
      return coerceText(value);
    case "boolean":
      return coerceBoolean(value);
    case "strings":
      return coerceTexts(value);
    case "words":
      return Array.isArray(value) || listFromText(value) ? coerceTexts(value) : coerceText(value);
    default:
      return coerceInteger(value, parameter.minimum, parameter.maximum);
  }
}

/** How a parameter is told to a model: "an integer from 1 on". */
export function expectationOf(parameter: Parameter): string {
  switch (parameter.type) {
    case "string":
    case "words":
      return "a string";
    case "boolean":
      return "true or false";
    case "strings":
      return "a list of strings";
    default:
      return `an integer from ${parameter.minimum} on`;
  }
}

function coerceText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isPlain = typeof value === "boolean" || (typeof value === "number" && isFinite(value));
  return isPlain ? String(value) : undefined;
}

function coerceBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  return word === "true" ? true : word === "false" ? false : undefined;
}

function coerceInteger(value: unknown, minimum: number, maximum = Infinity): number | undefined {
  const isWritten = typeof value === "string" && /^\s*\+?\d{1,15}\s*$/.test(value);
  const number = isWritten ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return undefined;
  return number < minimum ? undefined : Math.min(number, maximum);
}

/** One value stands for a list of it; a list may also come as its JSON text. */
function coerceTexts(value: unknown): readonly string[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : (listFromText(value) ?? [value]);
  const texts = list.map(coerceText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function listFromText(value: unknown): unknown[] | undefined {
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
