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
  const { name, description, instructions, files = {} } = skill;
  const body = await resolveText(instructions);
  const texts: [string, string][] = [["SKILL.md", renderSkill({ name, description, body })]];
  for (const [path, text] of Object.entries(files)) texts.push([path, await resolveText(text)]);
  const digests = texts.map(([path, text]) => ({
    path,
    sha256: createHash("sha256").update(text).digest("hex"),
    size: Buffer.byteLength(text),
  }));
  return combineDigests(
    digests.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))),
  );
}

async function resolveText(text: Lazy<string>): Promise<string> {
  return typeof text === "function" ? text() : text;
}
