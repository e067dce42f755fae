import { type SkillRecord, type Skills } from "@skillwright/core";
import { estimateTokens } from "@skillwright/core/internal";
import type { SkillDetails } from "../../skills/inspect/inspect-skill.ts";
import { mcpHostOf, requireVerified } from "@skillwright/app/internal";

/**
 * What a person sees of a server's skill before trusting it. Its instructions are read, and so
 * verified; its other files are known by the list.
 */
export async function inspectMcpSkill(record: SkillRecord, skills: Skills): Promise<SkillDetails> {
  const text = await requireVerified(record, skills);
  const entries = mcpHostOf(skills)?.files(record) ?? [];
  const others = entries.filter(({ path }) => path !== "SKILL.md");
  const inline = skills.inlineSkill(record);
  return {
    ...record,
    path: record.uri ?? record.path,
    license: undefined,
    compatibility: undefined,
    author: undefined,
    metadata: { ...inline?.metadata },
    allowedTools: undefined,
    // Of all that trust is bound to.
    digest: skills.stampOf(record),
    tokens: {
      catalog: estimateTokens(`${record.name}\n${record.description}`),
      body: estimateTokens(text),
      files: Math.ceil(others.reduce((sum, { size }) => sum + size, 0) / 4),
    },
    files: entries.map((entry) => ({ ...entry, kind: "file" as const })),
    diagnostics: record.diagnostics.map(({ fix: _fix, ...diagnostic }) => diagnostic),
  };
}
