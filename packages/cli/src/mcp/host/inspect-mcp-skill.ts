import { estimateTokens, type SkillRecord, type SkillRegistry } from "@skillwright/core";
import type { McpHost } from "@skillwright/mcp";
import type { SkillDetails } from "../../skills/inspect/inspect-skill.ts";

/**
 * What a person sees of a server's skill before trusting it. Its instructions are read, and so
 * verified; its other files are known by the list.
 */
export async function inspectMcpSkill(
  record: SkillRecord,
  skills: SkillRegistry,
  host: McpHost | undefined,
): Promise<SkillDetails> {
  const content = await skills.content(record);
  const entries = host?.files(record) ?? [];
  const others = entries.filter(({ path }) => path !== "SKILL.md");
  const inline = skills.inlineSkill(record);
  return {
    ...record,
    license: undefined,
    compatibility: undefined,
    author: undefined,
    metadata: { ...inline?.metadata },
    allowedTools: undefined,
    // Of all files: what trust and approvals are bound to.
    digest: content.ok ? skills.stampOf(record) : `none: ${content.message}`,
    tokens: {
      catalog: estimateTokens(`${record.name}\n${record.description}`),
      body: content.ok ? estimateTokens(content.text) : 0,
      files: Math.ceil(others.reduce((sum, { size }) => sum + size, 0) / 4),
    },
    files: entries.map(({ path, size }) => ({ path, size, kind: "file" as const })),
    diagnostics: record.diagnostics.map(({ fix: _fix, ...diagnostic }) => diagnostic),
  };
}
