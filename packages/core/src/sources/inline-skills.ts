import { combineDigests } from "../directory/skill-files.ts";
import { parseSkill } from "../format/parse-skill.ts";
import type { SkillMetadata } from "../format/draft.ts";
import { renderSkill } from "../format/render-skill.ts";
import { parseToolRules } from "../format/tool-rules.ts";
import { crypto } from "../internal/files.ts";
import { inlineFiles, isStored, resolveContent, sizeOf, skillText } from "./inline-files.ts";
import type { FileSource, FoundSkill, InlineSkill } from "./skill-source.ts";

const SKILL_FILE = "SKILL.md";

/** Holds skills defined in code to the same rules as those in files. */
export function findInline(skills: readonly InlineSkill[], label: string): FoundSkill[] {
  return skills.map((skill): FoundSkill => {
    const { name, description, disableModelInvocation = false, userInvocable = true } = skill;
    const head = { name, description, disableModelInvocation, userInvocable };
    const { skill: parsed, diagnostics } = parseSkill(renderSkill(head), {
      file: `${label}:${name}`,
    });
    const base = {
      source: label,
      root: label,
      relativePath: name,
      diagnostics,
      stamp: "inline",
      inline: skill,
    };
    return parsed === undefined ? base : { ...base, metadata: metadataOf(parsed, skill) };
  });
}

function metadataOf(parsed: SkillMetadata, given: InlineSkill): SkillMetadata {
  const { name, description, disableModelInvocation, userInvocable, runMode, hiddenFromModel } =
    parsed;
  const { metadata, allowedTools } = given;
  return {
    name,
    description,
    disableModelInvocation,
    userInvocable,
    runMode,
    hiddenFromModel,
    ...(metadata !== undefined && { metadata }),
    ...(allowedTools !== undefined && { allowedTools: parseToolRules(allowedTools).rules }),
  };
}

/** Of the content as far as it is known without reading it; see `inlineContent`. */
export async function inlineDigest(skill: InlineSkill): Promise<string> {
  return (await inlineContent(skill)).digest;
}

/**
 * The skill as if it lay in a folder. SKILL.md is made or read now, other files are not: of text that
 * is made on demand only the path counts for the digest, of a stored file its stamp. A digest of
 * stamps begins with `stamp:`.
 */
export async function inlineContent(skill: InlineSkill) {
  const text = await skillText(skill);
  const files = inlineFiles(skill);
  files.delete(SKILL_FILE);
  const others = [...files].map(([path, content]) => ({ path, ...summaryOf(content) }));
  const skillFile = { path: SKILL_FILE, sha256: sha256(text), size: Buffer.byteLength(text) };
  const digest = combineDigests([skillFile, ...others].sort(byPath));
  const hasStamps = [...files.values()].some(isStored);
  return {
    ok: true as const,
    text,
    digest: hasStamps ? digest.replace("sha256:", "stamp:") : digest,
    files: [...files]
      .map(([path, content]) => {
        const size = sizeOf(content);
        return size === undefined ? { path } : { path, size };
      })
      .sort(byPath),
  };
}

function summaryOf(content: FileSource): { readonly sha256: string; readonly size: number } {
  const size = sizeOf(content) ?? 0;
  if (typeof content === "function") return { sha256: "on demand", size };
  if (!isStored(content)) return { sha256: sha256(content), size };
  return { sha256: sha256(JSON.stringify([content.stamp ?? "", size])), size };
}

/** Every file with its content, in byte order of the paths. Throws what a function or store throws. */
export async function inlineBytes(
  skill: InlineSkill,
  maxBytes: number,
): Promise<{ readonly path: string; readonly bytes: Buffer }[]> {
  const files: { readonly path: string; readonly bytes: Buffer }[] = [];
  let size = 0;
  for (const [path, content] of inlineFiles(skill)) {
    const bytes = Buffer.from(await resolveContent(content));
    size += bytes.length;
    if (size > maxBytes) throw new RangeError(`its files have more than ${maxBytes} bytes`);
    files.push({ path, bytes });
  }
  return files.sort(byPath);
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

export function sha256(content: string | Uint8Array): string {
  return crypto().createHash("sha256").update(content).digest("hex");
}
