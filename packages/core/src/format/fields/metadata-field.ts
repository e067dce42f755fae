import type { Draft } from "../draft.ts";
import { extraNested, fieldType, metadataValue } from "../rules/field-rules.ts";
import { type YamlEntry, type YamlValue, yamlValue } from "../yaml/yaml-node.ts";

export interface MetadataField {
  readonly metadata: Record<string, string>;
  /** What is no text and therefore no metadata, kept under `extra.metadata`. */
  readonly nested: YamlValue | undefined;
}

export function readMetadata(draft: Draft): MetadataField {
  const node = draft.fields.get("metadata")?.value;
  if (node === undefined) return { metadata: {}, nested: undefined };
  if (node.kind !== "map") {
    const empty = node.kind === "scalar" && node.value === null;
    draft.report(fieldType, node, {
      message: empty ? "`metadata` has no value" : `\`metadata\` must be a mapping of text to text`,
    });
    return { metadata: {}, nested: empty ? undefined : yamlValue(node) };
  }
  const metadata: Record<string, string> = {};
  const nested: Record<string, YamlValue> = {};
  for (const entry of node.entries) {
    const text = metadataText(entry, draft);
    if (text === undefined) nested[entry.key] = yamlValue(entry.value);
    else metadata[entry.key] = text;
  }
  return { metadata, nested: Object.keys(nested).length === 0 ? undefined : nested };
}

function metadataText(
  { key, keyStart, keyEnd, value }: YamlEntry,
  draft: Draft,
): string | undefined {
  if (value.kind !== "scalar") {
    draft.report(
      extraNested,
      { start: keyStart, end: keyEnd },
      {
        message: `\`metadata.${key}\` is nested; it is kept but not used`,
        hint: "metadata holds text values; write lists as one comma-separated text",
      },
    );
    return undefined;
  }
  if (typeof value.value !== "string") {
    const type = value.value === null ? "empty" : `a ${typeof value.value}`;
    const text = JSON.stringify(value.source);
    draft.report(metadataValue, value.source === "" ? { start: keyStart, end: keyEnd } : value, {
      message: `\`metadata.${key}\` is ${type}, read as the text ${text}`,
      hint: `write ${key}: ${text}`,
      ...(value.value === null ? undefined : { fix: [{ ...draft.spanOf(value), text }] }),
    });
  }
  return value.source;
}
