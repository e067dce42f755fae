import { createHash } from "node:crypto";
import { combineDigests } from "../directory/skill-digest.ts";
import { parseSkill } from "../format/parse-skill.ts";
import { renderSkill } from "../format/render-skill.ts";
import type { FoundSkill, InlineSkill, Lazy } from "./skill-source.ts";

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

/** Like the digest of a folder that holds the same texts. */
export async function inlineDigest(skill: InlineSkill): Promise<string> {
  return (await inlineContent(skill)).digest;
}

/** The skill as if it lay in a folder. Texts that are made on demand are made now. */
export async function inlineContent(skill: InlineSkill) {
  const { name, description, instructions, metadata, files = {} } = skill;
  const body = await resolveText(instructions);
  const text = renderSkill({ name, description, body, ...(metadata && { metadata }) });
  const texts: [string, string][] = [["SKILL.md", text]];
  for (const [path, lazy] of Object.entries(files)) texts.push([path, await resolveText(lazy)]);
  const digests = texts
    .map(([path, content]) => ({
      path,
      sha256: createHash("sha256").update(content).digest("hex"),
      size: Buffer.byteLength(content),
    }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const others = digests.filter(({ path }) => path !== "SKILL.md");
  return {
    ok: true as const,
    text,
    digest: combineDigests(digests),
    files: others.map(({ path, size }) => ({ path, size })),
  };
}

async function resolveText(text: Lazy<string>): Promise<string> {
  return typeof text === "function" ? text() : text;
}
