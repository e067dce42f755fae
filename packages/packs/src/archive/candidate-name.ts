import { closeSync } from "node:fs";
import { nameProblem, readSkillMetadata } from "@skillwright/core";
import { openConfinedSync, readUpTo } from "@skillwright/core/internal";

/** The most of a SKILL.md that is read for its name. */
const MAX_HEAD_BYTES = 32 * 1024;
const MAX_NAME_LENGTH = 64;

/**
 * The name in a skill's frontmatter if it can be one, else the given one; without that, what is
 * wrong. `folder` is a real path.
 */
export function candidateName(
  folder: string,
  otherwise: string | undefined,
): { readonly name: string } | { readonly problem: string } {
  const text = readHead(folder);
  const { metadata, diagnostics } = readSkillMetadata(text ?? "");
  const name = metadata?.name ?? "";
  if (nameProblem(name) === undefined && name.length <= MAX_NAME_LENGTH) return { name };
  if (otherwise !== undefined && otherwise !== "") return { name: otherwise };
  return { problem: diagnostics[0]?.message ?? "its SKILL.md cannot be read" };
}

function readHead(folder: string): string | undefined {
  const opened = openConfinedSync(folder, ["SKILL.md"]);
  if (!opened.ok) return undefined;
  try {
    return readUpTo(opened.descriptor, MAX_HEAD_BYTES, opened.stats.size).toString("utf8");
  } finally {
    closeSync(opened.descriptor);
  }
}
