import { combineDigests } from "../directory/skill-digest.ts";
import { parseSkill } from "../format/parse-skill.ts";
import { renderSkill } from "../format/render-skill.ts";
import type { FoundSkill, InlineSkill, Lazy } from "./skill-source.ts";
import { crypto } from "../internal/lazy-builtins.ts";

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
    return parsed === undefined ? base : { ...base, metadata: metadataOf(parsed) };
  });
}

function metadataOf({
  name,
  description,
  disableModelInvocation,
  userInvocable,
  runMode,
  hiddenFromModel,
}: NonNullable<ReturnType<typeof parseSkill>["skill"]>) {
  return { name, description, disableModelInvocation, userInvocable, runMode, hiddenFromModel };
}

/**
 * Like the digest of a folder that holds the same texts, except that of files which are made on demand
 * only the paths count: they are not made for a digest.
 */
export async function inlineDigest(skill: InlineSkill): Promise<string> {
  return (await inlineContent(skill)).digest;
}

/** The skill as if it lay in a folder. Instructions are made now if they are made on demand. */
export async function inlineContent(skill: InlineSkill) {
  const { name, description, instructions, metadata, files = {} } = skill;
  const body = await resolveText(instructions);
  const text = renderSkill({ name, description, body, ...(metadata && { metadata }) });
  const others = Object.entries(files)
    .filter(([path]) => path !== SKILL_FILE)
    .map(([path, lazy]) => ({ path, ...inlineFile(lazy) }))
    .sort(byPath);
  const skillFile = { path: SKILL_FILE, sha256: sha256(text), size: Buffer.byteLength(text) };
  return {
    ok: true as const,
    text,
    digest: combineDigests([skillFile, ...others].sort(byPath)),
    files: others.map(({ path, made, size }) => (made ? { path, size } : { path })),
  };
}

const SKILL_FILE = "SKILL.md";
const NOT_MADE = "on demand";

function inlineFile(content: Lazy<string | Uint8Array>) {
  if (typeof content === "function") return { sha256: NOT_MADE, size: 0, made: false };
  return { sha256: sha256(content), size: Buffer.byteLength(content), made: true };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

function sha256(content: string | Uint8Array): string {
  return crypto().createHash("sha256").update(content).digest("hex");
}

async function resolveText(text: Lazy<string>): Promise<string> {
  return typeof text === "function" ? text() : text;
}
