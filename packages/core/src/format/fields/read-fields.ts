import type { Mutable } from "../diagnostic.ts";
import {
  createLocator,
  type Draft,
  type ParsedSkill,
  type RunMode,
  type SkillMetadata,
} from "../draft.ts";
import {
  allowedToolsUnreadable,
  controlInvalid,
  extraNested,
  fieldType,
  keyMisspelt,
  keyUnknown,
  metadataValue,
  valueAmbiguous,
} from "../rules/field-rules.ts";
import { openParentheses, parseToolRule, parseToolRules, type ToolRule } from "../tool-rules.ts";
import {
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
  yamlValue,
  type YamlValue,
} from "../yaml/yaml-node.ts";
import { isKnownKey, type KnownKey, meantKey } from "../names.ts";

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["no", false],
  ["off", false],
]);

interface Flag {
  readonly key: "disable-model-invocation" | "user-invocable";
  readonly absent: boolean;
  /** What an unreadable value counts as: the reading that permits less. */
  readonly unreadable: boolean;
}

const DISABLE_MODEL_INVOCATION: Flag = {
  key: "disable-model-invocation",
  absent: false,
  unreadable: true,
};
const USER_INVOCABLE: Flag = { key: "user-invocable", absent: true, unreadable: false };

function readFlag({ key, absent, unreadable }: Flag, draft: Draft): boolean {
  const node = draft.fields.get(key)?.value;
  if (node === undefined) return absent;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  const word = node.kind === "scalar" ? WORDS.get(node.source.toLowerCase()) : undefined;
  const used = word ?? unreadable;
  const written = node.kind === "scalar" ? `\`${node.source}\`` : `a ${node.kind}`;
  draft.report(controlInvalid, node, {
    message: `\`${key}\` must be true or false, not ${written}; it counts as ${used}`,
    hint: `write ${key}: ${used}`,
    ...(word === undefined
      ? undefined
      : { fix: [{ ...quotedSpan(node, draft), text: String(used) }] }),
  });
  return used;
}

/** `run-mode`, or `context: fork`, which other clients use for the same. */
function readRunMode(others: readonly YamlEntry[], draft: Draft): RunMode {
  const node = draft.fields.get("run-mode")?.value;
  if (node === undefined) return others.some(isForkContext) ? "subagent" : "inline";
  if (node.kind === "scalar" && (node.value === "inline" || node.value === "subagent")) {
    return node.value;
  }
  const written = node.kind === "scalar" ? `\`${node.source}\`` : `a ${node.kind}`;
  draft.report(controlInvalid, node, {
    message: `\`run-mode\` must be inline or subagent, not ${written}; it counts as inline`,
    hint: "write run-mode: inline",
  });
  return "inline";
}

function isForkContext({ key, value }: YamlEntry): boolean {
  return key === "context" && value.kind === "scalar" && value.value === "fork";
}

/** The span with the quotes around it, if there are any. */
function quotedSpan(node: { start: number; end: number }, draft: Draft) {
  const { start, end } = draft.spanOf(node);
  const mark = draft.parts.text[end];
  const quoted = (mark === '"' || mark === "'") && draft.parts.text[start - 1] === mark;
  return quoted ? { start: start - 1, end: end + 1 } : { start, end };
}

/** How many unreadable pieces of one text are named one by one. */
const MAX_NAMED = 20;

/** Reads every form found in the wild: text with blanks or commas, a list, a single value. */
function readAllowedTools(draft: Draft): ToolRule[] | undefined {
  const node = draft.fields.get("allowed-tools")?.value;
  if (node === undefined) return undefined;
  if (node.kind === "map") return unreadable(node, "a mapping", draft);
  if (node.kind === "list") return readList(node.items, draft);
  if (node.value === null) {
    draft.report(allowedToolsUnreadable, node, {
      message: "`allowed-tools` has no value and declares nothing",
      hint: "remove the line, or write `allowed-tools: []` for a skill that needs no tool",
    });
    return undefined;
  }
  if (typeof node.value !== "string") return unreadable(node, `\`${node.source}\``, draft);
  const { rules, unreadable: pieces } = parseToolRules(node.source);
  for (const piece of pieces.slice(0, MAX_NAMED)) unreadable(node, `\`${piece}\``, draft);
  const more = pieces.length - MAX_NAMED;
  if (more > 0) unreadable(node, `what follows (${more} more pieces)`, draft);
  return [...rules];
}

/**
 * A list item is one rule, whatever blanks it holds. YAML cuts `[Agent(Explore, Bash), Read]` at both
 * commas; an item with an open parenthesis goes on until it is closed.
 */
function readList(items: readonly YamlNode[], draft: Draft): ToolRule[] {
  const rules: ToolRule[] = [];
  const problems: { readonly node: YamlNode; readonly what: string }[] = [];
  let open: { readonly node: YamlNode; readonly texts: string[]; depth: number } | undefined;
  for (const item of items) {
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      const what = item.kind === "scalar" ? `\`${item.source}\`` : `a ${item.kind}`;
      problems.push({ node: item, what });
      continue;
    }
    const current = open ?? { node: item, texts: [], depth: 0 };
    current.texts.push(item.source.trim());
    current.depth = openParentheses(item.source, current.depth);
    open = current.depth > 0 ? current : undefined;
    if (open !== undefined) continue;
    const text = current.texts.join(", ");
    const rule = parseToolRule(text);
    if (rule === undefined) problems.push({ node: current.node, what: `\`${text}\`` });
    else rules.push(rule);
  }
  if (open !== undefined) problems.push({ node: open.node, what: `\`${open.texts.join(", ")}\`` });
  for (const { node, what } of problems.slice(0, MAX_NAMED)) unreadable(node, what, draft);
  const next = problems[MAX_NAMED];
  if (next !== undefined) {
    unreadable(next.node, `what follows (${problems.length - MAX_NAMED} more items)`, draft);
  }
  return rules;
}

function unreadable(node: YamlNode, what: string, draft: Draft): [] {
  draft.report(allowedToolsUnreadable, node, {
    message: `${what} in \`allowed-tools\` is not a tool rule and grants nothing`,
    hint: "write a tool's name, with a specifier if need be: `Read`, `Bash(git:*)`",
  });
  return [];
}

interface MetadataField {
  readonly metadata: Record<string, string>;
  /** Values that are not text, kept under `extra.metadata`. */
  readonly nested: YamlValue | undefined;
}

function readMetadata(draft: Draft): MetadataField {
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

interface SortOptions {
  /** Also report keys that have no meaning here. */
  readonly reportUnknown: boolean;
}

/** Puts known entries into `draft.fields` and returns the others, which are kept as they are. */
function sortEntries(draft: Draft, { reportUnknown }: SortOptions): YamlEntry[] {
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
  draft.report(keyMisspelt, span, {
    message: `\`${key}\` is read as \`${meant}\``,
    hint: `rename it to \`${meant}\``,
    fix: [{ ...draft.spanOf(span), text: meant }],
  });
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

/** Dates, base-60 numbers, `yes`/`no`: text to us and in YAML 1.2, something else to older parsers. */
const OTHER_IN_YAML_1_1 =
  /^(?:\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?|[-+]?\d[\d_]*(?::[0-5]?\d)+|[-+]?[\d.]*_[\d_.]*|0b[01_]+|y|yes|n|no|on|off)$/i;

/**
 * The text of a field. A number or boolean counts as what was written in the file and is reported;
 * a missing value, a list or a mapping is not text.
 */
function readText(key: KnownKey, draft: Draft): string | undefined {
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

/** Types the frontmatter. Missing required fields are empty here; rules decide what that means. */
export function readFields(draft: Draft): Mutable<ParsedSkill> {
  const others = sortEntries(draft, { reportUnknown: true });
  const { metadata, nested } = readMetadata(draft);
  const { text, bodyStart } = draft.parts;
  const head = readLevelOne(draft, others);
  // Written out: a spread costs as much as all the rest of this function.
  const skill: Mutable<ParsedSkill> = {
    name: head.name,
    description: head.description,
    disableModelInvocation: head.disableModelInvocation,
    userInvocable: head.userInvocable,
    runMode: head.runMode,
    hiddenFromModel: false,
    metadata,
    extra: extraOf(others, nested, draft),
    body: text.slice(bodyStart),
    bodyLine: bodyLine(draft),
  };
  if (head.version !== undefined) skill.version = head.version;
  const license = readText("license", draft);
  const compatibility = readText("compatibility", draft);
  const author = readText("author", draft);
  const allowedTools = readAllowedTools(draft);
  if (license !== undefined) skill.license = license;
  if (compatibility !== undefined) skill.compatibility = compatibility;
  if (author !== undefined) skill.author = author;
  if (allowedTools !== undefined) skill.allowedTools = allowedTools;
  return skill;
}

/** Types only what a list of skills needs. `metadata` and `allowed-tools` are read without diagnostics. */
export function readMetadataFields(draft: Draft): Mutable<SkillMetadata> {
  const skill = readLevelOne(draft, sortEntries(draft, { reportUnknown: false }));
  const quiet = { ...draft, report: () => {} };
  const { metadata } = readMetadata(quiet);
  const allowedTools = readAllowedTools(quiet);
  if (Object.keys(metadata).length > 0) skill.metadata = metadata;
  if (allowedTools !== undefined) skill.allowedTools = allowedTools;
  return skill;
}

function readLevelOne(draft: Draft, others: readonly YamlEntry[]): Mutable<SkillMetadata> {
  const skill: Mutable<SkillMetadata> = {
    name: readText("name", draft)?.trim().normalize("NFKC") || (draft.directoryName ?? ""),
    description: readText("description", draft)?.trim() ?? "",
    disableModelInvocation: readFlag(DISABLE_MODEL_INVOCATION, draft),
    userInvocable: readFlag(USER_INVOCABLE, draft),
    runMode: readRunMode(others, draft),
    hiddenFromModel: false,
  };
  const version = readText("version", draft);
  if (version !== undefined) skill.version = version;
  return skill;
}

function extraOf(
  others: readonly YamlEntry[],
  nestedMetadata: YamlValue | undefined,
  draft: Draft,
): Record<string, YamlValue> {
  const extra: Record<string, YamlValue> = {};
  const modeIsExplicit = draft.fields.has("run-mode");
  for (const entry of others) {
    if (modeIsExplicit || !isForkContext(entry)) extra[entry.key] = yamlValue(entry.value);
  }
  if (nestedMetadata !== undefined) extra["metadata"] = nestedMetadata;
  return extra;
}

function bodyLine({ parts: { text, bodyStart } }: Draft): number {
  const { line } = createLocator(text.slice(0, bodyStart))(bodyStart);
  return bodyStart > 0 && text[bodyStart - 1] !== "\n" ? line + 1 : line;
}
