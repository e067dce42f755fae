import type { Draft } from "../draft.ts";
import { extraNested, keyMisspelt, keyUnknown, misspeltKey } from "../rules/field-rules.ts";
import type { YamlEntry, YamlNode } from "../yaml/yaml-node.ts";
import { isKnownKey, type KnownKey, meantKey } from "./known-keys.ts";

export interface SortOptions {
  /** Also report keys that have no meaning here. */
  readonly reportUnknown: boolean;
}

/** Puts known entries into `draft.fields` and returns the others, which are kept as they are. */
export function sortEntries(draft: Draft, { reportUnknown }: SortOptions): YamlEntry[] {
  const others: YamlEntry[] = [];
  for (const entry of draft.frontmatter.entries) {
    if (isKnownKey(entry.key)) draft.fields.set(entry.key, entry);
    else others.push(entry);
  }
  return others.filter((entry) => {
    const { surely, perhaps } = meantKey(entry.key);
    if (surely !== undefined) return !takeMisspelt(entry, surely, draft);
    if (reportUnknown) reportUnknownKey(entry, perhaps, draft);
    return true;
  });
}

/** Uses an entry under the key that was meant, unless that one is there too. */
function takeMisspelt(entry: YamlEntry, meant: KnownKey, draft: Draft): boolean {
  const { key, keyStart, keyEnd, value } = entry;
  const span = { start: keyStart, end: keyEnd };
  if (draft.fields.has(meant)) {
    draft.report(keyMisspelt, span, {
      message: `\`${key}\` is ignored: \`${meant}\` is there too`,
      hint: `remove \`${key}\``,
    });
    return false;
  }
  draft.reporter.report(keyMisspelt, misspeltKey(key, meant, draft.spanOf(span)));
  draft.fields.set(meant, { key: meant, keyStart, keyEnd, value });
  return true;
}

function reportUnknownKey(
  { key, keyStart, keyEnd, value }: YamlEntry,
  meant: KnownKey | undefined,
  draft: Draft,
): void {
  const span = { start: keyStart, end: keyEnd };
  if (meant !== undefined && !draft.fields.has(meant)) {
    draft.report(keyMisspelt, span, {
      message: `\`${key}\` is not a known key and is not used`,
      hint: `did you mean \`${meant}\`?`,
    });
  } else if (holdsMap(value)) {
    draft.report(extraNested, span, {
      message: `\`${key}\` holds nested keys, which are kept but not used`,
      hint: "the specification has only flat fields; move text values under `metadata`",
    });
  } else if (!isUsedContext(key, value, draft)) {
    const message =
      key === "context" && draft.fields.has("run-mode")
        ? "`context` is not used: `run-mode` is there too"
        : `\`${key}\` is not a key of the specification`;
    draft.report(keyUnknown, span, { message });
  }
}

/** `context: fork` means `run-mode: subagent`, unless that says something itself. */
function isUsedContext(key: string, value: YamlNode, draft: Draft): boolean {
  const isFork = key === "context" && value.kind === "scalar" && value.value === "fork";
  return isFork && !draft.fields.has("run-mode");
}

function holdsMap(node: YamlNode): boolean {
  return node.kind === "map" || (node.kind === "list" && node.items.some(holdsMap));
}
