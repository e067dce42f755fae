import type { Draft } from "../draft.ts";
import { fieldType, valueAmbiguous } from "../rules/field-rules.ts";
import type { YamlScalar } from "../yaml/yaml-node.ts";
import type { KnownKey } from "./known-keys.ts";

/** Dates, base-60 numbers, `yes`/`no`: text to us and in YAML 1.2, something else to older parsers. */
const OTHER_IN_YAML_1_1 =
  /^(?:\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?|[-+]?\d[\d_]*(?::[0-5]?\d)+|[-+]?[\d.]*_[\d_.]*|0b[01_]+|y|yes|n|no|on|off)$/i;

/**
 * The text of a field. A number or boolean counts as what was written in the file and is reported;
 * a missing value, a list or a mapping is no text at all.
 */
export function readText(key: KnownKey, draft: Draft): string | undefined {
  const node = draft.fields.get(key)?.value;
  if (node === undefined) return undefined;
  if (node.kind !== "scalar") {
    const message = `\`${key}\` must be text, but it is a ${node.kind === "map" ? "mapping" : "list"}`;
    draft.report(fieldType, node, { message });
    return undefined;
  }
  if (node.value === null) {
    const message =
      node.source === "" ? "has no value" : `is ${node.source}, which YAML reads as no value`;
    const hint = "give it a value or remove the line";
    draft.report(fieldType, node, { message: `\`${key}\` ${message}`, hint });
    return undefined;
  }
  if (typeof node.value !== "string") {
    const message = `\`${key}\` is the ${typeof node.value} ${node.source}, not text`;
    draft.report(fieldType, node, { message, ...quoteHint(key, node, draft) });
    return node.source;
  }
  if (node.plain && OTHER_IN_YAML_1_1.test(node.source)) {
    const message = `\`${key}: ${node.source}\` is a date, number or boolean to many YAML parsers`;
    draft.report(valueAmbiguous, node, { message, ...quoteHint(key, node, draft) });
  }
  return node.value;
}

function quoteHint(key: string, node: YamlScalar, draft: Draft) {
  const text = JSON.stringify(node.source);
  return { hint: `write ${key}: ${text}`, fix: [{ ...draft.spanOf(node), text }] };
}
