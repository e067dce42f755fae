import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from "js-yaml";
import type { YamlPrimitive } from "./yaml-node.ts";

const IMPLICIT_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];
const NOT_TEXT_STARTS = new Set("~nNtTfF0123456789+-.");

/** The value of an unquoted scalar under the YAML core schema, as js-yaml resolves it. */
export function resolvePlain(source: string): YamlPrimitive {
  if (source !== "" && !NOT_TEXT_STARTS.has(source.charAt(0))) return source;
  for (const tag of IMPLICIT_TAGS) {
    const value = tag.resolve(source, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return source;
}
