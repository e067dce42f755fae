import { createHash } from "node:crypto";
import { type FoundSkill, type InlineSkill, parseSkill } from "@skillwright/core";
import { renderSkill, canonicalJson, truncate } from "@skillwright/core/internal";
import { hideSecrets, hideSecretsIn, hideSecretsInBytes } from "../settings/secrets.ts";
import { type ListedSkill, SKILL_FILE } from "./listed-skill.ts";
import { type ReadContext, readSkillBytes, readSkillFile } from "./read-skill-file.ts";

const MAX_DESCRIPTION = 4096;
const MAX_METADATA = 32;
const MAX_METADATA_TEXT = 500;

/** Before the label in the name of a source: `pdf@mcp:docs`. */
export const SOURCE_PREFIX = "mcp:";

/**
 * A listed skill for the registry. Its texts are asked for when somebody reads them. Of its
 * frontmatter that is taken which says when it is used, and nothing that would permit something:
 * `allowed-tools` is not there. Secrets of the server's settings are hidden in what is shown; what is
 * held against the list is as it came.
 */
export function foundSkill(skill: ListedSkill, context: ReadContext): FoundSkill {
  const { name, relativePath, entry } = skill;
  const source = SOURCE_PREFIX + context.connection.label;
  const { secrets } = context.connection.settings;
  const head = headOf(skill, secrets);
  const { skill: parsed, diagnostics } = parseSkill(renderSkill(head), {
    directoryName: name,
    file: `${source}/${relativePath}/${SKILL_FILE}`,
  });
  const stamp = stampOf(skill, context.connection.label);
  const found = { source, root: source, relativePath, uri: entry.uri, diagnostics, stamp };
  if (parsed === undefined) return found;
  const { description, version, disableModelInvocation, userInvocable } = parsed;
  const { runMode, hiddenFromModel } = parsed;
  const invocation = { disableModelInvocation, userInvocable, runMode, hiddenFromModel };
  const metadata = {
    name,
    description,
    ...(version !== undefined && { version }),
    ...invocation,
    metadata: textsOf(skill, secrets),
  };
  return { ...found, metadata, inline: inlineOf(skill, description, context) };
}

/**
 * What trust is bound to: the server, the URI, all files, and the frontmatter, which a model meets
 * in the catalog before any file is read.
 */
function stampOf({ entry, digest }: ListedSkill, label: string): string {
  const { uri, frontmatter } = entry;
  const text = canonicalJson({ label, uri, frontmatter, digest });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function inlineOf(skill: ListedSkill, description: string, context: ReadContext): InlineSkill {
  const { name, files, digest } = skill;
  const { secrets } = context.connection.settings;
  const own = files.find(({ path }) => path === SKILL_FILE);
  return {
    name,
    description,
    async instructions() {
      const read = own && (await readSkillFile(skill, own, context));
      if (read?.ok !== true) throw new Error(read?.message ?? "it lists no SKILL.md");
      return hideSecrets(read.value.body ?? "", secrets);
    },
    files: Object.fromEntries(
      files.map((file) => [
        file.path,
        async () => hideSecretsInBytes(await readSkillBytes(skill, file, context), secrets),
      ]),
    ),
    // With it the digest of the instructions covers files that are read on demand.
    metadata: { ...textsOf(skill, secrets), [DIGEST_KEY]: digest },
  };
}

const DIGEST_KEY = "mcp-digest";

function headOf(skill: ListedSkill, secrets: readonly string[]) {
  const { frontmatter } = skill.entry;
  const { version, compatibility } = frontmatter;
  const shown = (text: string, max: number) => truncate(hideSecrets(text, secrets), max);
  return {
    name: skill.name,
    description: shown(frontmatter.description, MAX_DESCRIPTION),
    disableModelInvocation: frontmatter["disable-model-invocation"] === true,
    userInvocable: frontmatter["user-invocable"] !== false,
    ...(typeof version === "string" && { version: shown(version, MAX_METADATA_TEXT) }),
    ...(typeof compatibility === "string" && {
      compatibility: shown(compatibility, MAX_METADATA_TEXT),
    }),
  };
}

function textsOf({ entry }: ListedSkill, secrets: readonly string[]): Record<string, string> {
  const metadata = hideSecretsIn(entry.frontmatter["metadata"], secrets);
  if (typeof metadata !== "object" || metadata === null) return {};
  const texts = Object.entries(metadata)
    .filter(([key, value]) => typeof value === "string" && key.length <= MAX_METADATA_TEXT)
    .slice(0, MAX_METADATA)
    .map(([key, value]) => [key, truncate(String(value), MAX_METADATA_TEXT)] as const);
  return Object.fromEntries(texts);
}
