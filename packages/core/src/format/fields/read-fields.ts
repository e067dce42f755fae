import type { Draft } from "../draft.ts";
import type { Mutable, ParsedSkill, SkillMetadata } from "../parsed-skill.ts";
import { createLocator } from "../text/locator.ts";
import { type YamlEntry, type YamlValue, yamlValue } from "../yaml/yaml-node.ts";
import { readAllowedTools } from "./allowed-tools-field.ts";
import {
  DISABLE_MODEL_INVOCATION,
  isForkContext,
  readFlag,
  readRunMode,
  USER_INVOCABLE,
} from "./control-fields.ts";
import { readMetadata } from "./metadata-field.ts";
import { sortEntries } from "./sort-entries.ts";
import { readText } from "./text-field.ts";

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

/** Types only what a list of skills needs. */
export function readMetadataFields(draft: Draft): Mutable<SkillMetadata> {
  return readLevelOne(draft, sortEntries(draft, { reportUnknown: false }));
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
